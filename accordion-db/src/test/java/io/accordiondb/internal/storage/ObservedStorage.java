// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A storage that tells an observer of each change to the disk: before it, and in the middle of an
 * append. As thread-safe as the observer.
 */
public final class ObservedStorage extends ForwardingStorage {
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
  public StorageReader open(String name) throws IOException {
    return delegate.open(name);
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

  private final class Writer implements StorageWriter {
    private final StorageWriter writer;

    Writer(StorageWriter writer) {
      this.writer = writer;
    }

    @Override
    public void append(ByteBuffer... buffers) throws IOException {
      observer.run();
      for (ByteBuffer buffer : buffers) {
        int limit = buffer.limit();
        buffer.limit(buffer.position() + buffer.remaining() / 2);
        writer.append(buffer);
        observer.run();
        buffer.limit(limit);
        writer.append(buffer);
      }
    }

    @Override
    public long position() {
      return writer.position();
    }

    @Override
    public void sync() throws IOException {
      observer.run();
      writer.sync();
    }

    @Override
    public void close() throws IOException {
      writer.close();
    }
  }
}
