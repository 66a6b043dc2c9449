// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import io.accordiondb.KeyProvider;

/** Leaves data keys unwrapped in their files: for measuring what encryption costs, only. */
final class UnsafeKeys implements KeyProvider {
  @Override
  public String currentKeyId() {
    return "unsafe";
  }

  @Override
  public byte[] wrap(String keyId, byte[] dataKey) {
    return dataKey.clone();
  }

  @Override
  public byte[] unwrap(String keyId, byte[] wrapped) {
    return wrapped.clone();
  }
}
