// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Keeps blocks that were read, up to a number of bytes, for all tables of a database. Thread-safe.
 *
 * <p>The roots of indices and filters stay with their tables, and so do their other blocks as long
 * as these take no more than half of the capacity. All of it is charged.
 *
 * <p>A table takes an identity of its own from the cache when it is opened, so that file names and
 * numbers may be used again. Upkeep runs on the threads that use the cache; it has none of its own.
 */
public final class BlockCache {
  /** Bytes of capacity for which one offered block is remembered: the length of most blocks. */
  private static final int BYTES_PER_OFFER = 4 << 10;

  private final long capacityBytes;
  private final @Nullable Cache<Key, Block> blocks;
  private final AtomicLong lastTableId = new AtomicLong();
  private final AtomicLong pinnedBytes = new AtomicLong();

  /** Bytes of blocks held, until they are as many as the capacity; again after a table has gone. */
  private final AtomicLong filledBytes = new AtomicLong();

  /** Hashes of blocks offered lately; hints, written without order. */
  private final int[] offered;

  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  private record Key(long tableId, long offset) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && tableId == key.tableId && offset == key.offset;
    }

    @Override
    public int hashCode() {
      long mixed = (tableId * 0x9E37_79B9_7F4A_7C15L + offset) * 0xC2B2_AE3D_27D4_EB4FL;
      return (int) (mixed >>> 32);
    }
  }

  /**
   * Makes an empty cache.
   *
   * @param capacityBytes bytes that blocks may take, with the memory of the entries; 0 turns the
   *     cache off
   */
  public BlockCache(long capacityBytes) {
    if (capacityBytes < 0) {
      throw new IllegalArgumentException(
          "block cache capacity is " + capacityBytes + " bytes, expected 0 or more");
    }
    this.capacityBytes = capacityBytes;
    long places = Math.max(1, Math.min(capacityBytes / BYTES_PER_OFFER, 1 << 24));
    offered = new int[Integer.highestOneBit((int) places)];
    blocks =
        capacityBytes == 0
            ? null
            : Caffeine.newBuilder()
                .maximumWeight(capacityBytes)
                .weigher((Key key, Block block) -> block.chargedBytes())
                .executor(Runnable::run)
                .build();
  }

  /**
   * Charges bytes that stay as long as a table is open, so that there is less room for blocks;
   * negative to give them back.
   */
  void charge(long bytes) {
    if (blocks != null) {
      // Together, or of two threads the one that is overtaken would set a maximum that is too high.
      synchronized (pinnedBytes) {
        long pinned = pinnedBytes.addAndGet(bytes);
        blocks.policy().eviction().orElseThrow().setMaximum(Math.max(0, capacityBytes - pinned));
      }
    }
  }

  /**
   * Charges bytes of a block that a table may keep or not, if that leaves half of the capacity to
   * other blocks; returns whether it did.
   */
  boolean tryCharge(long bytes) {
    if (blocks == null || pinnedBytes.get() + bytes > capacityBytes / 2) {
      return false;
    }
    charge(bytes);
    return true;
  }

  /** Counts a block that was there without being asked for. */
  void countHit() {
    hits.increment();
  }

  /** Takes bytes away from blocks for good, for another use; returns them. */
  public long reserve(long bytes) {
    charge(bytes);
    return bytes;
  }

  /** Returns what the cache has done and what it holds. */
  public BlockCacheStats stats() {
    long usedBytes = blockBytes() + pinnedBytes.get();
    return new BlockCacheStats(hits.sum(), misses.sum(), usedBytes, capacityBytes);
  }

  /** Returns the bytes of the blocks held. */
  private long blockBytes() {
    if (blocks == null) {
      return 0;
    }
    blocks.cleanUp();
    return blocks.policy().eviction().orElseThrow().weightedSize().orElseThrow();
  }

  /** Returns a number that no other table of this cache has. */
  long newTableId() {
    return lastTableId.incrementAndGet();
  }

  /** Returns the block of a table at a file offset, or null if it is not held. */
  @Nullable Block get(long tableId, long offset) {
    Block block = blocks == null ? null : blocks.getIfPresent(new Key(tableId, offset));
    (block == null ? misses : hits).increment();
    return block;
  }

  /** Takes a block, which may push out others or be dropped at once. */
  void put(long tableId, long offset, Block block) {
    if (blocks != null) {
      blocks.put(new Key(tableId, offset), block);
    }
  }

  /**
   * Takes a data block if there is room, or if it was offered lately: what is read once and never
   * again would push out others, and taking a block is not for nothing either.
   */
  void offer(long tableId, long offset, Block block) {
    if (filledBytes.get() >= capacityBytes) {
      int hash = new Key(tableId, offset).hashCode();
      int place = hash & offered.length - 1;
      if (offered[place] != hash) {
        offered[place] = hash;
        return;
      }
    } else {
      filledBytes.addAndGet(block.chargedBytes());
    }
    put(tableId, offset, block);
  }

  /** Drops a block. */
  void remove(long tableId, long offset) {
    if (blocks != null) {
      blocks.invalidate(new Key(tableId, offset));
    }
  }

  /** Drops all blocks of a table; takes time in proportion to the blocks held of all tables. */
  void dropTable(long tableId) {
    if (blocks != null) {
      blocks.asMap().keySet().removeIf(key -> key.tableId == tableId);
      filledBytes.set(blockBytes());
    }
  }
}
