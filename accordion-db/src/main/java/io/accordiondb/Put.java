// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.encoding.CellType;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Writes columns of one row. See {@link Mutation} for what may be shared. */
public final class Put extends Mutation {
  private final long timestamp;

  /** Creates a put whose columns get the time of the write. */
  public Put(byte[] row) {
    this(row, LATEST_TIMESTAMP);
  }

  /** Creates a put whose columns get a timestamp unless they say another. */
  public Put(byte[] row, long timestamp) {
    super("put", row);
    this.timestamp = timestamp;
  }

  /** Creates a put for what remains in a buffer. */
  public Put(ByteBuffer row) {
    this(Bytes.copyOf(row));
  }

  /** Adds a column. */
  public Put addColumn(byte[] family, byte[] qualifier, byte[] value) {
    return addColumn(family, qualifier, timestamp, value);
  }

  /** Adds a column at a timestamp, 0 or more. */
  public Put addColumn(byte[] family, byte[] qualifier, long timestamp, byte[] value) {
    add(family, qualifier, timestamp, CellType.PUT, value);
    return this;
  }

  /** Adds a column whose qualifier and value remain in buffers. */
  public Put addColumn(byte[] family, ByteBuffer qualifier, long timestamp, ByteBuffer value) {
    return addColumn(family, Bytes.copyOf(qualifier), timestamp, Bytes.copyOf(value));
  }

  /**
   * Sets the time to live of the columns, in milliseconds from their timestamps on; {@link
   * io.accordiondb.retention.VersionRules#FOREVER}, the default, for none of their own. Families
   * with a merge operator, and those that keep deleted cells, refuse such writes.
   *
   * <p>Once its time to live has passed, a cell hides, as a delete of its column does, all versions
   * that were written before it with a lower timestamp: no older value comes back. The time to live
   * of the family holds besides.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public Put setTtlMillis(long millis) {
    ttlMillis(millis);
    return this;
  }

  /** Asks for a durability; null for the database's default. */
  public Put setDurability(@Nullable Durability durability) {
    durability(durability);
    return this;
  }
}
