// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Get;
import io.accordiondb.Result;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.internal.region.TableState;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a {@link TableHandle} reads: the stored cells, or the view of a transaction. */
public interface TableReads {
  /** Returns a table as it is now. */
  TableState table(String name) throws IOException;

  /**
   * Returns a table as a read needs it.
   *
   * @param snapshot the snapshot to read, or null for the present
   */
  default TableState table(String name, @Nullable Snapshot snapshot) throws IOException {
    return table(name);
  }

  /** Takes a snapshot, for several reads as of the same moment. The caller must close it. */
  Snapshot snapshot();

  /** Returns the result of a get. */
  Result get(TableState table, Get get) throws IOException;

  /** Returns the results of several gets as of one moment. */
  List<Result> getAll(TableState table, List<Get> gets) throws IOException;

  /**
   * Returns the value of a column's newest version, or null, as a get of this column alone finds
   * it.
   *
   * @param snapshot the snapshot to read, or null for the present
   */
  byte @Nullable [] value(
      TableState table, byte[] row, byte[] family, byte[] qualifier, @Nullable Snapshot snapshot)
      throws IOException;

  /** Begins a scan. */
  RowScanner scan(TableState table, Scan scan) throws IOException;
}
