// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Keys "a" and "b", of which another one, or none, is the current one whenever that is asked for:
 * so a database has files under each, and plain ones. Thread-safe.
 */
public final class TestKeys implements KeyProvider {
  private final @Nullable String[] currents;
  private final Random random;

  private TestKeys(long seed, @Nullable String... currents) {
    this.currents = currents;
    this.random = new Random(seed);
  }

  /** Returns keys of which the current one changes. */
  public static TestKeys changing(long seed) {
    return new TestKeys(seed, "a", "b", "a", "b", null);
  }

  /** Returns keys of which one is the current one; null for none. */
  public static TestKeys current(@Nullable String keyId) {
    return new TestKeys(0, keyId);
  }

  @Override
  public @Nullable String currentKeyId() {
    return currents[random.nextInt(currents.length)];
  }

  @Override
  public byte[] wrap(String keyId, byte[] dataKey) throws KeyUnavailableException {
    if (!keyId.equals("a") && !keyId.equals("b")) {
      throw new KeyUnavailableException("there is no key " + keyId);
    }
    byte[] wrapped = Arrays.copyOf(dataKey, dataKey.length + 1);
    for (int i = 0; i < wrapped.length; i++) {
      wrapped[i] ^= (byte) keyId.charAt(0);
    }
    return wrapped;
  }

  @Override
  public byte[] unwrap(String keyId, byte[] wrapped) throws KeyUnavailableException {
    byte[] unwrapped = wrap(keyId, wrapped);
    if (unwrapped[wrapped.length - 1] != 0) {
      throw new KeyUnavailableException("the key " + keyId + " is another one");
    }
    return Arrays.copyOf(unwrapped, wrapped.length - 1);
  }
}
