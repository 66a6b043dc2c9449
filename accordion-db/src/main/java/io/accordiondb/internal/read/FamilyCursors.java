// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.MergingCursor;
import io.accordiondb.memstore.MemStoreView;
import io.accordiondb.retention.DeletedRanges;
import io.accordiondb.retention.OperandMerge;
import io.accordiondb.retention.RangeTombstones;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens the cursors of one family's reader. If anything fails, it leaves none of them open: an open
 * cursor keeps a table from being closed and deleted. Stateless.
 */
final class FamilyCursors {
  private FamilyCursors() {}

  /**
   * Returns a cursor over the cells of a family that is on no cell.
   *
   * @param segments the segments of memory to read
   * @param tables the sorted tables to read
   * @param downwards whether each segment is a source of its own
   * @param deadRun told of cells passed in {@link DeadRows}, which are skipped; null if they are
   *     not
   */
  static MergingCursor open(
      RegionReader.Selection selection,
      ReadOptions options,
      List<CellSource> segments,
      List<CellSource> tables,
      boolean downwards,
      @Nullable DeadRun deadRun) {
    List<CellCursor> opened = new ArrayList<>();
    boolean done = false;
    try {
      add(selection, options.readPoint(), segments, tables, downwards, deadRun, opened);
      long readPoint = options.readPoint();
      PendingView.Rows pending = selection.pending();
      if (pending != null) {
        opened.replaceAll(committed -> new SnapshotCursor(committed, options.readPoint()));
        opened.add(pending.cursor());
        readPoint = Long.MAX_VALUE;
      }
      MergingCursor merged =
          folding(new MergingCursor(opened), selection, readPoint, options.nowMillis());
      done = true;
      return merged;
    } finally {
      if (!done) {
        LiveCells.closeAll(opened);
      }
    }
  }

  private static void add(
      RegionReader.Selection selection,
      long readPoint,
      List<CellSource> segments,
      List<CellSource> tables,
      boolean downwards,
      @Nullable DeadRun deadRun,
      List<CellCursor> target) {
    StoreView view = selection.view();
    MemStoreView memory = view.memory();
    DeletedRanges deleted = view.deleted();
    IntConsumer passed = memory::noteDeletedCells;
    if (deadRun != null) {
      RangeTombstones dead = view.deadRows().forReader(selection.rows());
      deleted = deleted.and(dead);
      passed = dead.isEmpty() ? passed : cells -> deadRun.passedAgain();
    }
    LiveCells.Opener live = new LiveCells.Opener(deleted, readPoint, selection.rows());
    if (downwards || deleteAny(deleted, segments)) {
      for (CellSource segment : segments) {
        target.add(live.open(segment, passed));
      }
    } else if (!segments.isEmpty()) {
      target.add(memory.cursor(segments));
    }
    for (CellSource table : tables) {
      LiveCells.add(target, live.open(table, cells -> {}));
    }
  }

  private static boolean deleteAny(DeletedRanges deleted, List<CellSource> sources) {
    for (CellSource source : sources) {
      if (deleted.maxSequence() > source.minSequence()) {
        return true;
      }
    }
    return false;
  }

  /** Returns a cursor that folds operands of merges, if the family has an operator. */
  private static MergingCursor folding(
      MergingCursor merged, RegionReader.Selection selection, long readPoint, long nowMillis) {
    StoreView view = selection.view();
    OperandMerge merge = view.merge();
    return merge == null
        ? merged
        : new MergingCursor(
            List.of(
                new FoldedCells(
                    merged, view, merge, selection.qualifiers(), readPoint, nowMillis)));
  }
}
