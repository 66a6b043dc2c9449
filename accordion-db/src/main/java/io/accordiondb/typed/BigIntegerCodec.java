// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Integers of any size: four bytes, then the shortest two's complement. The four bytes hold its
 * length, negated for a negative value, with the sign bit flipped. So longer positive values come
 * later and longer negative values earlier.
 */
final class BigIntegerCodec implements KeyCodec<BigInteger> {
  private static final int HEADER_BYTES = Integer.BYTES;

  @Override
  public byte[] encode(BigInteger value) {
    byte[] complement = Objects.requireNonNull(value, "value").toByteArray();
    int header = value.signum() < 0 ? -complement.length : complement.length;
    return ByteBuffer.allocate(HEADER_BYTES + complement.length)
        .putInt(header ^ Integer.MIN_VALUE)
        .put(complement)
        .array();
  }

  @Override
  public BigInteger decode(byte[] bytes) {
    int length = bytes.length - HEADER_BYTES;
    if (length < 1) {
      throw new CodecException("expected 5 bytes or more, got " + bytes.length);
    }
    int header = ByteBuffer.wrap(bytes).getInt() ^ Integer.MIN_VALUE;
    BigInteger value = new BigInteger(bytes, HEADER_BYTES, length);
    boolean isShortest = value.bitLength() / Byte.SIZE + 1 == length;
    if (header != (value.signum() < 0 ? -length : length) || !isShortest) {
      throw new CodecException("the length is not that of the integer");
    }
    return value;
  }

  @Override
  public String toString() {
    return "big integer";
  }
}
