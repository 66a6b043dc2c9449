// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import io.accordiondb.fixtures.Await;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A storage that fails on demand. Thread-safe.
 *
 * <p>It counts the operations of chosen kinds, and lets one of them fail, or that one and all that
 * follow: the first is a fault of the device, the second the end of the process. An append that
 * fails has written a part of its bytes; any other operation that fails has done nothing.
 */
public final class FaultyStorage implements Storage {
  /** The kinds of operations. */
  public enum Operation {
    CREATE,
    OPEN,
    READ,
    APPEND,
    SYNC,
    CLOSE,
    LOOK,
    DELETE,
    RENAME,
    CREATE_DIRECTORIES,
    SYNC_DIRECTORY,
    LOCK
  }

  /** The kinds that change what is, or will be, on the disk. */
  public static final Set<Operation> CHANGES =
      Set.of(
          Operation.CREATE,
          Operation.APPEND,
          Operation.SYNC,
          Operation.DELETE,
          Operation.RENAME,
          Operation.CREATE_DIRECTORIES,
          Operation.SYNC_DIRECTORY);

  /** Where the threads of executors, and those of asynchronous commits, wait for tasks. */
  private static final Set<String> WAITS_FOR_TASKS =
      Set.of("getTask", "nextSubmitted", "nextCommitted");

  private final Storage delegate;

  // Guarded by this.
  private Set<Operation> kinds = Set.of();
  private long failingFrom;
  private long failingTo;
  private long count;

  /** The threads that have met a fault since {@link #awaitFailed} was called last. */
  private final Set<Thread> failed = ConcurrentHashMap.newKeySet();

  /** Not this object, because the engine remembers folders for as long as the process runs. */
  private final Object identity = new Object();

  /** Creates a storage that does not fail yet. */
  public FaultyStorage(Storage delegate) {
    this.delegate = delegate;
  }

  /** Counts the operations of some kinds from now on. */
  public void count(Set<Operation> kinds) {
    fail(kinds, Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /** Lets the nth operation of some kinds fail, from now on, beginning with 1. */
  public void failOnce(Set<Operation> kinds, long nth) {
    fail(kinds, nth, nth);
  }

  /** Lets operations of some kinds fail from the nth on, beginning with 1, and then work again. */
  public void failFor(Set<Operation> kinds, long nth, int times) {
    fail(kinds, nth, nth + times - 1);
  }

  /** Lets the nth operation of some kinds fail, and all operations of these kinds after it. */
  public void failForEver(Set<Operation> kinds, long nth) {
    fail(kinds, nth, Long.MAX_VALUE);
  }

  private synchronized void fail(Set<Operation> newKinds, long from, long to) {
    kinds = newKinds.isEmpty() ? Set.of() : EnumSet.copyOf(newKinds);
    failingFrom = from;
    failingTo = to;
    count = 0;
  }

  /** Returns how many operations of the chosen kinds there were since they were chosen. */
  public synchronized long count() {
    return count;
  }

  private synchronized boolean fails(Operation operation) {
    if (!kinds.contains(operation)) {
      return false;
    }
    count++;
    boolean fails = count >= failingFrom && count <= failingTo;
    if (fails) {
      failed.add(Thread.currentThread());
    }
    return fails;
  }

  /**
   * Waits until each thread of a database that has met a fault has ended, or waits for its next
   * task: it has then told others of the fault.
   */
  public void awaitFailed() {
    failed.remove(Thread.currentThread());
    Await.await(
        "the end of tasks that have met a fault",
        () -> failed.stream().noneMatch(FaultyStorage::isAtWork));
    failed.clear();
  }

  private static boolean isAtWork(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    return stack.length > 0
        && Arrays.stream(stack)
            .map(StackTraceElement::getMethodName)
            .noneMatch(WAITS_FOR_TASKS::contains);
  }

  private void perform(Operation operation, String name) throws IOException {
    if (fails(operation)) {
      throw new InjectedFault(operation, name);
    }
  }

  /** The failure of an operation. */
  public static final class InjectedFault extends IOException {
    private static final long serialVersionUID = 1L;

    InjectedFault(Operation operation, String name) {
      super(operation + " of \"" + name + "\" failed on demand");
    }
  }

  @Override
  public StorageWriter create(String name) throws IOException {
    perform(Operation.CREATE, name);
    return faulty(name, delegate.create(name));
  }

  @Override
  public StorageWriter createFilled(String name, long bytes) throws IOException {
    perform(Operation.CREATE, name);
    return faulty(name, delegate.createFilled(name, bytes));
  }

  private StorageWriter faulty(String name, StorageWriter writer) {
    return new WrappingWriter(writer) {
      @Override
      public void append(ByteBuffer... buffers) throws IOException {
        if (fails(Operation.APPEND)) {
          ByteBuffer first = buffers[0];
          super.append(first.duplicate().limit(first.position() + first.remaining() / 2));
          throw new InjectedFault(Operation.APPEND, name);
        }
        super.append(buffers);
      }

      @Override
      public void sync() throws IOException {
        perform(Operation.SYNC, name);
        super.sync();
      }

      @Override
      public void close() throws IOException {
        super.close();
        perform(Operation.CLOSE, name);
      }
    };
  }

  @Override
  public StorageReader open(String name) throws IOException {
    perform(Operation.OPEN, name);
    return faulty(name, delegate.open(name));
  }

  @Override
  public StorageReader openMapped(String name) throws IOException {
    perform(Operation.OPEN, name);
    return faulty(name, delegate.openMapped(name));
  }

  private StorageReader faulty(String name, StorageReader reader) {
    return new StorageReader() {
      @Override
      public long size() throws IOException {
        return reader.size();
      }

      @Override
      public void readFully(ByteBuffer target, long position) throws IOException {
        perform(Operation.READ, name);
        reader.readFully(target, position);
      }

      @Override
      public void close() throws IOException {
        reader.close();
        perform(Operation.CLOSE, name);
      }
    };
  }

  @Override
  public boolean exists(String name) throws IOException {
    perform(Operation.LOOK, name);
    return delegate.exists(name);
  }

  @Override
  public boolean isDirectory(String name) throws IOException {
    perform(Operation.LOOK, name);
    return delegate.isDirectory(name);
  }

  @Override
  public long size(String name) throws IOException {
    perform(Operation.LOOK, name);
    return delegate.size(name);
  }

  @Override
  public List<String> list(String directory) throws IOException {
    perform(Operation.LOOK, directory);
    return delegate.list(directory);
  }

  @Override
  public void delete(String name) throws IOException {
    perform(Operation.DELETE, name);
    delegate.delete(name);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    perform(Operation.RENAME, from);
    delegate.rename(from, to);
  }

  @Override
  public void createDirectories(String directory) throws IOException {
    perform(Operation.CREATE_DIRECTORIES, directory);
    delegate.createDirectories(directory);
  }

  @Override
  public void sync(String name) throws IOException {
    perform(Operation.SYNC, name);
    delegate.sync(name);
  }

  @Override
  public void syncDirectory(String directory) throws IOException {
    perform(Operation.SYNC_DIRECTORY, directory);
    delegate.syncDirectory(directory);
  }

  @Override
  public Closeable lock(String name) throws IOException {
    perform(Operation.LOCK, name);
    return delegate.lock(name);
  }

  @Override
  public void checkFolder() throws IOException {
    delegate.checkFolder();
  }

  @Override
  public long availableBytes() throws IOException {
    return delegate.availableBytes();
  }

  @Override
  public Object identity() {
    return identity;
  }

  @Override
  public String path(String name) {
    return delegate.path(name);
  }
}
