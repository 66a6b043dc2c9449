// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.Cell;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Joins the rows of several sources, each of which has other families, into whole rows: families
 * with time ranges of their own are read by scans of their own.
 */
final class MergedRows implements RowSource {
  private static final Comparator<Cell> BY_FAMILY =
      (left, right) -> Arrays.compareUnsigned(left.family(), right.family());

  private final List<RowSource> sources;
  private final boolean reversed;

  /** The next row of each source; null for a source that has ended. */
  private final List<@Nullable List<Cell>> heads = new ArrayList<>();

  private boolean begun;

  /** Creates a source that owns the others. */
  MergedRows(List<RowSource> sources, boolean reversed) {
    this.sources = sources;
    this.reversed = reversed;
  }

  @Override
  public @Nullable List<Cell> next() throws IOException {
    if (!begun) {
      for (RowSource source : sources) {
        heads.add(source.next());
      }
      begun = true;
    }
    byte[] row = nextRow();
    if (row == null) {
      return null;
    }
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < heads.size(); i++) {
      List<Cell> head = heads.get(i);
      if (head != null && Arrays.equals(head.get(0).row(), row)) {
        cells.addAll(head);
        heads.set(i, sources.get(i).next());
      }
    }
    inOrder(cells);
    return cells;
  }

  /** Sorts the cells of a row by family; the order within a family stays. */
  static void inOrder(List<Cell> cells) {
    cells.sort(BY_FAMILY);
  }

  private byte @Nullable [] nextRow() {
    byte[] next = null;
    for (List<Cell> head : heads) {
      if (head != null && (next == null || isBefore(head.get(0).row(), next))) {
        next = head.get(0).row();
      }
    }
    return next;
  }

  private boolean isBefore(byte[] row, byte[] other) {
    int order = Arrays.compareUnsigned(row, other);
    return reversed ? order > 0 : order < 0;
  }

  @Override
  public void skipTo(byte[] row) {
    // Each source has one row ahead; the filter leaves out what is not wanted.
  }

  @Override
  public void close() {
    sources.forEach(RowSource::close);
  }
}
