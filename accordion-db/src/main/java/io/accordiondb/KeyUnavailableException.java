// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import org.jspecify.annotations.Nullable;

/**
 * A file is or must be encrypted, and its key is not available: there is no {@link KeyProvider}, it
 * does not have the key, it has another key of that name, or it fails. Nothing was changed, unless
 * a repair had begun, which can be repeated. A file whose key is missing is never treated as
 * damaged.
 */
public final class KeyUnavailableException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that says what is missing.
   *
   * @param message which key is missing, and for which file
   */
  public KeyUnavailableException(String message) {
    super(message);
  }

  /**
   * Same as above, with a cause.
   *
   * @param message which key is missing, and for which file
   * @param cause why the key could not be obtained
   */
  public KeyUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
