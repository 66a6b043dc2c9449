// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import org.jspecify.annotations.Nullable;

/**
 * A transaction was not committed, because another write came between. Nothing of it has become
 * visible. Run it again from its beginning; {@link Database#transact} does so.
 */
public final class TransactionConflictException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  private final String table;
  private final transient byte @Nullable [] row;

  /** Names the row that another has written. */
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

  /** Names a table that was dropped or truncated, or has lost a family. */
  public TransactionConflictException(String table, Throwable cause) {
    super(
        "the transaction conflicts with a later change of table \""
            + table
            + "\", which was dropped or truncated or has lost a family; run it again",
        cause);
    this.table = table;
    this.row = null;
  }

  /** Returns the name of the table. */
  public String table() {
    return table;
  }

  /** Returns the row, or null if the table as a whole has changed. */
  public byte @Nullable [] row() {
    return row == null ? null : row.clone();
  }
}
