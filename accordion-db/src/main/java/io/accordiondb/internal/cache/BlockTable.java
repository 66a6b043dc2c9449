// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A hash table of cached blocks, by file and offset. Any thread may search it; only the holder of
 * the cache's lock may change it.
 */
final class BlockTable {
  private final AtomicReferenceArray<@Nullable CachedBlock> buckets;

  /**
   * Creates an empty table.
   *
   * @param size number of chains; a power of two
   */
  BlockTable(int size) {
    buckets = new AtomicReferenceArray<>(size);
  }

  /** Returns a block, or null; it may be evicted at any time. */
  @Nullable CachedBlock find(CachedFile file, long offset) {
    CachedBlock block = buckets.getAcquire(bucketOf(file.hashOf(offset)));
    while (block != null && !block.isOf(file, offset)) {
      block = block.next();
    }
    return block;
  }

  void add(CachedBlock block) {
    int bucket = bucketOf(block.hash());
    block.setNext(buckets.get(bucket));
    buckets.set(bucket, block);
  }

  void remove(CachedBlock block) {
    int bucket = bucketOf(block.hash());
    CachedBlock before = buckets.get(bucket);
    if (before == block) {
      buckets.set(bucket, block.next());
    } else {
      while (before != null && before.next() != block) {
        before = before.next();
      }
      if (before != null) {
        before.setNext(block.next());
      }
    }
  }

  private int bucketOf(int hash) {
    return hash & buckets.length() - 1;
  }
}
