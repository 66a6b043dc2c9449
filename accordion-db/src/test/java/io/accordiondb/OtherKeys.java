// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Keys like those of another provider. */
public class OtherKeys implements KeyProvider {
  private final KeyProvider keys = TestKeys.current("a");

  @Override
  public @Nullable String currentKeyId() {
    return keys.currentKeyId();
  }

  @Override
  public byte[] wrap(String keyId, byte[] dataKey) throws IOException {
    return keys.wrap(keyId, dataKey);
  }

  @Override
  public byte[] unwrap(String keyId, byte[] wrapped) throws IOException {
    return keys.unwrap(keyId, wrapped);
  }
}
