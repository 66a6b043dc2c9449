// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A reader that does all that another one does; tests override what they change. */
public class WrappingReader implements StorageReader {
  /** The other reader. */
  protected final StorageReader delegate;

  public WrappingReader(StorageReader delegate) {
    this.delegate = delegate;
  }

  @Override
  public long size() throws IOException {
    return delegate.size();
  }

  @Override
  public void readFully(ByteBuffer target, long position) throws IOException {
    delegate.readFully(target, position);
  }

  @Override
  public void close() throws IOException {
    delegate.close();
  }
}
