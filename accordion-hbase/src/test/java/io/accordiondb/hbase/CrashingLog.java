// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.wal.WAL;
import org.jspecify.annotations.Nullable;

/**
 * A region's log that remembers how much of what was appended to it somebody has had synced: a
 * crash may take all the rest. Thread-safe; only one thread may append.
 */
final class CrashingLog {
  private final WAL log;
  private final WAL recording;
  private final Queue<Long> told = new ConcurrentLinkedQueue<>();
  private final AtomicReference<@Nullable CountDownLatch> nextStall = new AtomicReference<>();

  private volatile long lastAppended;
  private volatile long lastWrite;
  private volatile boolean stalled;
  private long synced;
  private boolean syncsFail;

  CrashingLog(WAL log) {
    this.log = log;
    this.recording =
        (WAL)
            Proxy.newProxyInstance(
                CrashingLog.class.getClassLoader(), new Class<?>[] {WAL.class}, this::invoke);
  }

  /** Returns the log to give to the region. */
  WAL recording() {
    return recording;
  }

  private Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("sync")) {
      return sync(method, arguments);
    }
    if (method.getName().equals("updateStore")) {
      told.add((Long) arguments[2]);
      UnflushedNumbers account = Objects.requireNonNull(UnflushedNumbers.of(log));
      account.raise((byte[]) arguments[0], (byte[]) arguments[1], (Long) arguments[2]);
      return null;
    }
    Object result = call(method, arguments);
    if (method.getName().startsWith("append")) {
      lastAppended = (Long) result;
    }
    if (method.getName().equals("appendData")) {
      lastWrite = lastAppended;
    }
    return result;
  }

  private Object sync(Method method, Object[] arguments) throws Throwable {
    long upTo =
        arguments != null && arguments[0] instanceof Long transaction ? transaction : lastAppended;
    CountDownLatch stall = arguments == null ? nextStall.getAndSet(null) : null;
    if (stall != null) {
      stalled = true;
      stall.await();
    }
    synchronized (this) {
      if (syncsFail) {
        throw new IOException("the log cannot be synced");
      }
    }
    Object result = call(method, arguments);
    synchronized (this) {
      synced = Math.max(synced, upTo);
    }
    return result;
  }

  private Object call(Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(log, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Lets the next sync of all that was appended wait. */
  void stallNextSync(CountDownLatch end) {
    nextStall.set(end);
  }

  /** Returns whether a sync waits, or has waited. */
  boolean hasStalled() {
    return stalled;
  }

  synchronized void failSyncs(boolean fail) {
    syncsFail = fail;
  }

  /** Returns the transaction of the last write. */
  long lastWrite() {
    return lastWrite;
  }

  /** Returns up to which transaction a crash leaves the log. */
  synchronized long synced() {
    return synced;
  }

  /** Returns the numbers below which the log was told that it is no longer needed. */
  Collection<Long> told() {
    return told;
  }

  void close() throws IOException {
    log.close();
  }
}
