// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Cell;
import io.accordiondb.Filter;
import io.accordiondb.Result;
import io.accordiondb.RowCursor;
import io.accordiondb.internal.function.IoSupplier;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cursor that presents rows as results. */
final class OpenRowCursor extends OpenCursor implements RowCursor {
  private final @Nullable Filter filter;
  private Result result = Result.EMPTY;

  OpenRowCursor(IoSupplier<RowScanner> opener, @Nullable Filter filter) throws IOException {
    super(opener);
    this.filter = filter;
  }

  @Override
  boolean load(RowScanner scanner, byte[] row) throws IOException {
    List<Cell> cells = new ArrayList<>();
    // The caller gets the array.
    scanner.read(row.clone(), cells);
    if (filter != null && !cells.isEmpty()) {
      cells = filter.mayKeepRow(row) ? filter.keep(cells) : List.of();
    }
    result = new Result(cells);
    return !cells.isEmpty();
  }

  @Override
  void leave(RowScanner scanner, byte[] row) {
    // Reading the row has left it already.
  }

  @Override
  public Result result() {
    row();
    return result;
  }
}
