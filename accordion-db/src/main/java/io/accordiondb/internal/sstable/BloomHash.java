// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;

/**
 * The 64-bit hash that filters use: the algorithm of xxHash64 [1] for inputs below 32 bytes,
 * applied to inputs of any length, with words read big-endian. Part of the file format.
 *
 * <p>The xxHash64 of lz4-java, which compresses the blocks, reads words little-endian and uses
 * another algorithm for longer inputs, so filters in existing files would no longer match.
 *
 * <p>[1] Yann Collet: xxHash fast digest algorithm, version 0.1.1, section "XXH64".
 */
final class BloomHash {
  private static final long PRIME_1 = 0x9E37_79B1_85EB_CA87L;
  private static final long PRIME_2 = 0xC2B2_AE3D_27D4_EB4FL;
  private static final long PRIME_3 = 0x1656_67B1_9E37_79F9L;
  private static final long PRIME_4 = 0x85EB_CA77_C2B2_AE63L;
  private static final long PRIME_5 = 0x27D4_EB2F_1656_67C5L;

  private BloomHash() {}

  /** Returns the hash of a cell's row: of its length (2) and its bytes. */
  static long ofRow(ByteBuffer cell, int offset) {
    return hash(
        cell,
        KeyValueLayout.keyOffset(offset),
        Short.BYTES + KeyValueLayout.rowLength(cell, offset));
  }

  /** Returns the hash of a cell's column: of its key up to the end of the qualifier. */
  static long ofColumn(ByteBuffer cell, int offset) {
    int at = KeyValueLayout.keyOffset(offset);
    int end =
        KeyValueLayout.qualifierOffset(cell, offset) + KeyValueLayout.qualifierLength(cell, offset);
    return hash(cell, at, end - at);
  }

  /** Returns the hash of a range of bytes. */
  static long hash(ByteBuffer bytes, int offset, int length) {
    long hash = PRIME_5 + length;
    int at = offset;
    int end = offset + length;
    for (; end - at >= Long.BYTES; at += Long.BYTES) {
      long word = Long.rotateLeft(bytes.getLong(at) * PRIME_2, 31) * PRIME_1;
      hash = Long.rotateLeft(hash ^ word, 27) * PRIME_1 + PRIME_4;
    }
    if (end - at >= Integer.BYTES) {
      long word = (bytes.getInt(at) & 0xFFFF_FFFFL) * PRIME_1;
      hash = Long.rotateLeft(hash ^ word, 23) * PRIME_2 + PRIME_3;
      at += Integer.BYTES;
    }
    for (; at < end; at++) {
      hash = Long.rotateLeft(hash ^ (bytes.get(at) & 0xFF) * PRIME_5, 11) * PRIME_1;
    }
    hash = (hash ^ hash >>> 33) * PRIME_2;
    hash = (hash ^ hash >>> 29) * PRIME_3;
    return hash ^ hash >>> 32;
  }
}
