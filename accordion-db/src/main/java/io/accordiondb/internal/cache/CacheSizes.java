// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

/**
 * The sizes that follow from the capacity of a block cache.
 *
 * @param capacityBytes bytes that slabs and charges may take together
 * @param slabBytes length of most slabs
 * @param blockBytesMax longest block that is accepted, and length of the slabs for blocks that do
 *     not fit other slabs
 */
record CacheSizes(long capacityBytes, int slabBytes, int blockBytesMax) {
  /** Longest block that any cache accepts. */
  static final int BLOCK_BYTES_MAX = 1 << 20;

  /** Bytes of capacity for which there is one bucket and one offer is remembered. */
  private static final int BYTES_PER_PLACE = 4 << 10;

  private static final int SLAB_BYTES_MIN = 32 << 10;

  /** A reader that makes room moves the blocks of a slab together, which takes 20 µs for this. */
  private static final int SLAB_BYTES_MAX = 256 << 10;

  /** Slabs of which a cache of middling size consists. */
  private static final int SLABS = 64;

  CacheSizes {
    if (capacityBytes < 0) {
      throw new IllegalArgumentException(
          "block cache capacity is " + capacityBytes + " bytes, expected 0 or more");
    }
  }

  static CacheSizes of(long capacityBytes) {
    return new CacheSizes(
        capacityBytes,
        clamped(capacityBytes / SLABS, SLAB_BYTES_MAX),
        clamped(capacityBytes / SLABS, BLOCK_BYTES_MAX));
  }

  private static int clamped(long bytes, int max) {
    return (int) Math.max(SLAB_BYTES_MIN, Math.min(max, bytes));
  }

  /** Returns how many buckets there are, and how many offers are remembered: a power of two. */
  int places() {
    long wanted = Math.max(1, Math.min(capacityBytes / BYTES_PER_PLACE, 1 << 24));
    return Integer.highestOneBit((int) wanted);
  }
}
