// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.encoding.EncodedCells;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.memstore.segment.Segment;
import io.accordiondb.memstore.segment.SegmentMemory;
import io.accordiondb.memstore.segment.active.ObjectSegment;
import io.accordiondb.memstore.segment.active.SkipListSegment;
import io.accordiondb.memstore.segment.build.SortedRun;
import io.accordiondb.retention.RangeTombstones;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Creates the segments of one memory store in the form that its options specify. Thread-safe. */
final class SegmentFactory {
  /** Fewer cells than this are not worth a segment of their own. */
  static final int SEGMENT_CELLS_MIN = 1024;

  /**
   * The first segment is sealed at this many bytes of cells, because it shows what rows have in
   * common. With their sequence numbers, cells of 70 bytes or more take less than 512 KiB of
   * chunks.
   */
  private static final long FIRST_SEAL_BYTES = 448 << 10;

  private final MemStoreEnvironment environment;
  private final MemoryAccount account;
  private final Supplier<MemStoreOptions> options;
  private final CommonPrefix keyPrefix;

  SegmentFactory(
      MemStoreEnvironment environment,
      MemoryAccount account,
      Supplier<MemStoreOptions> options,
      CommonPrefix keyPrefix) {
    this.environment = environment;
    this.account = account;
    this.options = options;
    this.keyPrefix = keyPrefix;
  }

  /** Returns where new segments are and in what form. */
  SegmentMemory memory() {
    return new SegmentMemory(environment.pool(), account, options.get().layout());
  }

  /** Returns a list without cells, that takes writes. */
  SegmentList emptyList() {
    return listWithout(newActive(0));
  }

  /**
   * Returns a list without cells for a store that is closed: it needs no memory. Its segment is of
   * the kind that its options ask for: as long as one kind alone is loaded, HotSpot calls it
   * directly, and the first segment of another kind throws away whatever was compiled with such
   * calls.
   */
  SegmentList closedList() {
    return listWithout(
        holdsObjects(options.get())
            ? new ObjectSegment(account, 0)
            : new SkipListSegment(memory(), KeyPrefix.UNANCHORED, 0));
  }

  private static boolean holdsObjects(MemStoreOptions options) {
    return options.policy().kind() == Policy.NONE || options.layout().cells() == CellMemory.OBJECTS;
  }

  private static SegmentList listWithout(MutableSegment active) {
    return holding(
        active,
        new SegmentList(active, List.of(), List.of(), RangeTombstones.NONE, RangeTombstones.NONE));
  }

  /** Returns a list with a new active segment in front of a pipeline. */
  SegmentList withNewActive(SegmentList old, List<Segment> pipeline) {
    MutableSegment active = newActive(SegmentList.heldBytes(pipeline));
    return holding(active, old.with(active, pipeline));
  }

  /**
   * Returns a list whose snapshot consists of the active segment, if it has cells, and the pipeline
   * of another list, which has no snapshot.
   */
  SegmentList withSnapshot(SegmentList old) {
    List<Segment> taken = new ArrayList<>(old.pipeline());
    MutableSegment active = old.active();
    boolean takesActive = active.cellCount() > 0;
    if (takesActive) {
      taken.add(0, active);
      active = newActive(0);
    }
    SegmentList list =
        new SegmentList(active, List.of(), taken, RangeTombstones.NONE, old.ranges());
    return takesActive ? holding(active, list) : list;
  }

  /** Releases the caller's hold on a new segment, which the list then holds alone. */
  private static SegmentList holding(MutableSegment active, SegmentList list) {
    active.release();
    return list;
  }

  /**
   * Creates an active segment. If the store has grown beyond its share, A is a fraction of its
   * size.
   */
  private MutableSegment newActive(long pipelineBytes) {
    MemStoreOptions options = this.options.get();
    if (options.policy().kind() == Policy.NONE) {
      return new ObjectSegment(account, Long.MAX_VALUE);
    }
    long sealBytes = options.activeSealBytes(pipelineBytes);
    if (options.layout().cells() == CellMemory.OBJECTS) {
      return new ObjectSegment(account, sealBytes);
    }
    KeyPrefix known = keyPrefix.known();
    return known == null
        ? new SkipListSegment(memory(), KeyPrefix.UNANCHORED, Math.min(sealBytes, FIRST_SEAL_BYTES))
        : new SkipListSegment(memory(), known, sealBytes);
  }

  /**
   * Returns a segment of the cells of a large insertion; null if there are too few cells, or if
   * policy or layout do not allow it.
   */
  @Nullable ImmutableSegment segmentOf(List<EncodedCells> batches, long bytesMin) {
    MemStoreOptions options = this.options.get();
    long cells = 0;
    long bytes = 0;
    for (EncodedCells batch : batches) {
      cells += batch.count();
      bytes += (long) batch.count() * KeyValueLayout.length(batch.cells(), batch.offset());
    }
    if (cells < SEGMENT_CELLS_MIN || bytes < bytesMin || holdsObjects(options)) {
      return null;
    }
    boolean sketched = options.policy().kind() == Policy.AUTO;
    return SortedRun.copyOf(batches, memory(), keyPrefix.get(), sketched);
  }
}
