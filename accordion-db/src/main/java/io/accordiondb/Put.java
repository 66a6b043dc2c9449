// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Writes columns of one row. See {@link Mutation} for what may be shared. */
public final class Put extends Mutation {
  private final long timestamp;

  /**
   * Creates a put whose columns get the time of the write.
   *
   * @param row the row, 1 to 32,767 bytes; not copied
   */
  public Put(byte[] row) {
    this(row, LATEST_TIMESTAMP);
  }

  /**
   * Creates a put whose columns get a timestamp, unless a column names another one.
   *
   * @param row the row, 1 to 32,767 bytes; not copied
   * @param timestamp the timestamp of the columns, usually in milliseconds of the epoch, at least 0
   */
  public Put(byte[] row, long timestamp) {
    super("put", row);
    this.timestamp = timestamp;
  }

  /**
   * Creates a put for what remains in a buffer.
   *
   * @param row a buffer whose remaining bytes are copied; its position does not move; the row has 1
   *     to 32,767 bytes
   */
  public Put(ByteBuffer row) {
    this(Bytes.copyOf(row));
  }

  /**
   * Adds a column.
   *
   * @param family the name of the family
   * @param qualifier the qualifier, at most 32,767 bytes; may be empty; not copied
   * @param value the value; may be empty; not copied
   * @return this
   */
  public Put addColumn(byte[] family, byte[] qualifier, byte[] value) {
    return addColumn(family, qualifier, timestamp, value);
  }

  /**
   * Adds a column at a timestamp, 0 or more.
   *
   * @param family the name of the family
   * @param qualifier the qualifier, at most 32,767 bytes; may be empty; not copied
   * @param timestamp the timestamp of the version, at least 0
   * @param value the value; may be empty; not copied
   * @return this
   */
  public Put addColumn(byte[] family, byte[] qualifier, long timestamp, byte[] value) {
    add(family, qualifier, timestamp, CellType.PUT, value);
    return this;
  }

  /**
   * Adds a column with tags, which are kept with the version. The database interprets only the time
   * to live; {@link #setTtlMillis} replaces it.
   *
   * @param family the name of the family
   * @param qualifier the qualifier, at most 32,767 bytes; may be empty; not copied
   * @param timestamp the timestamp of the version, at least 0
   * @param value the value; may be empty; not copied
   * @param tags tags in the form of {@link Cell#tags}, at most 65,535 bytes; may be empty; not
   *     copied
   * @return this
   * @throws IllegalArgumentException if the tags do not have this form
   */
  public Put addColumn(byte[] family, byte[] qualifier, long timestamp, byte[] value, byte[] tags) {
    add(family, qualifier, timestamp, CellType.PUT, value, CellTags.check(tags));
    return this;
  }

  /**
   * Adds a column whose qualifier and value remain in buffers.
   *
   * @param family the name of the family
   * @param qualifier a buffer whose remaining bytes are copied; its position does not move
   * @param timestamp the timestamp of the version, at least 0
   * @param value a buffer whose remaining bytes are copied; its position does not move
   * @return this
   */
  public Put addColumn(byte[] family, ByteBuffer qualifier, long timestamp, ByteBuffer value) {
    return addColumn(family, Bytes.copyOf(qualifier), timestamp, Bytes.copyOf(value));
  }

  /**
   * Sets the time to live of the columns, in milliseconds from their timestamps. By default they
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
  public Put setTtlMillis(long millis) {
    ttlMillis(millis);
    return this;
  }

  /**
   * Sets the durability; null means the database's default.
   *
   * @param durability the durability; null for the database's default
   * @return this
   */
  public Put setDurability(@Nullable Durability durability) {
    durability(durability);
    return this;
  }
}
