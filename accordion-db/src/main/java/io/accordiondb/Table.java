// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A table of rows. Thread-safe; costs nothing to hold and needs no closing. Methods throw {@link
 * TableNotFoundException} once the table has been dropped, {@link FamilyNotFoundException} for a
 * family that it does not have, {@link DatabaseClosedException} after the database was closed, and
 * other {@link IOException}s when the storage fails.
 */
public interface Table {
  /** Returns the name. */
  String name();

  /** Returns the table's configuration now. */
  TableDescriptor descriptor() throws IOException;

  /** Returns what a query finds of one row; empty if the row does not exist. */
  Result get(Get get) throws IOException;

  /** Returns what each of several queries finds, in their order. */
  default List<Result> get(List<Get> gets) throws IOException {
    List<Result> results = new ArrayList<>(gets.size());
    for (Get get : gets) {
      results.add(get(get));
    }
    return results;
  }

  /** Returns whether a query finds anything. */
  default boolean exists(Get get) throws IOException {
    return !get(get).isEmpty();
  }

  /** Begins a scan, as of now or of the scan's snapshot; to be closed. */
  ResultScanner scan(Scan scan) throws IOException;

  /**
   * Returns a cursor over the rows that a scan finds, as of now or of the scan's snapshot; to be
   * closed.
   *
   * @param scan bounds, columns, versions and filter; a cursor has no limit, batch or direction
   * @throws IllegalArgumentException if the scan has one
   */
  RowCursor cursor(Scan scan) throws IOException;

  /** Writes one row, atomically over its families. */
  default void put(Put put) throws IOException {
    mutate(List.of(Objects.requireNonNull(put, "put")));
  }

  /** Writes several rows, atomically. */
  default void put(List<Put> puts) throws IOException {
    mutate(puts);
  }

  /**
   * Writes operands for the merge operators of families, atomically over a row, without reading.
   *
   * @throws IllegalArgumentException if a family has no merge operator
   */
  default void merge(Merge merge) throws IOException {
    mutate(List.of(Objects.requireNonNull(merge, "merge")));
  }

  /** Deletes from one row, atomically over its families. */
  default void delete(Delete delete) throws IOException {
    mutate(List.of(Objects.requireNonNull(delete, "delete")));
  }

  /** Deletes from several rows, atomically. */
  default void delete(List<Delete> deletes) throws IOException {
    mutate(deletes);
  }

  /**
   * Deletes all rows from one, inclusive, to another, exclusive; empty for open ends. It reads
   * nothing and takes the same time however many rows there are; see {@link DeleteRange}. The rows
   * go all together. Within a transaction it reads the rows, and deletes them one by one.
   *
   * <p>Compactions give the space back: at once where a whole sorted table is covered, otherwise
   * when the table is merged. To empty a whole table, {@link Database#truncateTable} gives it back
   * at once.
   */
  default void deleteRange(byte[] startRow, byte[] stopRow) throws IOException {
    mutate(List.of(new DeleteRange(startRow, stopRow)));
  }

  /**
   * Applies puts, merges and deletes atomically, in their order, with the strongest durability that
   * any of them asks for. For {@link Increment} and {@link Append} there is {@link #mutateRow}.
   */
  void mutate(List<? extends Mutation> mutations) throws IOException;

  /** Changes a row if conditions hold for it, in one step; see {@link CheckAndMutate}. */
  CheckAndMutateResult checkAndMutate(CheckAndMutate change) throws IOException;

  /**
   * Applies several changes of one row in one step, increments and appends among them.
   *
   * @return the cells that increments and appends have written; empty if there are none
   */
  Result mutateRow(RowMutations mutations) throws IOException;

  /** Adds to numbers, atomically, and returns the cells written. */
  Result increment(Increment increment) throws IOException;

  /** Adds to one number, atomically, and returns the sum. */
  long increment(byte[] row, byte[] family, byte[] qualifier, long amount) throws IOException;

  /** Appends to values, atomically, and returns the cells written. */
  Result append(Append append) throws IOException;
}
