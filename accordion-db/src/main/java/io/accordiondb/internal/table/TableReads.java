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

/** How a {@link TableHandle} reads: what is stored now, or what a transaction sees. */
public interface TableReads {
  /** Returns a table as it is now. */
  TableState table(String name) throws IOException;

  /** Returns the moment of this call, for several reads as of it. The caller must close it. */
  Snapshot snapshot();

  /** Returns what a get finds. */
  Result get(TableState table, Get get) throws IOException;

  /** Returns what several gets find, all as of one moment. */
  List<Result> getAll(TableState table, List<Get> gets) throws IOException;

  /**
   * Returns the value of a column's newest version, or null: what a get of it alone finds.
   *
   * @param snapshot as of which it is read, or null
   */
  byte @Nullable [] value(
      TableState table, byte[] row, byte[] family, byte[] qualifier, @Nullable Snapshot snapshot)
      throws IOException;

  /** Begins a scan. */
  RowScanner scan(TableState table, Scan scan) throws IOException;
}
