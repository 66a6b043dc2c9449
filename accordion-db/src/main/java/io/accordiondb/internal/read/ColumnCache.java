// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.encoding.FoundCell;
import io.accordiondb.internal.hash.BytesHash;
import io.accordiondb.internal.metrics.Tallies;
import io.accordiondb.statistics.BlockKind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the newest versions of single columns as sorted tables have them, for all stores of a
 * database, up to a number of bytes. Where a few rows are read often and lie in as many blocks, it
 * keeps many more of them than a cache of blocks does in the same memory. Thread-safe.
 *
 * <p>An entry belongs to one set of sorted tables and is of no use for another, so a flush or a
 * compaction ends its life. It says what the set has, whatever the reader: a reader that does not
 * see all of the set must leave the cache alone.
 *
 * <p>A column is taken when it is asked for the second time within a while. It has four places;
 * there it takes that of another one that was not asked for lately. Where values are long, fewer
 * entries than places fit; then others go, too, those first that were not asked for lately.
 *
 * <p>Not a library's cache: there each look-up would have to make a key, and an entry would be an
 * object more.
 */
public final class ColumnCache {
  /** One byte in so many of what is cached of files goes to single columns. */
  private static final int SHARE = 8;

  /** Fewer bytes than this keep too little to be worth it. */
  private static final int BYTES_MIN = 64 << 10;

  /** Bytes charged for an entry beyond column and value: entry, array, place and marks. */
  private static final int ENTRY_BYTES = 96;

  /** Bytes of an entry for which the cache has one place. */
  private static final int PLACE_BYTES = 256;

  /** Longest value that is kept; a block of about that length does as well. */
  private static final int VALUE_BYTES_MAX = 2048;

  private static final int WAYS = 4;

  /** Entries in use that are passed over, at most, when one is taken and others have to go. */
  private static final int CHANCES_PER_ENTRY = 8;

  /** Columns remembered as asked for, by place. */
  private static final int RECENT_PER_PLACE = 2;

  private final Tallies tallies;
  private final AtomicLong lastSetNumber = new AtomicLong();
  private volatile Places places;

  private static final class Entry {
    private final long setNumber;
    private final byte[] bytes;
    private final int columnLength;
    private final long timestamp;
    private final long sequence;

    /** A hint, written without order. */
    private boolean used;

    Entry(long setNumber, byte[] bytes, int columnLength, long timestamp, long sequence) {
      this.setNumber = setNumber;
      this.bytes = bytes;
      this.columnLength = columnLength;
      this.timestamp = timestamp;
      this.sequence = sequence;
    }

    int chargedBytes() {
      return ENTRY_BYTES + bytes.length;
    }

    boolean isOf(long otherSet, byte[] key, int from, int length) {
      return setNumber == otherSet
          && columnLength == length
          && Arrays.equals(bytes, 0, length, key, from, from + length);
    }
  }

  /** The entries of one capacity. */
  private static final class Places {
    private final long capacityBytes;
    private final int placeMask;
    private final AtomicReferenceArray<@Nullable Entry> entries;

    /** Of each place the hash of its entry; a hint, written without order. */
    private final int[] hashes;

    /** Hashes asked for lately; a hint, written without order. */
    private final int[] recent;

    private final AtomicLong usedBytes = new AtomicLong();
    private final AtomicInteger hand = new AtomicInteger();

    Places(long capacityBytes) {
      this.capacityBytes = capacityBytes;
      long wanted = Math.max(WAYS, Math.min(capacityBytes / PLACE_BYTES, 1 << 26));
      int count = Integer.highestOneBit((int) wanted);
      placeMask = count - 1;
      entries = new AtomicReferenceArray<>(count);
      hashes = new int[count];
      recent = new int[count * RECENT_PER_PLACE];
    }

    @Nullable Entry find(long setNumber, ColumnKey key) {
      int first = firstPlace(key.hash());
      for (int place = first; place < first + WAYS; place++) {
        if (hashes[place] == key.hash()) {
          Entry entry = entries.get(place);
          if (entry != null && entry.isOf(setNumber, key.bytes(), key.from(), key.length())) {
            if (!entry.used) {
              entry.used = true;
            }
            return entry;
          }
        }
      }
      return null;
    }

    /** Returns whether a column was asked for lately; notes that it is now. */
    boolean wasAskedForLately(int hash) {
      int mark = hash >>> 1 & (recent.length - 1);
      boolean was = recent[mark] == hash;
      recent[mark] = hash;
      return was;
    }

    void put(int hash, Entry entry) {
      int place = placeFor(hash, entry);
      Entry old = entries.getAndSet(place, entry);
      hashes[place] = hash;
      long used =
          usedBytes.addAndGet(entry.chargedBytes() - (old == null ? 0 : old.chargedBytes()));
      int chances = CHANCES_PER_ENTRY;
      while (used > capacityBytes) {
        int passed = hand.incrementAndGet() & placeMask;
        Entry there = entries.get(passed);
        if (there != null && there.used && chances > 0) {
          there.used = false;
          chances--;
        } else if (there != null && entries.compareAndSet(passed, there, null)) {
          used = usedBytes.addAndGet(-there.chargedBytes());
        } else {
          used = usedBytes.get();
        }
      }
    }

    /** Returns a place of the same column, or a free one, or the first not used lately. */
    private int placeFor(int hash, Entry entry) {
      int first = firstPlace(hash);
      int chosen = -1;
      for (int place = first; place < first + WAYS; place++) {
        Entry there = entries.get(place);
        if (there == null
            || (hashes[place] == hash
                && there.columnLength == entry.columnLength
                && Arrays.equals(
                    there.bytes, 0, there.columnLength, entry.bytes, 0, entry.columnLength))) {
          return place;
        }
        if (chosen < 0 && !there.used) {
          chosen = place;
        }
      }
      for (int place = first; place < first + WAYS; place++) {
        Entry there = entries.get(place);
        if (there != null && place != chosen) {
          there.used = false;
        }
      }
      return chosen < 0 ? first + (hand.incrementAndGet() & (WAYS - 1)) : chosen;
    }

    private int firstPlace(int hash) {
      return hash & placeMask & -WAYS;
    }
  }

  /** Returns how much of what a database caches of its files is for single columns; may be 0. */
  public static long share(long cacheBytes) {
    long bytes = cacheBytes / SHARE;
    return bytes < BYTES_MIN ? 0 : bytes;
  }

  /** Returns an empty cache that takes at most so many bytes, or null if these are too few. */
  public static @Nullable ColumnCache within(long bytes, Tallies tallies) {
    return bytes < BYTES_MIN ? null : new ColumnCache(bytes, tallies);
  }

  /**
   * Makes an empty cache.
   *
   * @param capacityBytes bytes that entries may take, with their overhead
   * @param tallies count what is looked up
   */
  ColumnCache(long capacityBytes, Tallies tallies) {
    this.tallies = tallies;
    places = new Places(capacityBytes);
  }

  /** Empties the cache, which from now on takes so many bytes at most. */
  public void resize(long capacityBytes) {
    places = new Places(capacityBytes);
  }

  /** Returns a number that no other set of sorted tables has among those that use this cache. */
  public long newSetNumber() {
    return lastSetNumber.incrementAndGet();
  }

  /** Returns the bytes that entries take. */
  public long usedBytes() {
    return places.usedBytes.get();
  }

  /**
   * Looks a column up.
   *
   * @param key the key before all cells of the column, as {@link CellKey#firstOfColumn} makes it
   * @param found takes the cell, if it is there
   * @return whether it is there
   */
  boolean find(long setNumber, ColumnKey key, FoundCell found) {
    Entry entry = places.find(setNumber, key);
    if (entry == null) {
      tallies.mine().countMiss(BlockKind.COLUMN);
      return false;
    }
    tallies.mine().countHit(BlockKind.COLUMN);
    found.set(
        ByteBuffer.wrap(entry.bytes),
        entry.columnLength,
        entry.bytes.length - entry.columnLength,
        entry.timestamp,
        entry.sequence);
    return true;
  }

  /** Takes what a set of sorted tables has of a column, if the column is asked for often enough. */
  void offer(long setNumber, ColumnKey key, FoundCell found) {
    Places target = places;
    if (!target.wasAskedForLately(key.hash()) || found.valueLength() > VALUE_BYTES_MAX) {
      return;
    }
    byte[] bytes = new byte[key.length() + found.valueLength()];
    System.arraycopy(key.bytes(), key.from(), bytes, 0, key.length());
    found.copyValue(bytes, key.length());
    target.put(
        key.hash(), new Entry(setNumber, bytes, key.length(), found.timestamp(), found.sequence()));
  }

  /**
   * A column to look up: the bytes of a key from its row length to the end of its qualifier.
   *
   * @param bytes that hold it
   * @param from where it begins
   * @param length its length in bytes
   * @param hash of it
   */
  record ColumnKey(byte[] bytes, int from, int length, int hash) {
    static ColumnKey of(byte[] bytes, int from, int length) {
      return new ColumnKey(bytes, from, length, BytesHash.of(bytes, from, length));
    }
  }
}
