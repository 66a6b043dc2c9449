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

  /**
   * Sets the time to live of the new values, in milliseconds from their timestamps on; {@link
   * io.accordiondb.retention.VersionRules#FOREVER}, the default, for none of their own. Families
   * with a merge operator, and those that keep deleted cells, refuse such writes.
   *
   * <p>Once its time to live has passed, a cell hides, as a delete of its column does, all versions
   * that were written before it with a lower timestamp: no older value comes back. The time to live
   * of the family holds besides.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public Append setTtlMillis(long millis) {
    ttlMillis(millis);
    return this;
  }

  /** Asks for a durability; null for the database's default. */
  public Append setDurability(@Nullable Durability durability) {
    durability(durability);
    return this;
  }
}
