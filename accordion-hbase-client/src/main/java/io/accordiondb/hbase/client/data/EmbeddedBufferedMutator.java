// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects mutations and writes them together, when there are enough, when asked to, and, if that
 * is set, after a time. Mutations that fail go to the listener, the others are written; none stays
 * in the buffer. Thread-safe: one thread at a time writes, and mutations are written in the order
 * in which they were added.
 */
public final class EmbeddedBufferedMutator implements BufferedMutator {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBufferedMutator.class);

  /** The value of parameters that were not set. */
  private static final int UNSET = -1;

  private final Session session;
  private final RowOperations operations;
  private final ExceptionListener listener;
  private final long bufferBytesMax;
  private final int keyValueBytesMax;
  private final Map<String, byte[]> requestAttributes;

  private final Object lock = new Object();

  /** Taken by the thread that writes; before {@link #lock}. */
  private final ReentrantLock writing = new ReentrantLock();

  // Guarded by lock.
  private List<Mutation> buffer = new ArrayList<>();
  private long bufferBytes;
  private long oldestNanos;
  private long periodMillis;
  private long tickMillis = MIN_WRITE_BUFFER_PERIODIC_FLUSH_TIMERTICK_MS;
  private @Nullable Timer timer;
  private boolean closed;

  /**
   * Creates a mutator.
   *
   * @param session the session of the connection
   * @param params the table, and what differs from the configuration
   */
  public EmbeddedBufferedMutator(Session session, BufferedMutatorParams params) {
    ClientSettings settings = session.settings();
    this.session = session;
    this.operations = new RowOperations(session, params.getTableName());
    this.listener = params.getListener();
    this.bufferBytesMax = orElse(params.getWriteBufferSize(), settings.writeBufferBytes());
    this.keyValueBytesMax = (int) orElse(params.getMaxKeyValueSize(), settings.keyValueBytesMax());
    this.requestAttributes = params.getRequestAttributes();
    setWriteBufferPeriodicFlush(
        orElse(params.getWriteBufferPeriodicFlushTimeoutMs(), settings.periodicFlushMillis()),
        orElse(
            params.getWriteBufferPeriodicFlushTimerTickMs(), settings.periodicFlushTickMillis()));
  }

  private static long orElse(long set, long setting) {
    return set == UNSET ? setting : set;
  }

  @Override
  public TableName getName() {
    return operations.name();
  }

  @Override
  public Configuration getConfiguration() {
    return session.configuration();
  }

  @Override
  public void mutate(Mutation mutation) throws IOException {
    mutate(List.of(mutation));
  }

  @Override
  public void mutate(List<? extends Mutation> mutations) throws IOException {
    long bytes = 0;
    for (Mutation mutation : mutations) {
      if (mutation instanceof Put put) {
        MutationConversion.validate(put, keyValueBytesMax);
      }
      bytes += mutation.heapSize();
    }
    boolean full;
    synchronized (lock) {
      checkOpen();
      if (buffer.isEmpty()) {
        oldestNanos = System.nanoTime();
      }
      buffer.addAll(mutations);
      bufferBytes += bytes;
      full = bufferBytes > bufferBytesMax;
    }
    if (full) {
      write();
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("Cannot put when the BufferedMutator is closed.");
    }
  }

  @Override
  public void flush() throws IOException {
    synchronized (lock) {
      checkOpen();
    }
    write();
  }

  private void write() throws IOException {
    RetriesExhaustedWithDetailsException failure = null;
    // No monitor, with which a virtual thread would keep its carrier while it waits.
    writing.lock();
    try {
      List<Mutation> taken;
      synchronized (lock) {
        taken = buffer;
        buffer = new ArrayList<>();
        bufferBytes = 0;
      }
      try {
        Batch.execute(session, operations, taken, new Object[taken.size()]);
      } catch (RetriesExhaustedWithDetailsException e) {
        failure = e;
      }
    } finally {
      writing.unlock();
    }
    if (failure != null) {
      if (listener == null) {
        throw failure;
      }
      listener.onException(failure, this);
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (lock) {
      if (closed) {
        return;
      }
      closed = true;
      stopTimer();
    }
    write();
  }

  @Override
  public void setWriteBufferPeriodicFlush(long timeoutMillis, long timerTickMillis) {
    synchronized (lock) {
      periodMillis = Math.max(0, timeoutMillis);
      tickMillis = Math.max(MIN_WRITE_BUFFER_PERIODIC_FLUSH_TIMERTICK_MS, timerTickMillis);
      stopTimer();
      if (periodMillis > 0 && !closed) {
        Timer started = new Timer("buffered-mutator-" + getName(), true);
        started.schedule(
            new TimerTask() {
              @Override
              public void run() {
                writeIfOld();
              }
            },
            tickMillis,
            tickMillis);
        timer = started;
      }
    }
  }

  private void stopTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  /** Ends the thread of a mutator that nobody closes, which would keep the database for ever. */
  private void stopTimerIfDisconnected() {
    synchronized (lock) {
      if (session.isClosed() && buffer.isEmpty()) {
        stopTimer();
      }
    }
  }

  private void writeIfOld() {
    stopTimerIfDisconnected();
    synchronized (lock) {
      long ageMillis = (System.nanoTime() - oldestNanos) / 1_000_000;
      if (buffer.isEmpty() || ageMillis < periodMillis) {
        return;
      }
    }
    try {
      write();
    } catch (IOException | RuntimeException | Error e) {
      // An error, too, because it would end the timer.
      LOG.error("mutations of table {} could not be written", getName(), e);
      stopTimerIfDisconnected();
    }
  }

  @Override
  public long getWriteBufferPeriodicFlushTimeoutMs() {
    synchronized (lock) {
      return periodMillis;
    }
  }

  @Override
  public long getWriteBufferPeriodicFlushTimerTickMs() {
    synchronized (lock) {
      return tickMillis;
    }
  }

  @Override
  public long getWriteBufferSize() {
    return bufferBytesMax;
  }

  @Override
  public void setRpcTimeout(int millis) {
    // No call waits for a network.
  }

  @Override
  public void setOperationTimeout(int millis) {
    // No call waits for a network.
  }

  @Override
  public Map<String, byte[]> getRequestAttributes() {
    return requestAttributes;
  }
}
