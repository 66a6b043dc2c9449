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

  /**
   * Sets the time to live of the sums, in milliseconds from their timestamps on; {@link
   * io.accordiondb.retention.VersionRules#FOREVER}, the default, for none of their own. Families
   * with a merge operator, and those that keep deleted cells, refuse such writes.
   *
   * <p>Once its time to live has passed, a cell hides, as a delete of its column does, all versions
   * that were written before it with a lower timestamp: no older value comes back. The time to live
   * of the family holds besides.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public Increment setTtlMillis(long millis) {
    ttlMillis(millis);
    return this;
  }

  /** Asks for a durability; null for the database's default. */
  public Increment setDurability(@Nullable Durability durability) {
    durability(durability);
    return this;
  }
}
