// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Hashes bytes eight at a time, for hash tables in memory. The hash is part of no format and may
 * change.
 */
public final class BytesHash {
  private static final long PRIME_1 = 0x9E37_79B1_85EB_CA87L;
  private static final long PRIME_2 = 0xC2B2_AE3D_27D4_EB4FL;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private BytesHash() {}

  /** Returns the hash of a range of bytes. */
  public static int of(byte[] bytes, int from, int length) {
    long hash = length * PRIME_2;
    int at = from;
    int end = from + length;
    for (; end - at >= Long.BYTES; at += Long.BYTES) {
      hash = Long.rotateLeft(hash ^ (long) LONG.get(bytes, at) * PRIME_2, 31) * PRIME_1;
    }
    for (; at < end; at++) {
      hash = (hash ^ (bytes[at] & 0xFF)) * PRIME_1;
    }
    hash = (hash ^ hash >>> 33) * PRIME_2;
    return (int) (hash ^ hash >>> 32);
  }
}
