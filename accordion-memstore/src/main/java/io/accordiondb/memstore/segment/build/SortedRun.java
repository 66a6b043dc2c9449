// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.build;

import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.EncodedCells;
import io.accordiondb.memstore.segment.DistinctSketch;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.SegmentBuilder;
import io.accordiondb.memstore.segment.SegmentCounts;
import io.accordiondb.memstore.segment.SegmentMemory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Builds an immutable segment from many cells at once without a skip list: it sorts the cells and
 * copies them in order. A pure function of its arguments, for one thread.
 */
public final class SortedRun {
  /** A cell in the caller's buffer. Of cells that are otherwise equal the later one comes first. */
  private record Entry(
      long prefix, ByteBuffer cells, int offset, long sequence, BatchFormat format, int number)
      implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int byPrefix = Long.compareUnsigned(prefix, other.prefix);
      if (byPrefix != 0) {
        return byPrefix;
      }
      int byCell =
          CellComparator.compare(
              cells, offset, sequence, other.cells, other.offset, other.sequence);
      return byCell != 0 ? byCell : Integer.compare(other.number, number);
    }

    /** Returns whether the cell is of the same column as the one before it in the order. */
    boolean continuesColumnOf(Entry before) {
      return prefix == before.prefix
          && CellComparator.compareColumns(before.cells, before.offset, cells, offset) == 0;
    }
  }

  private SortedRun() {}

  /**
   * Returns a segment of copies of the cells, with the caller as its holder.
   *
   * @param batches with one cell at least
   * @param sketched whether the segment gets a sketch of its columns
   */
  public static ImmutableSegment copyOf(
      List<EncodedCells> batches, SegmentMemory memory, KeyPrefix keyPrefix, boolean sketched) {
    SegmentBuilder builder = SegmentBuilders.begin(memory, keyPrefix);
    ImmutableSegment segment = null;
    try {
      DistinctSketch sketch = sketched ? new DistinctSketch() : null;
      SegmentCounts counts = new SegmentCounts();
      Entry before = null;
      for (Entry entry : sorted(entries(batches, keyPrefix))) {
        boolean continues = before != null && entry.continuesColumnOf(before);
        if (sketch != null && !continues) {
          sketch.add(entry.cells, entry.offset);
        }
        int length = entry.format.length(entry.cells, entry.offset);
        builder.addCopy(entry.cells, entry.offset, length, entry.sequence, entry.prefix, continues);
        counts.add(entry.cells, entry.offset, length, entry.sequence);
        before = entry;
      }
      segment = builder.build(counts.stats(), sketch);
    } finally {
      if (segment == null) {
        builder.abandon();
      }
    }
    return segment;
  }

  private static Entry[] entries(List<EncodedCells> batches, KeyPrefix keyPrefix) {
    Entry[] entries = new Entry[batches.stream().mapToInt(EncodedCells::count).sum()];
    int number = 0;
    for (EncodedCells batch : batches) {
      ByteBuffer cells = batch.cells();
      BatchFormat format = batch.format();
      int at = batch.offset();
      for (int i = 0; i < batch.count(); i++) {
        long sequence = format.sequence(batch.firstSequence(), i);
        entries[number] = new Entry(keyPrefix.of(cells, at), cells, at, sequence, format, number);
        number++;
        at += format.step(cells, at);
      }
    }
    return entries;
  }

  /**
   * Sorts longs that hold the first bits of the prefix and the number of the entry, then sorts the
   * entries whose bits are equal.
   */
  private static Entry[] sorted(Entry[] entries) {
    int numberBits = Integer.SIZE - Integer.numberOfLeadingZeros(entries.length);
    long number = (1L << numberBits) - 1;
    long[] keys = new long[entries.length];
    for (int i = 0; i < keys.length; i++) {
      // This makes the signed order of the key equal to the unsigned order of the prefix.
      keys[i] = (entries[i].prefix ^ Long.MIN_VALUE) & ~number | i;
    }
    Arrays.sort(keys);
    Entry[] ordered = new Entry[entries.length];
    int tied = 0;
    for (int i = 0; i < keys.length; i++) {
      ordered[i] = entries[(int) (keys[i] & number)];
      if ((keys[i] ^ keys[tied]) >>> numberBits != 0) {
        Arrays.sort(ordered, tied, i);
        tied = i;
      }
    }
    Arrays.sort(ordered, tied, keys.length);
    return ordered;
  }
}
