// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transaction;

import io.accordiondb.Bound;
import io.accordiondb.Scan;
import io.accordiondb.internal.read.CellKey;
import io.accordiondb.internal.table.RowBounds;
import org.jspecify.annotations.Nullable;

/** The range of rows that a scan has passed so far. Belongs to one thread. */
final class RowRangeRead {
  private final Scan scan;
  private boolean begun;

  /** The row that the scan has reached; null for its end. */
  private byte @Nullable [] reached;

  /** Creates a range without rows. */
  RowRangeRead(Scan scan) {
    // Copy the scan and its rows, because the caller may reuse them.
    this.scan =
        new Scan()
            .setStartRow(scan.startRow().clone(), boundOf(scan.startInclusive()))
            .setStopRow(scan.stopRow().clone(), boundOf(scan.stopInclusive()))
            .setReversed(scan.reversed());
  }

  private static Bound boundOf(boolean inclusive) {
    return inclusive ? Bound.INCLUSIVE : Bound.EXCLUSIVE;
  }

  /** Extends the range to a row, inclusive, or to the end of the scan if that is null. */
  void extendTo(byte @Nullable [] row) {
    begun = true;
    // The application gets the array, too, and may change it.
    reached = row == null ? null : row.clone();
  }

  /** Returns whether the scan has passed no row. */
  boolean isEmpty() {
    return !begun;
  }

  /** Returns the first row of the range; empty for the beginning of the table. */
  byte[] first() {
    if (!scan.reversed()) {
      return RowBounds.lowest(scan.startRow(), scan.startInclusive());
    }
    return reached != null ? reached : RowBounds.lowest(scan.stopRow(), scan.stopInclusive());
  }

  /** Returns the row before which the range ends; null for the end of the table. */
  byte @Nullable [] end() {
    if (scan.reversed()) {
      return RowBounds.limit(scan.startRow(), scan.startInclusive());
    }
    return reached != null
        ? CellKey.rowAfter(reached)
        : RowBounds.limit(scan.stopRow(), scan.stopInclusive());
  }
}
