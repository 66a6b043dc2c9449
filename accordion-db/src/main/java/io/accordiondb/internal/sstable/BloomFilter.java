// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

/**
 * The arithmetic of a Bloom filter in blocks of one cache line [1]: a key sets all its bits in one
 * line of 64 bytes, so that a query costs one cache miss. Pure functions on payloads.
 *
 * <pre>
 *   payload = { line (64) } probes (1)
 *   line of a hash  = high 32 bits * number of lines / 2^32
 *   bit of a probe  = top 9 bits of (low 32 bits * 0x9E3779B9^i), for the i-th probe, from 1
 * </pre>
 *
 * Bit {@code b} of a line is bit {@code b % 8}, from the least significant, of its byte {@code b /
 * 8}.
 *
 * <p>The filter is part of the file format, so it must not depend on a library's version. Guava's
 * filter would add a dependency of 3 MB and spreads the bits of a key over the whole filter, at one
 * cache miss each.
 *
 * <p>[1] Putze, Sanders, Singler: Cache-, Hash- and Space-Efficient Bloom Filters. WEA 2007.
 */
final class BloomFilter {
  private static final int LINE_BYTES = 64;
  private static final int LINE_BITS = LINE_BYTES * Byte.SIZE;
  private static final int PROBES = 7;
  private static final int PROBES_MAX = 32;
  private static final int PROBE_FACTOR = 0x9E37_79B9;
  private static final int BIT_SHIFT = Integer.SIZE - 9;

  private BloomFilter() {}

  /** Builds the payload that contains the first hashes of an array. */
  static byte[] build(long[] hashes, int count) {
    long bits = (long) count * SortedTableFormat.FILTER_BITS_PER_KEY;
    int lines = Math.max(1, (int) ((bits + LINE_BITS - 1) / LINE_BITS));
    byte[] payload = new byte[lines * LINE_BYTES + 1];
    payload[lines * LINE_BYTES] = PROBES;
    for (int i = 0; i < count; i++) {
      int line = lineOffset(hashes[i], lines);
      int probe = (int) hashes[i];
      for (int k = 0; k < PROBES; k++) {
        probe *= PROBE_FACTOR;
        int bit = probe >>> BIT_SHIFT;
        payload[line + (bit >>> 3)] |= (byte) (1 << (bit & 7));
      }
    }
    return payload;
  }

  /** Returns whether bytes of this length and with this last byte are a payload. */
  static boolean isPayload(byte[] payload, int length) {
    return length > LINE_BYTES
        && length % LINE_BYTES == 1
        && payload[length - 1] > 0
        && payload[length - 1] <= PROBES_MAX;
  }

  /** Returns false if a hash is not in the payload, true if it is and sometimes if it is not. */
  static boolean mayContain(byte[] payload, int length, long hash) {
    int line = lineOffset(hash, length / LINE_BYTES);
    int probe = (int) hash;
    for (int k = payload[length - 1]; k > 0; k--) {
      probe *= PROBE_FACTOR;
      int bit = probe >>> BIT_SHIFT;
      if ((payload[line + (bit >>> 3)] >>> (bit & 7) & 1) == 0) {
        return false;
      }
    }
    return true;
  }

  private static int lineOffset(long hash, int lines) {
    return (int) ((hash >>> 32) * lines >>> 32) * LINE_BYTES;
  }
}
