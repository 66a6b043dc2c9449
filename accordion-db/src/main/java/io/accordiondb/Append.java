// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.encoding.CellType;
import org.jspecify.annotations.Nullable;

/**
 * Appends bytes to the values of columns of one row, atomically. A column that does not exist
 * counts as empty.
 */
public final class Append extends Mutation {
  /**
   * Creates an append.
   *
   * @param row the row, 1 to 32,767 bytes; not copied
   */
  public Append(byte[] row) {
    super("append", row);
  }

  /**
   * Appends bytes to a column.
   *
   * @param family the name of the family
   * @param qualifier the qualifier, at most 32,767 bytes; may be empty; not copied
   * @param suffix the bytes to append
   * @return this
   */
  public Append addColumn(byte[] family, byte[] qualifier, byte[] suffix) {
    add(family, qualifier, LATEST_TIMESTAMP, CellType.PUT, suffix);
    return this;
  }

  /**
   * Sets the time to live of the new values, in milliseconds from their timestamps. By default they
   * have none of their own ({@link io.accordiondb.retention.VersionRules#FOREVER}). Families with a
   * merge operator, and those that keep deleted cells, refuse such writes.
   *
   * <p>When its time to live has passed, a cell acts as a delete of its column: it hides all
   * versions that were written before it with a lower timestamp, so no older value comes back. The
   * time to live of the family applies as well.
   *
   * @param millis the duration in milliseconds
   * @return this
   * @throws IllegalArgumentException if it is less than 1
   */
  public Append setTtlMillis(long millis) {
    ttlMillis(millis);
    return this;
  }

  /**
   * Sets the durability; null means the database's default.
   *
   * @param durability the durability; null for the database's default
   * @return this
   */
  public Append setDurability(@Nullable Durability durability) {
    durability(durability);
    return this;
  }
}
