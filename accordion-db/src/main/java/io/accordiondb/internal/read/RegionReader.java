// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.Cell;
import io.accordiondb.encoding.CellType;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of one region from the requested families: one row by {@link #get}, or many in either
 * direction by {@link #seek}, {@link #seekBefore} and {@link #nextRow}. Belongs to one thread; owns
 * the views that it reads.
 */
public final class RegionReader implements Closeable {
  /**
   * One family to read.
   *
   * @param view the store
   * @param qualifiers the columns wanted, ascending; null for all
   * @param pending cells that this reader alone sees, beside those up to its read point, or null
   * @param rows the rows that are wanted; the reader may leave out others
   */
  public record Selection(
      StoreView view,
      byte @Nullable [][] qualifiers,
      PendingView.@Nullable Rows pending,
      RowRange rows) {}

  private static final byte[] NO_ROW = {};

  private final List<Selection> selections;
  private final ReadOptions options;
  private final List<FamilyReader> families = new ArrayList<>();

  /** Whether any family has pending cells, which may be removed. */
  private boolean anyPending;

  /** With pending cells, the row from which an upward scan continues. */
  private byte[] upwardFrom = {};

  /** The bound from which a reversed scan continues: only rows before it remain. */
  private @Nullable CellKey reverseLimit;

  /** Creates a reader that returns the cells of the families in the given order. */
  public RegionReader(List<Selection> selections, ReadOptions options) {
    this.selections = selections;
    this.options = options;
  }

  /** Returns the visible cells of a row; empty when there are none. */
  public List<Cell> get(byte[] row) throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (Selection selection : selections) {
      if (!getByPoints(selection, row, cells)) {
        CellKey key = CellKey.firstOfRow(row);
        try (FamilyReader family = new FamilyReader(selection, options, false, key)) {
          if (family.seek(row) && family.compareRow(row) == 0) {
            family.readRow(row, cells);
          }
        }
      }
    }
    return cells;
  }

  private boolean getByPoints(Selection selection, byte[] row, List<Cell> cells)
      throws IOException {
    byte[][] qualifiers = selection.qualifiers();
    if (qualifiers == null || !options.wantsNewestOnly() || selection.pending() != null) {
      return false;
    }
    int before = cells.size();
    StoreView view = selection.view();
    // The result keeps neither the arrays of the get nor those of the store.
    byte[] ownRow = row.clone();
    byte[] family = view.family().clone();
    try (PointReader reader = PointReader.take()) {
      for (byte[] qualifier : qualifiers) {
        switch (reader.find(
            view, row, qualifier, options.readPoint(), options.nowMillis(), options.fillCache())) {
          case MUST_MERGE -> {
            cells.subList(before, cells.size()).clear();
            return false;
          }
          case FOUND ->
              cells.add(
                  new Cell(
                      ownRow,
                      family,
                      qualifier.clone(),
                      reader.timestamp(),
                      CellType.PUT,
                      reader.value()));
          case ABSENT -> {}
        }
      }
    }
    return true;
  }

  /** Moves to the first row at or after a row, and walks upwards from there. */
  public void seek(byte[] row) throws IOException {
    if (families.isEmpty() || reverseLimit != null) {
      reopenFamilies(false);
      reverseLimit = null;
    }
    upwardFrom = row;
    for (FamilyReader family : families) {
      family.seek(row);
    }
  }

  /**
   * Moves to the last row before a row, or to the last row of all if that is null, and walks
   * downwards from there.
   */
  public void seekBefore(byte @Nullable [] limit) throws IOException {
    reopenFamilies(true);
    for (FamilyReader family : families) {
      family.startBefore(limit == null ? NO_ROW : limit);
    }
    reverseLimit = limit == null ? CellKey.END : CellKey.firstOfRow(limit);
  }

  /**
   * Moves to where the scan continues after pending cells have been removed: the reader may stand
   * on one of them, or have left out a row that one of them had deleted.
   */
  public void seekAgain() throws IOException {
    if (!anyPending) {
      return;
    }
    reopenFamilies(reverseLimit != null);
    if (reverseLimit == null) {
      seek(upwardFrom);
    }
  }

  private void reopenFamilies(boolean downwards) throws IOException {
    closeFamilies();
    families.clear();
    openFamilies(downwards);
  }

  private void closeFamilies() {
    for (int i = 0; i < families.size(); i++) {
      families.get(i).close();
    }
  }

  private void openFamilies(boolean downwards) throws IOException {
    for (Selection selection : selections) {
      anyPending |= selection.pending() != null;
      FamilyReader family = new FamilyReader(selection, options, downwards, null);
      boolean added = false;
      try {
        added = families.add(family);
      } finally {
        if (!added) {
          family.close();
        }
      }
    }
  }

  /**
   * Returns the next row that has a cell, in the direction of the scan, or null at the end; {@link
   * #read} then gives its visible cells.
   */
  public byte @Nullable [] nextRow() throws IOException {
    return reverseLimit == null ? nextRowUp() : nextRowDown(reverseLimit);
  }

  private byte @Nullable [] nextRowUp() {
    byte[] next = null;
    for (FamilyReader family : families) {
      if (next == null || family.compareRow(next) < 0) {
        next = family.currentRow();
      }
    }
    if (anyPending && next != null) {
      upwardFrom = CellKey.rowAfter(next);
    }
    return next;
  }

  private byte @Nullable [] nextRowDown(CellKey limit) throws IOException {
    byte[] next = null;
    for (FamilyReader family : families) {
      byte[] row = family.lastRowBefore(limit);
      if (next == null || (row != null && Arrays.compareUnsigned(row, next) > 0)) {
        next = row;
      }
    }
    if (next != null) {
      CellKey first = CellKey.firstOfRow(next);
      reverseLimit = first;
      for (FamilyReader family : families) {
        family.enterRow(next, first);
      }
    }
    return next;
  }

  /** Adds the visible cells of the row that {@link #nextRow} has returned, and leaves it. */
  public void read(byte[] row, List<Cell> target) throws IOException {
    boolean only = families.size() == 1;
    for (FamilyReader family : families) {
      if (only || family.compareRow(row) == 0) {
        // One family may return the row to the caller, who may change it, and another one keep it.
        family.readRow(only ? row : row.clone(), target);
      }
    }
  }

  /**
   * Returns the visible value of the column without a name in the row that {@link #nextRow} has
   * returned, and leaves the row; null if there is none. For a reader of one family.
   */
  public byte @Nullable [] readValue(byte[] row) throws IOException {
    if (!findValue(row)) {
      return null;
    }
    byte[] value = families.get(0).value();
    leaveRow(row);
    return value;
  }

  /**
   * Same as {@link #readValue}, without copying: returns whether there is a value, and stays on it.
   */
  public boolean findValue(byte[] row) throws IOException {
    return families.get(0).findValue(row);
  }

  /** Returns a view of the value found, until the reader moves. */
  public ByteBuffer valueView() {
    return families.get(0).valueView();
  }

  /** Leaves a row whose value was found. A downward walk need not call this. */
  public void leaveRow(byte[] row) throws IOException {
    if (reverseLimit == null) {
      families.get(0).leaveRow(row);
    }
  }

  /** Allocates nothing, because memory that a view holds would never be freed. */
  @Override
  public void close() throws IOException {
    closeFamilies();
    for (int i = 0; i < selections.size(); i++) {
      selections.get(i).view().close();
    }
  }
}
