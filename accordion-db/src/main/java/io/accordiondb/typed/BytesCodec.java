// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.util.Objects;

/** Bytes as they are. */
final class BytesCodec implements KeyCodec<byte[]> {
  @Override
  public byte[] encode(byte[] value) {
    return Objects.requireNonNull(value, "value");
  }

  @Override
  public byte[] decode(byte[] bytes) {
    return Objects.requireNonNull(bytes, "bytes");
  }

  @Override
  public String toString() {
    return "bytes";
  }
}
