// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * A table of rows. Thread-safe. It holds no resources and need not be closed. Methods throw {@link
 * TableNotFoundException} once the table has been dropped, {@link FamilyNotFoundException} for a
 * family that it does not have, {@link DatabaseClosedException}, which is unchecked, after the
 * database was closed, and other {@link IOException}s when the storage fails.
 */
public interface Table {
  /** {@return the name} */
  String name();

  /**
   * {@return the table's present configuration}
   *
   * @throws IOException if the storage fails
   */
  TableDescriptor descriptor() throws IOException;

  /**
   * {@return the cells of one row that a query selects; an empty result if there are none}
   *
   * @param get row, columns, versions and filter
   * @throws IOException if the storage fails
   */
  Result get(Get get) throws IOException;

  /**
   * {@return the results of several queries, in the order of the queries} All are read as of one
   * moment, except those that name a snapshot.
   *
   * @param gets the queries, in any order of rows
   * @throws IOException if the storage fails
   */
  List<Result> get(List<Get> gets) throws IOException;

  /**
   * {@return whether a query selects any cell}
   *
   * @param get row, columns, versions and filter
   * @throws IOException if the storage fails
   */
  default boolean exists(Get get) throws IOException {
    return !get(get).isEmpty();
  }

  /**
   * Starts a scan, as of now or of the scan's snapshot. The caller must close the scanner.
   *
   * @param scan bounds, columns, versions and filter
   * @return the scanner
   * @throws IOException if the storage fails
   */
  ResultScanner scan(Scan scan) throws IOException;

  /**
   * {@return a cursor over the rows that a scan selects, as of now or of the scan's snapshot} The
   * caller must close it.
   *
   * @param scan bounds, columns, versions and filter; a cursor has no limit, batch or direction
   * @throws IllegalArgumentException if the scan has a limit, a batch or a direction
   * @throws IOException if the storage fails
   */
  RowCursor cursor(Scan scan) throws IOException;

  /**
   * Writes one row atomically, across all its families.
   *
   * @param put the row and its new cells
   * @throws IOException if the storage fails
   */
  default void put(Put put) throws IOException {
    mutate(List.of(Objects.requireNonNull(put, "put")));
  }

  /**
   * Writes several rows atomically.
   *
   * @param puts the puts, in the order in which they take effect
   * @throws IOException if the storage fails
   */
  default void put(List<Put> puts) throws IOException {
    mutate(puts);
  }

  /**
   * Writes operands for the merge operators of families, atomically over a row, without reading.
   *
   * @param merge the row and the operands
   * @throws IllegalArgumentException if a family has no merge operator
   * @throws IOException if the storage fails
   */
  default void merge(Merge merge) throws IOException {
    mutate(List.of(Objects.requireNonNull(merge, "merge")));
  }

  /**
   * Deletes from one row atomically, across all its families.
   *
   * @param delete the row and the parts of it to delete
   * @throws IOException if the storage fails
   */
  default void delete(Delete delete) throws IOException {
    mutate(List.of(Objects.requireNonNull(delete, "delete")));
  }

  /**
   * Deletes from several rows atomically.
   *
   * @param deletes the deletes, in the order in which they take effect
   * @throws IOException if the storage fails
   */
  default void delete(List<Delete> deletes) throws IOException {
    mutate(deletes);
  }

  /**
   * Deletes all rows from one, inclusive, to another, exclusive, atomically; empty for an open end.
   * It reads nothing and takes the same time for any number of rows. In a transaction it reads the
   * rows and deletes them one by one, which differs in families that keep deleted cells; see {@link
   * DeleteRange}.
   *
   * <p>Compactions free the space: at once where a whole sorted table is covered, otherwise when
   * the table is merged. {@link Database#truncateTable} frees the space of a whole table at once.
   *
   * @param startRow the first row, inclusive; empty for the beginning of the table
   * @param stopRow the row before which the range ends; empty for the end of the table
   * @throws IOException if the storage fails
   */
  default void deleteRange(byte[] startRow, byte[] stopRow) throws IOException {
    mutate(List.of(new DeleteRange(startRow, stopRow)));
  }

  /**
   * Applies puts, merges and deletes atomically, in their order, with the strongest durability that
   * any of them has. For {@link Increment} and {@link Append} use {@link #mutateRow}.
   *
   * @param mutations the mutations, in the order in which they take effect
   * @throws IOException if the storage fails
   */
  void mutate(List<? extends Mutation> mutations) throws IOException;

  /**
   * Changes a row atomically if conditions hold; see {@link CheckAndMutate}.
   *
   * @param change the conditions and the mutations
   * @return whether the conditions held, and what was written
   * @throws IOException if the storage fails
   */
  CheckAndMutateResult checkAndMutate(CheckAndMutate change) throws IOException;

  /**
   * Applies several changes of one row atomically, which may include increments and appends.
   *
   * @param mutations the mutations, in the order in which they take effect
   * @return the cells that increments and appends have written; empty if there are none
   * @throws IOException if the storage fails
   */
  Result mutateRow(RowMutations mutations) throws IOException;

  /**
   * Adds to numbers, atomically, and returns the cells that were written.
   *
   * @param increment the amounts to add
   * @return the cells that were written
   * @throws IOException if the storage fails
   */
  Result increment(Increment increment) throws IOException;

  /**
   * Adds to one number, atomically, and returns the sum.
   *
   * @param row the row, 1 to 32,767 bytes
   * @param family the name of the family
   * @param qualifier the qualifier; may be empty
   * @param amount the amount to add; may be negative
   * @return the sum
   * @throws IOException if the storage fails
   */
  long increment(byte[] row, byte[] family, byte[] qualifier, long amount) throws IOException;

  /**
   * Appends to values, atomically, and returns the cells that were written.
   *
   * @param append the bytes to append
   * @return the cells that were written
   * @throws IOException if the storage fails
   */
  Result append(Append append) throws IOException;
}
