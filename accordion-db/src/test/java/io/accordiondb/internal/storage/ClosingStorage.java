// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.Closeable;
import java.io.IOException;

/** A storage that closes something, for example a writer, when a reader has asked for a size. */
public final class ClosingStorage extends WrappingStorage {
  private final Closeable closeable;

  public ClosingStorage(Storage delegate, Closeable closeable) {
    super(delegate);
    this.closeable = closeable;
  }

  @Override
  public StorageReader open(String name) throws IOException {
    return new WrappingReader(delegate.open(name)) {
      @Override
      public long size() throws IOException {
        long size = delegate.size();
        closeable.close();
        return size;
      }
    };
  }
}
