// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.IOException;

/** A storage that adds nothing to another does all that the other does. */
class ForwardingStorageTest extends StorageContract {
  @Override
  Storage newStorage() {
    return new ForwardingStorage(new MemoryStorage()) {
      @Override
      public StorageWriter create(String name) throws IOException {
        return delegate.create(name);
      }

      @Override
      public StorageReader open(String name) throws IOException {
        return delegate.open(name);
      }
    };
  }
}
