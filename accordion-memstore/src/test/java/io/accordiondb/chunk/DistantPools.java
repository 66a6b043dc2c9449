// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

/** Pools that lie where others come to only when they own very much memory. */
public final class DistantPools {
  /** What references of four-byte units reach over. */
  private static final long FOUR_BYTE_REACH = 4L << Integer.SIZE;

  private static final int CHUNKS_BELOW = 4;

  private DistantPools() {}

  /**
   * Returns a pool of small chunks with the alignment of a cap. Its first few chunks lie below the
   * 16 GiB that four-byte alignment reaches, and all others above.
   *
   * @param capBytes more than 16 GiB
   */
  public static ChunkPool across(long capBytes) {
    int chunkBytes = ChunkPool.CHUNK_BYTES_MIN;
    int firstNumber = (int) (FOUR_BYTE_REACH / chunkBytes) - CHUNKS_BELOW;
    return new ChunkPool(chunkBytes, capBytes, firstNumber);
  }
}
