// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Cell;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.Get;
import io.accordiondb.Mutation;
import io.accordiondb.Result;
import io.accordiondb.WriteBatch;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.TableState;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a {@link TableHandle} writes: to the log and the memory stores, or into a transaction. */
public interface TableWrites {
  /** Reads on behalf of a write, all as of one moment. */
  interface Reading {
    /** Returns the result of a get from the table. */
    Result get(Get get) throws IOException;

    /** Returns the time of the write. */
    long nowMillis();

    /** Returns the timestamp to write for a new version with the given one. */
    long written(long timestamp);

    /** Returns the timestamp to write for a marker that hides a stored version. */
    long written(Cell stored) throws IOException;
  }

  /** Receives the changes, and fills in the time of the write. */
  interface Target {
    /** Adds all changes of a put or a delete. */
    void add(TableState table, Mutation mutation) throws FamilyNotFoundException;

    /** Begins the cells of a row, which are then added one by one. */
    void addRow(byte[] row);

    /** Adds one cell of a row that {@link #addRow} has accepted. */
    void add(TableState table, Store store, Cell cell);
  }

  /** Decides what to write, depending on the stored cells. May run several times. */
  interface Modification {
    /** Adds what to write; returns false to write nothing. */
    boolean apply(TableState table, Reading read, Target target) throws IOException;
  }

  /** Returns the options of the database now. */
  DatabaseOptions options();

  /**
   * Writes several changes atomically.
   *
   * @param durability null for the strongest that any change requests
   */
  void write(List<WriteBatch.Entry> writes, @Nullable Durability durability) throws IOException;

  /**
   * Changes a row atomically, depending on its stored cells.
   *
   * @param durability null for the default
   * @param bytesExpected about how many bytes are written, as far as is known
   * @return whether anything was written
   */
  boolean readModifyWrite(
      String table,
      byte[] row,
      @Nullable Durability durability,
      long bytesExpected,
      Modification modification)
      throws IOException;
}
