// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

/** A storage that adds nothing to another does all that the other does. */
class ForwardingStorageTest extends StorageContract {
  @Override
  Storage newStorage() {
    return new WrappingStorage(new MemoryStorage());
  }
}
