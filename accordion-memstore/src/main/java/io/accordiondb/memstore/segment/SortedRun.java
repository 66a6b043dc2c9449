// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.cell.CellComparator;
import io.accordiondb.chunk.Arena;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Makes an immutable segment of one large insertion, without a skip list on the way. */
public final class SortedRun {
  private SortedRun() {}

  /**
   * Returns a segment of copies of the cells, with the caller as its holder; null when their keys
   * do not ascend strictly.
   *
   * @param count number of cells, at least 1
   * @param firstSequence sequence number of the first
   * @param sketched whether the segment gets a sketch of its columns
   */
  public static @Nullable ImmutableSegment copyOf(
      ByteBuffer cells,
      int offset,
      int count,
      long firstSequence,
      CellRun run,
      SegmentMemory memory,
      KeyPrefix keyPrefix,
      boolean sketched) {
    if (!ascends(cells, offset, count, run)) {
      return null;
    }
    SegmentBuilder builder = SegmentBuilder.create(memory, keyPrefix);
    Arena arena = memory.newArena();
    builder.share(arena);
    arena.release();
    ImmutableSegment segment = null;
    try {
      DistinctSketch sketch = sketched ? new DistinctSketch() : null;
      SegmentCounts counts = new SegmentCounts();
      int at = offset;
      int before = -1;
      for (int i = 0; i < count; i++) {
        int length = run.length(cells, at);
        long sequence = run.sequence(firstSequence, i);
        boolean continues =
            before >= 0 && CellComparator.compareColumns(cells, before, cells, at) == 0;
        if (sketch != null && !continues) {
          sketch.add(cells, at);
        }
        int reference = arena.allocate(CellRecord.bytes(length));
        CellRecord.write(
            arena.buffer(reference), arena.position(reference), cells, at, length, sequence);
        builder.addRecord(reference, keyPrefix.of(cells, at), continues);
        counts.add(cells, at, length, sequence);
        before = at;
        at += run.step(cells, at);
      }
      segment = builder.build(counts.stats(), sketch);
    } finally {
      if (segment == null) {
        builder.abandon();
      }
    }
    return segment;
  }

  private static boolean ascends(ByteBuffer cells, int offset, int count, CellRun run) {
    int before = offset;
    for (int i = 1; i < count; i++) {
      int at = before + run.step(cells, before);
      if (CellComparator.compareKeys(cells, before, cells, at) >= 0) {
        return false;
      }
      before = at;
    }
    return true;
  }
}
