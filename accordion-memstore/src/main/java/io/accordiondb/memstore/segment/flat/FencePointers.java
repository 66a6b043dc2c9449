// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.flat;

import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.chunk.MemoryKind;
import java.nio.ByteBuffer;

/**
 * An array of every {@link #STEP}th key prefix of a serialised index. A search looks first at
 * these, which stay in the processor's cache, and then at one step of the index. Immutable once
 * filled.
 */
final class FencePointers {
  /** Entries of the index from one fence to the next; divides the entries of a chunk. */
  static final int STEP = 32;

  private static final int ARRAY_HEADER_BYTES = 16;

  private final MemoryAccount account;

  /** The prefixes with the highest bit flipped, so that they compare as signed numbers. */
  private final long[] fences;

  /** Reads the fences of an index of {@code size} entries, at least 1. */
  FencePointers(MemoryAccount account, ByteBuffer[] index, int entriesPerChunk, int size) {
    this.account = account;
    this.fences = new long[(size - 1) / STEP + 1];
    account.charge(MemoryKind.HEAP, bytes());
    int perChunk = entriesPerChunk / STEP;
    for (int i = 0; i < fences.length; i++) {
      int position = i % perChunk * STEP * FlatIndexLayout.ENTRY_BYTES;
      fences[i] = FlatIndexLayout.prefix(index[i / perChunk], position) ^ Long.MIN_VALUE;
    }
  }

  /** Returns the number of fences whose prefix is lower than a prefix. */
  int countBelow(long prefix) {
    long sought = prefix ^ Long.MIN_VALUE;
    long[] sorted = fences;
    int below = 0;
    int left = sorted.length;
    // No branch depends on a key, because the processor could not predict it.
    while (left > 1) {
      int half = left >>> 1;
      below += sorted[below + half - 1] < sought ? half : 0;
      left -= half;
    }
    return sorted[below] < sought ? below + 1 : below;
  }

  /** Returns the bytes of heap that the fences take. */
  long bytes() {
    return ARRAY_HEADER_BYTES + (long) fences.length * Long.BYTES;
  }

  /** Frees the memory. No search may follow. */
  void giveBack() {
    account.credit(MemoryKind.HEAP, bytes());
  }
}
