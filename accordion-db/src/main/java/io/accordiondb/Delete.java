// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.encoding.CellType;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Deletes parts of one row, or all of it if no part is added. A delete hides the versions up to its
 * timestamp that were written before it, never what is written after it, whatever the timestamps.
 * See {@link Mutation} for what may be shared.
 *
 * <p>If you delete a single version, an older one may become visible, if the family keeps several
 * versions or has not dropped it yet.
 */
public final class Delete extends Mutation {
  private final long timestamp;

  /**
   * Creates a delete of all versions up to the time of the write.
   *
   * @param row the row, 1 to 32,767 bytes; not copied
   */
  public Delete(byte[] row) {
    this(row, LATEST_TIMESTAMP);
  }

  /**
   * Creates a delete that, without parts, deletes all versions of the row up to a timestamp.
   *
   * @param row the row, 1 to 32,767 bytes; not copied
   * @param timestamp the highest timestamp that is deleted, at least 0
   */
  public Delete(byte[] row, long timestamp) {
    super("delete", row);
    if (timestamp < 0) {
      throw new IllegalArgumentException("timestamp is " + timestamp + ", expected 0 or more");
    }
    this.timestamp = timestamp;
  }

  /**
   * Creates a delete for what remains in a buffer.
   *
   * @param row a buffer whose remaining bytes are copied; its position does not move; the row has 1
   *     to 32,767 bytes
   */
  public Delete(ByteBuffer row) {
    this(Bytes.copyOf(row));
  }

  /** {@return the timestamp up to which the whole row is deleted if no part was added} */
  public long timestamp() {
    return timestamp;
  }

  /**
   * Deletes all columns of a family.
   *
   * @param family the name of the family
   * @return this
   */
  public Delete addFamily(byte[] family) {
    return addFamily(family, timestamp);
  }

  /**
   * Deletes all versions, up to and at a timestamp, of all columns of a family.
   *
   * @param family the name of the family
   * @param timestamp the highest timestamp that is deleted, at least 0
   * @return this
   */
  public Delete addFamily(byte[] family, long timestamp) {
    add(family, NO_BYTES, timestamp, CellType.DELETE_FAMILY, NO_BYTES);
    return this;
  }

  /**
   * Deletes the versions at a timestamp of all columns of a family.
   *
   * @param family the name of the family
   * @param timestamp the timestamp of the version, at least 0
   * @return this
   */
  public Delete addFamilyVersion(byte[] family, long timestamp) {
    add(family, NO_BYTES, timestamp, CellType.DELETE_FAMILY_VERSION, NO_BYTES);
    return this;
  }

  /**
   * Deletes all versions of a column.
   *
   * @param family the name of the family
   * @param qualifier the qualifier, at most 32,767 bytes; may be empty; not copied
   * @return this
   */
  public Delete addColumns(byte[] family, byte[] qualifier) {
    return addColumns(family, qualifier, timestamp);
  }

  /**
   * Deletes all versions, up to and at a timestamp, of a column.
   *
   * @param family the name of the family
   * @param qualifier the qualifier, at most 32,767 bytes; may be empty; not copied
   * @param timestamp the highest timestamp that is deleted, at least 0
   * @return this
   */
  public Delete addColumns(byte[] family, byte[] qualifier, long timestamp) {
    add(family, qualifier, timestamp, CellType.DELETE_COLUMN, NO_BYTES);
    return this;
  }

  /**
   * Deletes the version of a column at the timestamp of the delete. If the delete has no timestamp,
   * this deletes the newest version, which the database must look up first.
   *
   * @param family the name of the family
   * @param qualifier the qualifier, at most 32,767 bytes; may be empty; not copied
   * @return this
   */
  public Delete addColumn(byte[] family, byte[] qualifier) {
    return addColumn(family, qualifier, timestamp);
  }

  /**
   * Deletes the version of a column at a timestamp.
   *
   * @param family the name of the family
   * @param qualifier the qualifier, at most 32,767 bytes; may be empty; not copied
   * @param timestamp the timestamp of the version, at least 0
   * @return this
   */
  public Delete addColumn(byte[] family, byte[] qualifier, long timestamp) {
    add(family, qualifier, timestamp, CellType.DELETE, NO_BYTES);
    return this;
  }

  /**
   * Sets the durability; null means the database's default.
   *
   * @param durability the durability; null for the database's default
   * @return this
   */
  public Delete setDurability(@Nullable Durability durability) {
    durability(durability);
    return this;
  }
}
