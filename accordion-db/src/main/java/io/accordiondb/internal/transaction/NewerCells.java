// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transaction;

import io.accordiondb.TransactionConflictException;
import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.read.CellKey;
import io.accordiondb.internal.read.StoreView;
import io.accordiondb.retention.DeletedRanges;
import java.io.IOException;
import java.util.List;
import java.util.NavigableSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cells and range tombstones above a sequence number in a view of a store. It reads only memory
 * segments and sorted tables that have such cells. Must not be used after the view is closed.
 */
final class NewerCells {
  private static final byte[] NO_END = {};

  private final String table;
  private final long sequence;
  private final DeletedRanges deleted;
  private final List<CellSource> sources;

  /**
   * Searches nothing yet.
   *
   * @param table the name of the table, for exceptions
   * @param sequence cells and tombstones up to this sequence number do not count
   */
  NewerCells(String table, StoreView view, long sequence) {
    this.table = table;
    this.sequence = sequence;
    this.deleted = view.deleted();
    this.sources =
        Stream.concat(view.memory().sources().stream(), view.tables().stream())
            .filter(source -> source.maxSequence() > sequence)
            .toList();
  }

  /** Returns whether there are none. */
  boolean isEmpty() {
    return sources.isEmpty() && deleted.maxSequence() <= sequence;
  }

  /**
   * Checks that rows have none.
   *
   * @throws TransactionConflictException if any row has
   */
  void checkRows(NavigableSet<byte[]> rows) throws IOException {
    for (byte[] row : rows) {
      checkDeleted(row, CellKey.rowAfter(row));
    }
    for (CellSource source : sources) {
      try (CellCursor cursor = source.cursor()) {
        for (byte[] row : rows) {
          CellKey key = CellKey.firstOfRow(row);
          if (source.mayContainRow(key.buffer(), 0)) {
            check(cursor, key, CellKey.rowAfter(row));
          }
        }
      }
    }
  }

  /**
   * Checks that ranges have none.
   *
   * @throws TransactionConflictException if a row of any range has
   */
  void checkRanges(List<RowRangeRead> ranges) throws IOException {
    for (RowRangeRead range : ranges) {
      checkDeleted(range.first(), range.end());
    }
    for (CellSource source : sources) {
      try (CellCursor cursor = source.cursor()) {
        for (RowRangeRead range : ranges) {
          check(cursor, CellKey.firstOfRow(range.first()), range.end());
        }
      }
    }
  }

  private void checkDeleted(byte[] first, byte @Nullable [] end)
      throws TransactionConflictException {
    if (deleted.touch(first, end == null ? NO_END : end, sequence)) {
      throw new TransactionConflictException(table, first);
    }
  }

  private void check(CellCursor cursor, CellKey key, byte @Nullable [] end) throws IOException {
    boolean stands = cursor.seek(key.buffer(), 0);
    while (stands && isBefore(cursor, end)) {
      if (cursor.sequenceNumber() > sequence) {
        throw new TransactionConflictException(
            table, KeyValueLayout.row(cursor.buffer(), cursor.offset()));
      }
      stands = cursor.next();
    }
  }

  private static boolean isBefore(CellCursor cursor, byte @Nullable [] end) {
    return end == null || CellComparator.compareRow(cursor.buffer(), cursor.offset(), end) < 0;
  }
}
