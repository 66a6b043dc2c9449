// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.encoding.CellType;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Adds to numbers in columns of one row, atomically. A number is eight bytes, big-endian; a column
 * that does not exist counts as 0; sums wrap around.
 */
public final class Increment extends Mutation {
  /** Creates an increment. */
  public Increment(byte[] row) {
    super("increment", row);
  }

  /** Adds an amount to a column. */
  public Increment addColumn(byte[] family, byte[] qualifier, long amount) {
    byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(amount).array();
    add(family, qualifier, LATEST_TIMESTAMP, CellType.PUT, bytes);
    return this;
  }

  /** Asks for a durability; null for the database's default. */
  public Increment setDurability(@Nullable Durability durability) {
    durability(durability);
    return this;
  }
}
