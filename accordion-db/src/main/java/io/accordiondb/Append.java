// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.encoding.CellType;
import org.jspecify.annotations.Nullable;

/**
 * Appends bytes to the values of columns of one row, atomically. A column that does not exist
 * counts as empty.
 */
public final class Append extends Mutation {
  /** Creates an append. */
  public Append(byte[] row) {
    super("append", row);
  }

  /** Appends bytes to a column. */
  public Append addColumn(byte[] family, byte[] qualifier, byte[] suffix) {
    add(family, qualifier, LATEST_TIMESTAMP, CellType.PUT, suffix);
    return this;
  }

  /** Asks for a durability; null for the database's default. */
  public Append setDurability(@Nullable Durability durability) {
    durability(durability);
    return this;
  }
}
