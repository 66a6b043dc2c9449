// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.flat;

import io.accordiondb.chunk.Arena;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.chunk.ReferenceCount;
import io.accordiondb.chunk.SharedMemory;
import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.memstore.segment.CellRecord;
import io.accordiondb.memstore.segment.ColumnCursor;
import io.accordiondb.memstore.segment.DistinctSketch;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.SegmentStats;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An immutable segment with a serialised index: sorted entries of key prefix and reference in index
 * chunks, no object per cell (sections 3.1 and 3.4 of the paper).
 *
 * <p>It owns the arena of its index chunks, fence pointers and a filter, and holds the memory of
 * its cells, which it may share with the segments it was made from. Immutable and thread-safe.
 */
public final class FlatSegment implements ImmutableSegment {
  /** One part in this many of the rows at either end need not fit: one odd row makes no rule. */
  private static final int OUTLIERS_SHARE = 64;

  private final ChunkPool pool;
  private final KeyPrefix keyPrefix;
  private final Arena indexArena;
  private final List<SharedMemory> cellMemory;
  private final ByteBuffer[] index;
  private final FencePointers fences;
  private final int entriesPerChunk;
  private final int size;
  private final long columns;
  private final long firstPrefix;
  private final long lastPrefix;
  private final @Nullable PrefixFilter filter;
  private final @Nullable DistinctSketch sketch;
  private final SegmentStats stats;
  private final long heldBytes;
  private final long indexBytes;
  private final ReferenceCount holders = new ReferenceCount();

  FlatSegment(
      ChunkPool pool,
      MemoryAccount account,
      KeyPrefix keyPrefix,
      Arena indexArena,
      List<SharedMemory> cellMemory,
      ByteBuffer[] index,
      int entriesPerChunk,
      int size,
      long columns,
      @Nullable PrefixFilter filter,
      @Nullable DistinctSketch sketch,
      SegmentStats stats) {
    this.pool = pool;
    this.keyPrefix = keyPrefix;
    this.indexArena = indexArena;
    this.cellMemory = cellMemory;
    this.index = index;
    this.entriesPerChunk = entriesPerChunk;
    this.size = size;
    this.columns = columns;
    this.fences = new FencePointers(account, index, entriesPerChunk, size);
    this.filter = filter;
    this.sketch = sketch;
    this.stats = stats;
    // These arenas do not grow any more. After the fences are charged, nothing may fail.
    indexBytes = indexArena.bytes() + fences.bytes();
    long held = indexBytes;
    for (int i = 0; i < cellMemory.size(); i++) {
      held += cellMemory.get(i).bytes();
    }
    this.heldBytes = held;
    this.firstPrefix = prefix(0);
    this.lastPrefix = prefix(size - 1);
    if (filter != null) {
      fill(filter);
    }
  }

  private void fill(PrefixFilter filter) {
    long last = ~firstPrefix;
    int left = size;
    for (ByteBuffer chunk : index) {
      int bytes = Math.min(left, entriesPerChunk) * FlatIndexLayout.ENTRY_BYTES;
      for (int at = 0; at < bytes; at += FlatIndexLayout.ENTRY_BYTES) {
        long prefix = FlatIndexLayout.prefix(chunk, at);
        if (prefix != last) {
          filter.add(prefix);
          last = prefix;
        }
      }
      left -= entriesPerChunk;
    }
  }

  /** Returns the map by which the prefixes of the index were computed. */
  KeyPrefix keyPrefix() {
    return keyPrefix;
  }

  @Override
  public List<SharedMemory> cellMemory() {
    return cellMemory;
  }

  @Override
  public long columnCount() {
    return columns;
  }

  @Override
  public @Nullable DistinctSketch sketch() {
    return sketch;
  }

  /** Returns the pool in which the references of the index are resolved. */
  ChunkPool pool() {
    return pool;
  }

  /** Returns the number of entries. */
  int size() {
    return size;
  }

  /** Returns the number of entries in each chunk of the index but the last. */
  int entriesPerChunk() {
    return entriesPerChunk;
  }

  /** Returns a chunk of the index, by its number from 0 on. */
  ByteBuffer indexChunk(int number) {
    return index[number];
  }

  @Override
  public KeyPrefix fittingPrefix() {
    int first = reference(size / OUTLIERS_SHARE);
    int last = reference(size - 1 - size / OUTLIERS_SHARE);
    return KeyPrefix.between(
        pool.buffer(first),
        CellRecord.cellOffset(pool.position(first)),
        pool.buffer(last),
        CellRecord.cellOffset(pool.position(last)));
  }

  /** Returns the number of entries before a key with the highest sequence number. */
  int countBefore(ByteBuffer key, int keyOffset) {
    return countBefore(KeyPrefix.shortened(keyPrefix.of(key, keyOffset)), key, keyOffset);
  }

  /**
   * Returns the number of entries before a key with the highest sequence number.
   *
   * @param guess a number to try first, less than {@link #size}
   */
  int countBefore(ByteBuffer key, int keyOffset, int guess) {
    long prefix = KeyPrefix.shortened(keyPrefix.of(key, keyOffset));
    boolean isRight =
        !isBefore(guess, prefix, key, keyOffset)
            && (guess == 0 || isBefore(guess - 1, prefix, key, keyOffset));
    return isRight ? guess : countBefore(prefix, key, keyOffset);
  }

  private boolean isBefore(int entry, long prefix, ByteBuffer key, int keyOffset) {
    int order = Long.compareUnsigned(prefix(entry), prefix);
    return order != 0 ? order < 0 : isBefore(entry, key, keyOffset);
  }

  private int countBefore(long prefix, ByteBuffer key, int keyOffset) {
    int low = countBelow(prefix);
    if (low == size || prefix(low) != prefix) {
      return low;
    }
    // The lowest bit of a prefix is free.
    int high = countBelow(prefix + 1);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBefore(middle, key, keyOffset)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the number of entries whose prefix is lower than a prefix. */
  private int countBelow(long prefix) {
    int fencesBelow = fences.countBelow(prefix);
    if (fencesBelow == 0) {
      return 0;
    }
    int first = (fencesBelow - 1) * FencePointers.STEP;
    ByteBuffer chunk = index[first / entriesPerChunk];
    int start = first % entriesPerChunk * FlatIndexLayout.ENTRY_BYTES;
    // The entry at the fence is below the prefix, the one at the next fence is not.
    int below = 1;
    int left = Math.min(FencePointers.STEP, size - first) - 1;
    while (left > 0) {
      int half = (left + 1) >>> 1;
      int at = start + (below + half - 1) * FlatIndexLayout.ENTRY_BYTES;
      below += Long.compareUnsigned(FlatIndexLayout.prefix(chunk, at), prefix) < 0 ? half : 0;
      left -= half;
    }
    return first + below;
  }

  private boolean isBefore(int entry, ByteBuffer key, int keyOffset) {
    int reference = reference(entry);
    ByteBuffer buffer = pool.buffer(reference);
    int cell = CellRecord.cellOffset(pool.position(reference));
    // An equal key comes after: the key sought has the highest sequence number.
    return CellComparator.compareKeys(buffer, cell, key, keyOffset) < 0;
  }

  /** Returns the prefix of an entry. Entries of one row have the same. */
  long prefix(int entry) {
    return FlatIndexLayout.prefix(
        index[entry / entriesPerChunk], entry % entriesPerChunk * FlatIndexLayout.ENTRY_BYTES);
  }

  private int reference(int entry) {
    return FlatIndexLayout.reference(
        index[entry / entriesPerChunk], entry % entriesPerChunk * FlatIndexLayout.ENTRY_BYTES);
  }

  @Override
  public long heldBytes() {
    return heldBytes;
  }

  @Override
  public long heapBytes() {
    long bytes = indexArena.heapBytes() + fences.bytes();
    for (int i = 0; i < cellMemory.size(); i++) {
      bytes += cellMemory.get(i).heapBytes();
    }
    return bytes;
  }

  @Override
  public long indexBytes() {
    return indexBytes;
  }

  @Override
  public ColumnCursor cursor() {
    return new FlatCursor(this);
  }

  @Override
  public boolean find(ByteBuffer key, int keyOffset, long readPoint, FoundCell found) {
    long prefix = KeyPrefix.shortened(keyPrefix.of(key, keyOffset));
    if (Long.compareUnsigned(prefix, firstPrefix) < 0
        || Long.compareUnsigned(prefix, lastPrefix) > 0
        || (filter != null && !filter.mayContain(prefix))) {
      return false;
    }
    int first = countBelow(prefix);
    if (first + 1 < size && prefix(first + 1) == prefix) {
      first = countBefore(prefix, key, keyOffset);
    }
    for (int entry = first; entry < size && prefix(entry) == prefix; entry++) {
      int reference = reference(entry);
      ByteBuffer buffer = pool.buffer(reference);
      int position = pool.position(reference);
      int cell = CellRecord.cellOffset(position);
      if (CellComparator.compareColumns(buffer, cell, key, keyOffset) != 0) {
        return false;
      }
      long sequence = CellRecord.sequence(buffer, position);
      if (sequence <= readPoint) {
        found.set(buffer, cell, sequence, CellRecord.hasTags(buffer, position));
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean mayContainRow(ByteBuffer key, int keyOffset) {
    long prefix = KeyPrefix.shortened(keyPrefix.of(key, keyOffset));
    int first = Long.compareUnsigned(prefix, firstPrefix);
    int last = Long.compareUnsigned(prefix, lastPrefix);
    return first >= 0
        && last <= 0
        && (first > 0 || compareRow(0, key, keyOffset) <= 0)
        && (last < 0 || compareRow(size - 1, key, keyOffset) >= 0)
        && (filter == null || filter.mayContain(prefix));
  }

  /** Compares the row of an entry with that of a key. */
  int compareRow(int entry, ByteBuffer key, int keyOffset) {
    int reference = reference(entry);
    return CellComparator.compareRows(
        pool.buffer(reference), CellRecord.cellOffset(pool.position(reference)), key, keyOffset);
  }

  @Override
  public SegmentStats stats() {
    return stats;
  }

  @Override
  public void retain() {
    holders.retain();
  }

  @Override
  public void release() {
    if (holders.release()) {
      indexArena.release();
      fences.giveBack();
      for (int i = 0; i < cellMemory.size(); i++) {
        cellMemory.get(i).release();
      }
    }
  }
}
