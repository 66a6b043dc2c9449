// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

/**
 * A codec cannot encode a value, or cannot decode bytes. If a {@link TypedStore} throws it, the
 * message names the store, the key and the codec.
 */
public final class CodecException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message.
   *
   * @param message what is wrong
   */
  public CodecException(String message) {
    super(message);
  }

  /**
   * Same as above, with a cause.
   *
   * @param message what is wrong
   * @param cause the exception of the codec
   */
  public CodecException(String message, Throwable cause) {
    super(message, cause);
  }
}
