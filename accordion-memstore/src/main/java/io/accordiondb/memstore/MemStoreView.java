// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.Segment;
import io.accordiondb.memstore.segment.merge.PrefetchingMergeCursor;
import io.accordiondb.retention.DeletedRanges;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The segments of a memory store at one moment, for one reader. They stay in memory until the view
 * is closed. The reader itself must skip cells above its sequence number.
 *
 * <p>Cursors of the sources must not be used after {@link #close}.
 */
public final class MemStoreView implements AutoCloseable {
  private static final VarHandle CLOSED = closedHandle();

  private final SegmentList segments;
  private final KeyPrefix keyPrefix;
  private final DeadCells deadCells;

  /**
   * Set by {@link #CLOSED} alone. A field, not an AtomicBoolean: each read of a store makes one.
   */
  @SuppressWarnings("unused")
  private boolean closed;

  MemStoreView(SegmentList segments, KeyPrefix keyPrefix, DeadCells deadCells) {
    this.segments = segments;
    this.keyPrefix = keyPrefix;
    this.deadCells = deadCells;
  }

  private static VarHandle closedHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(MemStoreView.class, "closed", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** {@return the segments, newest first; among them empty ones} */
  public List<? extends CellSource> sources() {
    return segments.all();
  }

  /** {@return the range tombstones in memory} */
  public DeletedRanges deletedRanges() {
    return DeletedRanges.NONE.and(segments.ranges()).and(segments.snapshotRanges());
  }

  /**
   * {@return a cursor over all cells of some of the segments in one sorted sequence, standing on
   * none}
   *
   * @param wanted some of the {@link #sources}
   */
  public CellCursor cursor(Collection<? extends CellSource> wanted) {
    return new PrefetchingMergeCursor(chosen(wanted), keyPrefix);
  }

  /**
   * Reports that the reader has passed many cells, one after another, that have nothing to show by
   * themselves: rows without a visible cell, or operands of one column. A compaction in memory may
   * drop or combine them.
   */
  public void noteDeadCells() {
    deadCells.passed();
  }

  /**
   * Reports that the reader has passed many cells, one after another, that range tombstones cover.
   * A compaction in memory may drop them.
   *
   * @param cells the number of cells
   */
  public void noteDeletedCells(int cells) {
    deadCells.passedDeleted(cells);
  }

  private List<Segment> chosen(Collection<? extends CellSource> wanted) {
    List<Segment> all = segments.all();
    if (wanted.size() == all.size()) {
      return all;
    }
    List<Segment> chosen = new ArrayList<>(all);
    chosen.retainAll(wanted);
    return chosen;
  }

  /** Releases the segments. Idempotent. */
  @Override
  public void close() {
    if (!(boolean) CLOSED.getAndSet(this, true)) {
      segments.release();
    }
  }
}
