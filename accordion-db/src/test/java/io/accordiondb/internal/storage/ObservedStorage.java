// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A storage that tells an observer of each change to the disk: before it, and in the middle of an
 * append. As thread-safe as the observer.
 */
public final class ObservedStorage extends WrappingStorage {
  private final Runnable observer;

  /** Creates a storage; the observer is called on the thread of the change. */
  public ObservedStorage(Storage delegate, Runnable observer) {
    super(delegate);
    this.observer = observer;
  }

  @Override
  public StorageWriter create(String name) throws IOException {
    observer.run();
    return new Writer(delegate.create(name));
  }

  @Override
  public StorageWriter createFilled(String name, long bytes) throws IOException {
    observer.run();
    return new Writer(delegate.createFilled(name, bytes));
  }

  @Override
  public void delete(String name) throws IOException {
    observer.run();
    delegate.delete(name);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    observer.run();
    delegate.rename(from, to);
  }

  /** Tells only this storage's observer. */
  @Override
  public void linkTo(String name, Storage target, String targetName) throws IOException {
    observer.run();
    Storage other = target instanceof ObservedStorage observed ? observed.delegate : target;
    delegate.linkTo(name, other, targetName);
  }

  @Override
  public void createDirectories(String directory) throws IOException {
    observer.run();
    delegate.createDirectories(directory);
  }

  @Override
  public void sync(String name) throws IOException {
    observer.run();
    delegate.sync(name);
  }

  @Override
  public void syncDirectory(String directory) throws IOException {
    observer.run();
    delegate.syncDirectory(directory);
  }

  private final class Writer extends WrappingWriter {
    Writer(StorageWriter writer) {
      super(writer);
    }

    @Override
    public void append(ByteBuffer... buffers) throws IOException {
      observer.run();
      for (ByteBuffer buffer : buffers) {
        int limit = buffer.limit();
        buffer.limit(buffer.position() + buffer.remaining() / 2);
        super.append(buffer);
        observer.run();
        buffer.limit(limit);
        super.append(buffer);
      }
    }

    @Override
    public void sync() throws IOException {
      observer.run();
      super.sync();
    }
  }
}
