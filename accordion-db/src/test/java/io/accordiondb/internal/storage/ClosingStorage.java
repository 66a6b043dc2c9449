// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A storage that closes something, for example a writer, when a reader has asked for a size. */
public final class ClosingStorage extends WrappingStorage {
  private final Closeable closeable;

  public ClosingStorage(Storage delegate, Closeable closeable) {
    super(delegate);
    this.closeable = closeable;
  }

  @Override
  public StorageReader open(String name) throws IOException {
    return new Reader(delegate.open(name));
  }

  private final class Reader implements StorageReader {
    private final StorageReader reader;

    Reader(StorageReader reader) {
      this.reader = reader;
    }

    @Override
    public long size() throws IOException {
      long size = reader.size();
      closeable.close();
      return size;
    }

    @Override
    public void readFully(ByteBuffer target, long position) throws IOException {
      reader.readFully(target, position);
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
