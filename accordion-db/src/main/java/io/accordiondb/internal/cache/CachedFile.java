// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

/**
 * The identity of a file in a {@link BlockCache}. It is unique, while names and numbers of files
 * may be used again. {@link BlockCache#newFile} creates it.
 */
public final class CachedFile {
  private static final long PRIME_1 = 0x9E37_79B9_7F4A_7C15L;
  private static final long PRIME_2 = 0xC2B2_AE3D_27D4_EB4FL;

  private final long seed;

  /** Bytes charged for the file's blocks. Read and written under the cache's lock. */
  private long heldBytes;

  /** Whether the file's blocks are no longer needed. Read and written under the cache's lock. */
  private boolean isDropped;

  CachedFile(long number) {
    seed = number * PRIME_1;
  }

  /** Returns a hash of one of the file's blocks. */
  int hashOf(long offset) {
    return (int) ((seed + offset) * PRIME_2 >>> Integer.SIZE);
  }

  long heldBytes() {
    return heldBytes;
  }

  void addHeld(long bytes) {
    heldBytes += bytes;
  }

  boolean isDropped() {
    return isDropped;
  }

  void drop() {
    isDropped = true;
  }
}
