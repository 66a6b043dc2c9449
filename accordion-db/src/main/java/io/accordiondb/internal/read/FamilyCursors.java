// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.MergingCursor;
import io.accordiondb.memstore.MemStoreView;
import io.accordiondb.retention.DeletedRanges;
import io.accordiondb.retention.OperandMerge;
import java.util.ArrayList;
import java.util.List;

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
   * @param ranged whether {@link DeadRows} are skipped
   */
  static MergingCursor open(
      RegionReader.Selection selection,
      ReadOptions options,
      List<CellSource> segments,
      List<CellSource> tables,
      boolean downwards,
      boolean ranged) {
    List<CellCursor> opened = new ArrayList<>();
    boolean done = false;
    try {
      StoreView view = selection.view();
      DeletedRanges deleted =
          ranged ? view.deleted().and(view.deadRows().forReader(selection.rows())) : view.deleted();
      LiveCells.Opener live = new LiveCells.Opener(deleted, options.readPoint(), selection.rows());
      add(view.memory(), live, segments, tables, downwards, opened);
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
      MemStoreView memory,
      LiveCells.Opener live,
      List<CellSource> segments,
      List<CellSource> tables,
      boolean downwards,
      List<CellCursor> target) {
    if (downwards || !live.deleted().isEmpty()) {
      for (CellSource segment : segments) {
        target.add(live.open(segment, memory::noteDeletedCells));
      }
    } else if (!segments.isEmpty()) {
      target.add(memory.cursor(segments));
    }
    for (CellSource table : tables) {
      LiveCells.add(target, live.open(table, cells -> {}));
    }
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
