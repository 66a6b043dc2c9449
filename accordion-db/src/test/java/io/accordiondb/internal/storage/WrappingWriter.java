// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A writer that does all that another one does; tests override what they change. */
public class WrappingWriter implements StorageWriter {
  /** The other writer. */
  protected final StorageWriter delegate;

  public WrappingWriter(StorageWriter delegate) {
    this.delegate = delegate;
  }

  @Override
  public void append(ByteBuffer... buffers) throws IOException {
    delegate.append(buffers);
  }

  @Override
  public long position() {
    return delegate.position();
  }

  @Override
  public void sync() throws IOException {
    delegate.sync();
  }

  @Override
  public void close() throws IOException {
    delegate.close();
  }
}
