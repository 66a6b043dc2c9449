// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.internal.hash.BytesHash;
import io.accordiondb.internal.metrics.Tallies;
import io.accordiondb.statistics.BlockKind;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches the newest versions of single columns in sorted tables, for all stores of a database, up
 * to a number of bytes. If the rows that are read often are spread over many blocks, it holds many
 * more of them than the block cache does in the same memory. Thread-safe.
 *
 * <p>An entry is valid for one set of sorted tables, so a flush or a compaction invalidates it. It
 * describes the whole set: a reader that does not see all cells of the set must not use the cache.
 *
 * <p>A column enters the cache when it is read for the second time within a short period. Entries
 * are outside the heap, in a {@link ColumnRing}: on the heap the collector would copy each entry,
 * because entries outlive its young generation.
 */
public final class ColumnCache {
  private static final Logger LOG = LoggerFactory.getLogger(ColumnCache.class);

  /** One byte in this many of the cache of files is used for single columns. */
  private static final int SHARE = 8;

  /** A smaller cache of columns would not pay. */
  private static final int BYTES_MIN = 64 << 10;

  private final Tallies tallies;
  private final IntFunction<@Nullable ByteBuffer> memory;
  private final AtomicLong lastSetNumber = new AtomicLong();

  @GuardedBy("this")
  private long capacityBytes;

  /** Null until a column is offered: a database that is only written needs no index on the heap. */
  private volatile @Nullable ColumnRing ring;

  /** Returns how many bytes of the cache of files are used for single columns; may be 0. */
  public static long share(long cacheBytes) {
    long bytes = cacheBytes / SHARE;
    return bytes < BYTES_MIN ? 0 : bytes;
  }

  /**
   * Returns an empty cache of at most that many bytes, or null if that is too small.
   *
   * @param memory allocates direct memory of a length, or returns null if there is none
   */
  public static @Nullable ColumnCache within(
      long bytes, Tallies tallies, IntFunction<@Nullable ByteBuffer> memory) {
    return bytes < BYTES_MIN ? null : new ColumnCache(bytes, tallies, memory);
  }

  /**
   * Creates an empty cache.
   *
   * @param capacityBytes bytes that entries may take, with their overhead
   * @param tallies count what is looked up
   * @param memory allocates direct memory of a length, or returns null if there is none
   */
  ColumnCache(long capacityBytes, Tallies tallies, IntFunction<@Nullable ByteBuffer> memory) {
    this.tallies = tallies;
    this.memory = memory;
    this.capacityBytes = capacityBytes;
  }

  /** Empties the cache and limits it to the given number of bytes. */
  public synchronized void resize(long newCapacityBytes) {
    capacityBytes = newCapacityBytes;
    ring = null;
  }

  /** Returns a number for a set of sorted tables that no other set has in this cache. */
  public long newSetNumber() {
    return lastSetNumber.incrementAndGet();
  }

  /** Returns the bytes that entries take. */
  public long usedBytes() {
    ColumnRing current = ring;
    return current == null ? 0 : current.usedBytes();
  }

  /**
   * Looks a column up.
   *
   * @param key the key before all cells of the column, as {@link CellKey#firstOfColumn} makes it
   * @param found receives the cell if there is one
   * @return whether the cache has the column
   */
  boolean find(long setNumber, ColumnKey key, FoundCell found) {
    ColumnRing current = ring;
    boolean isThere = current != null && current.find(setNumber, key, found);
    if (isThere) {
      tallies.mine().countHit(BlockKind.COLUMN);
    } else {
      tallies.mine().countMiss(BlockKind.COLUMN);
    }
    return isThere;
  }

  /**
   * Offers the newest version of a column in a set of sorted tables. The cache keeps it if the
   * column is read often enough.
   */
  void offer(long setNumber, ColumnKey key, FoundCell found) {
    ColumnRing current = ring;
    if (current == null) {
      current = firstRing();
    }
    if (current != null) {
      current.offer(setNumber, key, found);
    }
  }

  /**
   * Makes the index. If there is no memory for it, which must not fail a read, the next call tries
   * one of half the size.
   */
  private synchronized @Nullable ColumnRing firstRing() {
    if (ring == null) {
      try {
        ring = new ColumnRing(capacityBytes, memory);
      } catch (OutOfMemoryError e) {
        capacityBytes /= 2;
        LOG.warn("no memory for the index of single columns; their cache is halved", e);
      }
    }
    return ring;
  }

  /**
   * A column to look up: the bytes of a key from its row length to the end of its qualifier.
   * Belongs to one thread.
   */
  static final class ColumnKey {
    private static final byte[] NONE = {};

    private byte[] bytes = NONE;
    private int from;
    private int length;
    private int hash;

    /** Sets this to a part of an array, which is not copied. */
    void set(byte[] newBytes, int newFrom, int newLength) {
      bytes = newBytes;
      from = newFrom;
      length = newLength;
      hash = BytesHash.of(newBytes, newFrom, newLength);
    }

    byte[] bytes() {
      return bytes;
    }

    int from() {
      return from;
    }

    int length() {
      return length;
    }

    int hash() {
      return hash;
    }
  }
}
