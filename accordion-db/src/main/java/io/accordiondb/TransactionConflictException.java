// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import org.jspecify.annotations.Nullable;

/**
 * A transaction was not committed, because a conflicting write was committed before. None of its
 * writes is visible. Run it again from the beginning; {@link Database#transact} does so.
 */
public final class TransactionConflictException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** The name of the table. */
  private final String table;

  private final transient byte @Nullable [] row;

  /**
   * Creates an exception that names the row with the conflicting write.
   *
   * @param table the name of the table
   * @param row the row with the conflicting write
   */
  public TransactionConflictException(String table, byte[] row) {
    super(
        "the transaction conflicts with a later write of row \""
            + Bytes.show(row)
            + "\" of table \""
            + table
            + "\"; run it again");
    this.table = table;
    this.row = row.clone();
  }

  /**
   * Creates an exception that names a table that was dropped or truncated, or has lost a family.
   *
   * @param table the name of the table
   * @param cause the exception that showed the change
   */
  public TransactionConflictException(String table, Throwable cause) {
    super(
        "the transaction conflicts with a later change of table \""
            + table
            + "\", which was dropped or truncated or has lost a family; run it again",
        cause);
    this.table = table;
    this.row = null;
  }

  /** {@return the name of the table} */
  public String table() {
    return table;
  }

  /** {@return the row, or null if the table as a whole has changed} */
  public byte @Nullable [] row() {
    return row == null ? null : row.clone();
  }
}
