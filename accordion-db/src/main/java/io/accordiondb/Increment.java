// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.encoding.CellType;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Adds to numbers in columns of one row, atomically. A number is stored as eight bytes, big-endian,
 * as {@link ByteBuffer#putLong(long)} writes it. A column that does not exist counts as 0; sums
 * wrap around; a stored value of another length is refused with an {@link
 * IllegalArgumentException}.
 */
public final class Increment extends Mutation {
  /**
   * Creates an increment.
   *
   * @param row the row, 1 to 32,767 bytes; not copied
   */
  public Increment(byte[] row) {
    super("increment", row);
  }

  /**
   * Adds an amount to a column.
   *
   * @param family the name of the family
   * @param qualifier the qualifier, at most 32,767 bytes; may be empty; not copied
   * @param amount the amount to add
   * @return this
   */
  public Increment addColumn(byte[] family, byte[] qualifier, long amount) {
    byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(amount).array();
    add(family, qualifier, LATEST_TIMESTAMP, CellType.PUT, bytes);
    return this;
  }

  /**
   * Sets the time to live of the sums, in milliseconds from their timestamps. By default they have
   * none of their own ({@link io.accordiondb.retention.VersionRules#FOREVER}). Families with a
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
  public Increment setTtlMillis(long millis) {
    ttlMillis(millis);
    return this;
  }

  /**
   * Sets the durability; null means the database's default.
   *
   * @param durability the durability; null for the database's default
   * @return this
   */
  public Increment setDurability(@Nullable Durability durability) {
    durability(durability);
    return this;
  }
}
