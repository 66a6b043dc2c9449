// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.retention.VisibilityFilter.Verdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sorted cells, serialised once, that filters are let loose on. */
public final class FilteredCells {
  private final List<ModelCell> cells;
  private final ByteBuffer buffer;
  private final int[] offsets;

  /** Sorts and serialises cells. */
  public FilteredCells(Collection<ModelCell> unsorted) {
    cells = unsorted.stream().sorted().toList();
    buffer = ModelCell.encode(cells);
    offsets = new int[cells.size()];
    for (int i = 1; i < offsets.length; i++) {
      offsets[i] = offsets[i - 1] + cells.get(i - 1).length();
    }
  }

  /** Returns the cells in order. */
  public List<ModelCell> cells() {
    return cells;
  }

  /** Returns what a compaction leaves. */
  public FilteredCells compacted(RetentionFilter filter) {
    List<ModelCell> kept = new ArrayList<>();
    for (int i = 0; i < offsets.length; i++) {
      if (filter.keeps(buffer, offsets[i], cells.get(i).length(), cells.get(i).sequence())) {
        kept.add(cells.get(i));
      }
    }
    return new FilteredCells(kept);
  }

  /**
   * Returns what a reader sees, who skips as much as the verdicts allow: after {@link
   * Verdict#SKIP_COLUMN} all of the column but the markers of the family.
   */
  public List<ModelCell> read(VersionRules rules, ReadRequest request) {
    return read(rules, null, request, false);
  }

  /**
   * Does what {@link #read(VersionRules, ReadRequest)} does.
   *
   * @param expiry says of single puts that they have expired; null for none
   * @param tellsRows whether the test announces to the filter where rows begin
   */
  List<ModelCell> read(
      VersionRules rules, @Nullable CellExpiry expiry, ReadRequest request, boolean tellsRows) {
    boolean expire = expiry != null || cells.stream().anyMatch(ModelCell::hasTtl);
    VisibilityFilter filter = request.filter(rules, expiry);
    List<ModelCell> seen = new ArrayList<>();
    ModelCell skipping = null;
    for (int i = 0; i < offsets.length; i++) {
      ModelCell cell = cells.get(i);
      if (skipping != null && cell.sameColumn(skipping) && !isFamilyMarker(cell)) {
        continue;
      }
      boolean first = i == 0 || !cell.row().equals(cells.get(i - 1).row());
      if (tellsRows && first) {
        filter.startRow();
      }
      boolean shown = first && !expire && filter.showsFirst(buffer, offsets[i], cell.sequence());
      Verdict verdict =
          expire
              ? filter.judge(buffer, offsets[i], cell.length(), cell.sequence())
              : filter.judge(buffer, offsets[i], cell.sequence());
      if (shown && verdict != Verdict.INCLUDE) {
        throw new AssertionError("the first cell of a row is shown for certain, yet " + verdict);
      }
      switch (verdict) {
        case INCLUDE -> seen.add(cell);
        case SKIP -> {}
        case SKIP_COLUMN -> skipping = cell;
      }
    }
    return seen;
  }

  /** Returns what a raw scan returns. */
  List<ModelCell> readRaw(ReadRequest request) {
    RawFilter filter =
        new RawFilter(
            request.readPoint(),
            request.versionsMax(),
            request.minTimestamp(),
            request.maxTimestamp());
    List<ModelCell> returned = new ArrayList<>();
    for (int i = 0; i < offsets.length; i++) {
      ModelCell cell = cells.get(i);
      if (filter.returns(buffer, offsets[i], cell.sequence())) {
        returned.add(cell);
      }
    }
    return returned;
  }

  static boolean isFamilyMarker(ModelCell cell) {
    return cell.type() == CellType.DELETE_FAMILY || cell.type() == CellType.DELETE_FAMILY_VERSION;
  }
}
