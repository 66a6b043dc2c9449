// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Provides the keys under which a database is encrypted at rest. Each file has a data key of its
 * own, which is stored in the file, wrapped by a key of this provider. A key management service can
 * be a provider without revealing its keys. Implementations must be thread-safe. An unchecked
 * exception counts as an {@link IOException}.
 *
 * <p>{@link KeyProviders} has providers that read keys from a file or from the environment.
 *
 * @see DatabaseOptions.Builder#encryption
 */
public interface KeyProvider {
  /** Longest name of a key, in bytes of UTF-8. */
  int KEY_ID_BYTES_MAX = 255;

  /** Longest wrapped data key, in bytes. */
  int WRAPPED_BYTES_MAX = 2048;

  /**
   * {@return the name of the key for new files; null if new files are plain, while encrypted ones
   * can still be read} It may change while a database is open.
   */
  @Nullable String currentKeyId();

  /**
   * Wraps a data key. Called once for each file that is created.
   *
   * @param keyId the name of the key to wrap it with
   * @param dataKey the key to wrap, 32 bytes; a copy, which the provider may wipe
   * @return at most {@link #WRAPPED_BYTES_MAX} bytes
   * @throws KeyUnavailableException if there is no such key
   * @throws IOException if the key cannot be used now. Then a flush or a compaction is tried again
   *     later, and a log that needs another file suspends writes ({@link WritesSuspendedException})
   */
  byte[] wrap(String keyId, byte[] dataKey) throws IOException;

  /**
   * {@return the data key that was wrapped} Called once for each file that is opened.
   *
   * @param keyId the name of the key that wrapped it
   * @param wrapped the wrapped data key
   * @throws KeyUnavailableException if there is no such key, or it did not wrap these bytes
   * @throws IOException if the key cannot be used now; callers of the database get a {@link
   *     KeyUnavailableException}
   */
  byte[] unwrap(String keyId, byte[] wrapped) throws IOException;
}
