// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

/**
 * A value that its codec cannot encode, or bytes that it cannot decode. What a {@link TypedStore}
 * throws names the store, the key and the codec.
 */
public final class CodecException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong. */
  public CodecException(String message) {
    super(message);
  }

  /** Same as above, with a cause. */
  public CodecException(String message, Throwable cause) {
    super(message, cause);
  }
}
