// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.IOException;

/**
 * A storage that does all that another one does; tests override what they change. What overrides
 * {@link #create} and {@link #open} alone also has {@link #createFilled}, {@link #openMapped},
 * copies and links pass through them. As thread-safe as the other storage.
 */
public class WrappingStorage extends ForwardingStorage {
  public WrappingStorage(Storage delegate) {
    super(delegate);
  }

  @Override
  public StorageWriter create(String name) throws IOException {
    return delegate.create(name);
  }

  @Override
  public StorageReader open(String name) throws IOException {
    return delegate.open(name);
  }
}
