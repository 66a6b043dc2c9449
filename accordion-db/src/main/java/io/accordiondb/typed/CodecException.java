// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

/**
 * A codec cannot encode a value, or cannot decode bytes. If a {@link TypedStore} throws it, the
 * message names the store, the key and the codec.
 */
public final class CodecException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * Says what is wrong.
   *
   * @param message the message
   */
  public CodecException(String message) {
    super(message);
  }

  /**
   * Same as above, with a cause.
   *
   * @param message the message
   * @param cause the cause
   */
  public CodecException(String message, Throwable cause) {
    super(message, cause);
  }
}
