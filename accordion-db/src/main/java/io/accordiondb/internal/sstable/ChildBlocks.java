// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.statistics.BlockKind;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The blocks to which the entries of an index point: leaves of the index, or blocks of the filter.
 * Thread-safe.
 *
 * <p>Every get needs such blocks. So blocks that were read stay here, where the block cache cannot
 * evict them, and are charged to the cache, as long as it has room for reserved bytes. The others
 * are read through the cache.
 */
final class ChildBlocks {
  private final IndexBlock parent;
  private final BlockInput input;
  private final boolean areIndex;
  private final AtomicReferenceArray<Block> kept;

  /**
   * Creates an object for the children of a block.
   *
   * @param areIndex whether they are index blocks
   */
  ChildBlocks(IndexBlock parent, BlockInput input, boolean areIndex) {
    this.parent = parent;
    this.input = input;
    this.areIndex = areIndex;
    kept = new AtomicReferenceArray<>(parent.count());
  }

  /** Returns the bytes that a cache charges for the parent and the places of its children. */
  int chargedBytes() {
    return parent.chargedBytes() + parent.count() * Integer.BYTES;
  }

  private BlockKind kind() {
    return areIndex ? BlockKind.INDEX : BlockKind.FILTER;
  }

  /** Returns the block that an entry of the parent names. */
  Block get(int entry) throws IOException {
    Block block = kept.get(entry);
    if (block != null) {
      input.countHit(kind());
      return block;
    }
    BlockHandle handle = parent.handle(entry);
    Block read = input.readMeta(kind(), handle);
    block = areIndex ? new IndexBlock(read) : read;
    if (input.tryKeep(handle, block) && !kept.compareAndSet(entry, null, block)) {
      input.letGo(block);
    }
    return block;
  }

  /** Releases the blocks that stay here; those that are read again may stay if there is room. */
  void letGo() {
    for (int entry = 0; entry < kept.length(); entry++) {
      Block block = kept.getAndSet(entry, null);
      if (block != null) {
        input.letGo(block);
      }
    }
  }

  /** Returns the index block that an entry of the parent names. */
  IndexBlock index(int entry) throws IOException {
    return (IndexBlock) get(entry);
  }
}
