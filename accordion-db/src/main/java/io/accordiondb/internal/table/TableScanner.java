// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Cell;
import io.accordiondb.Filter;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Returns the rows of a scan as results. Belongs to one thread. */
final class TableScanner implements ResultScanner {
  private final RowScanner rows;
  private final @Nullable Filter filter;
  private final int batch;

  /**
   * Results of the current row that are still to be returned: the one that an iterator has looked
   * ahead to, and others if the row has more than one.
   */
  private final Deque<Result> pending = new ArrayDeque<>();

  /** The cells of the current row. */
  private final List<Cell> rowCells = new ArrayList<>();

  private long rowsLeft;

  TableScanner(RowScanner rows, Scan scan) {
    this.rows = rows;
    this.filter = scan.filter();
    this.batch = scan.batch();
    this.rowsLeft = scan.limit();
  }

  @Override
  public @Nullable Result next() throws IOException {
    rows.check();
    Result found = pending.poll();
    try {
      while (found == null && rowsLeft > 0) {
        byte[] row = rows.nextRow();
        if (row == null) {
          rowsLeft = 0;
        } else {
          found = read(row);
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      rows.fail(e);
      throw e;
    }
    return found;
  }

  /** Returns the first result of a row; null if the scan selects nothing of it. */
  private @Nullable Result read(byte[] row) throws IOException {
    List<Cell> cells = rowCells;
    cells.clear();
    // Reading moves the scanner, so rows that are then left out must be read as well.
    rows.read(row, cells);
    if (!cells.isEmpty() && filter != null) {
      cells = filter.mayKeepRow(row) ? filter.keep(cells) : List.of();
    }
    if (cells.isEmpty()) {
      return null;
    }
    rowsLeft--;
    if (cells.size() == 1) {
      return new Result(List.of(cells.get(0)));
    }
    if (cells.size() <= batch) {
      return new Result(cells);
    }
    for (int from = 0; from < cells.size(); from += batch) {
      int to = (int) Math.min(cells.size(), (long) from + batch);
      pending.add(new Result(cells.subList(from, to)));
    }
    return pending.poll();
  }

  @Override
  public Iterator<Result> iterator() {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        Result ahead = nextUnchecked();
        if (ahead != null) {
          pending.addFirst(ahead);
        }
        return ahead != null;
      }

      @Override
      public Result next() {
        Result next = nextUnchecked();
        if (next == null) {
          throw new NoSuchElementException();
        }
        return next;
      }
    };
  }

  private @Nullable Result nextUnchecked() {
    try {
      return next();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      rows.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
