// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A storage that tells an observer before each file is opened and each directory is listed, so that
 * the files can be changed just then. As thread-safe as the observer.
 */
public final class OpeningStorage extends WrappingStorage {
  private final Observer observer;
  private final AtomicInteger operations = new AtomicInteger();

  /** Creates a storage; the observer is called on the thread of the operation. */
  public OpeningStorage(Storage delegate, Observer observer) {
    super(delegate);
    this.observer = observer;
  }

  /** Is told of operations. */
  public interface Observer {
    /** Called before an operation, of which the first one has the number 0. */
    void before(int operation) throws IOException;
  }

  /** Returns how many operations there were. */
  public int operations() {
    return operations.get();
  }

  @Override
  public StorageReader open(String name) throws IOException {
    observer.before(operations.getAndIncrement());
    return delegate.open(name);
  }

  @Override
  public List<String> list(String directory) throws IOException {
    observer.before(operations.getAndIncrement());
    return delegate.list(directory);
  }
}
