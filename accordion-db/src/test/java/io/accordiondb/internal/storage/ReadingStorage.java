// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import io.accordiondb.internal.function.IoRunnable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Runs an action before each read of a file whose name begins as given. */
public final class ReadingStorage extends WrappingStorage {
  private final String namesBegin;
  private final IoRunnable beforeRead;

  public ReadingStorage(Storage delegate, String namesBegin, IoRunnable beforeRead) {
    super(delegate);
    this.namesBegin = namesBegin;
    this.beforeRead = beforeRead;
  }

  @Override
  public StorageReader open(String name) throws IOException {
    StorageReader file = delegate.open(name);
    return !name.startsWith(namesBegin)
        ? file
        : new WrappingReader(file) {
          @Override
          public void readFully(ByteBuffer target, long position) throws IOException {
            beforeRead.run();
            delegate.readFully(target, position);
          }
        };
  }
}
