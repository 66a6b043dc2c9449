// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.Cell;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.RowCursor;
import io.accordiondb.Scan;
import io.accordiondb.Table;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads rows with one scan of the database. */
final class EngineRows {
  private EngineRows() {}

  /**
   * Begins a scan.
   *
   * @param seeks whether {@link RowSource#skipTo} is worth a seek; scans downwards do not seek
   */
  static RowSource open(Table table, Scan scan, boolean seeks) throws IOException {
    return seeks && !scan.reversed()
        ? new Seeking(table.cursor(scan))
        : new Sequential(table.scan(scan));
  }

  private static final class Sequential implements RowSource {
    private final ResultScanner scanner;

    Sequential(ResultScanner scanner) {
      this.scanner = scanner;
    }

    @Override
    public @Nullable List<Cell> next() throws IOException {
      Result result = scanner.next();
      return result == null ? null : result.cells();
    }

    @Override
    public void skipTo(byte[] row) {
      // The rows before it come and are left out by the filter.
    }

    @Override
    public void close() {
      scanner.close();
    }
  }

  private static final class Seeking implements RowSource {
    private final RowCursor cursor;
    private boolean begun;
    private boolean ended;

    /** Whether the cursor is on a row that has not been returned yet. */
    private boolean ahead;

    Seeking(RowCursor cursor) {
      this.cursor = cursor;
    }

    @Override
    public @Nullable List<Cell> next() throws IOException {
      if (!ahead && !ended) {
        ended = !(begun ? cursor.next() : cursor.first());
        begun = true;
      }
      ahead = false;
      return ended ? null : cursor.result().cells();
    }

    @Override
    public void skipTo(byte[] row) throws IOException {
      if (!ended) {
        begun = true;
        ahead = cursor.seek(row);
        ended = !ahead;
      }
    }

    @Override
    public void close() {
      cursor.close();
    }
  }
}
