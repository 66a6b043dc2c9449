// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import org.jspecify.annotations.Nullable;

/**
 * A file is encrypted and the key for it is not at hand: there is no {@link KeyProvider}, it does
 * not have the key, or its key is another one. Nothing was changed. Files that cannot be deciphered
 * are never taken for damaged ones.
 */
public final class KeyUnavailableException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** Tells what is missing. */
  public KeyUnavailableException(String message) {
    super(message);
  }

  /** Tells what is missing, and why. */
  public KeyUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
