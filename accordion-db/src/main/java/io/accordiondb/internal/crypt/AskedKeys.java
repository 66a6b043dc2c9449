// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.crypt;

import io.accordiondb.KeyProvider;
import io.accordiondb.KeyUnavailableException;
import io.accordiondb.internal.crypt.EncryptionHeader.Layout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Asks a provider for keys. Neither a bad answer nor whatever it throws, in some languages a
 * checked exception that is not declared, may make the log or the manifest fail for good: all of it
 * is a {@link KeyUnavailableException}. Thread-safe.
 */
record AskedKeys(KeyProvider keys) {
  /** The length of the key that encrypts a file, in bytes. */
  static final int DATA_KEY_BYTES = 32;

  /** Returns the name of the key for a new file; null if the file is to be plain. */
  @Nullable String currentKeyId(String path) throws KeyUnavailableException {
    try {
      return keys.currentKeyId();
    } catch (Throwable e) {
      throw unavailable(path + " is not created, because its key is unknown: ", e);
    }
  }

  /** Returns the header of a new file. */
  EncryptionHeader header(Layout layout, long random, String keyId, byte[] dataKey, String path)
      throws KeyUnavailableException {
    try {
      // A copy, because a provider may wipe what it has wrapped.
      byte[] wrapped = answered(keys.wrap(keyId, dataKey.clone()));
      return EncryptionHeader.of(layout, random, keyId, wrapped);
    } catch (Throwable e) {
      throw unavailable(path + " cannot be encrypted under the key \"" + keyId + "\": ", e);
    }
  }

  /** Returns the data key of a file. */
  byte[] unwrapped(EncryptionHeader header, String path) throws KeyUnavailableException {
    String encrypted = path + " is encrypted under the key \"" + header.keyId() + "\": ";
    byte[] dataKey;
    try {
      dataKey = answered(keys.unwrap(header.keyId(), header.wrapped()));
    } catch (Throwable e) {
      throw unavailable(encrypted, e);
    }
    if (dataKey.length != DATA_KEY_BYTES) {
      throw new KeyUnavailableException(
          encrypted + "the provider unwrapped " + dataKey.length + " bytes, not " + DATA_KEY_BYTES);
    }
    return dataKey;
  }

  private static byte[] answered(byte @Nullable [] key) {
    return Objects.requireNonNull(key, "the provider has returned no key");
  }

  private static KeyUnavailableException unavailable(String what, Throwable cause) {
    if (cause instanceof OutOfMemoryError lacking) {
      throw lacking;
    }
    return new KeyUnavailableException(what + cause.getMessage(), cause);
  }
}
