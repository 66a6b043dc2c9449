// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.encoding.CellType;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Deletes parts of one row, or all of it if no part is added. A delete hides what was written
 * before it, never what is written after it, whatever the timestamps. See {@link Mutation} for what
 * may be shared.
 *
 * <p>When a single version is deleted, an older one may come to light, if the family keeps several
 * versions or has not dropped it yet.
 */
public final class Delete extends Mutation {
  private final long timestamp;

  /** Creates a delete of all versions up to the time of the write. */
  public Delete(byte[] row) {
    this(row, LATEST_TIMESTAMP);
  }

  /** Creates a delete that, without parts, deletes all versions of the row up to a timestamp. */
  public Delete(byte[] row, long timestamp) {
    super("delete", row);
    if (timestamp < 0) {
      throw new IllegalArgumentException("timestamp is " + timestamp + ", expected 0 or more");
    }
    this.timestamp = timestamp;
  }

  /** Creates a delete for what remains in a buffer. */
  public Delete(ByteBuffer row) {
    this(Bytes.copyOf(row));
  }

  /** Returns up to which timestamp the whole row is deleted, when no part was added. */
  public long timestamp() {
    return timestamp;
  }

  /** Deletes all columns of a family. */
  public Delete addFamily(byte[] family) {
    return addFamily(family, timestamp);
  }

  /** Deletes all versions, up to and at a timestamp, of all columns of a family. */
  public Delete addFamily(byte[] family, long timestamp) {
    add(family, NO_BYTES, timestamp, CellType.DELETE_FAMILY, NO_BYTES);
    return this;
  }

  /** Deletes the versions at a timestamp of all columns of a family. */
  public Delete addFamilyVersion(byte[] family, long timestamp) {
    add(family, NO_BYTES, timestamp, CellType.DELETE_FAMILY_VERSION, NO_BYTES);
    return this;
  }

  /** Deletes all versions of a column. */
  public Delete addColumns(byte[] family, byte[] qualifier) {
    return addColumns(family, qualifier, timestamp);
  }

  /** Deletes all versions, up to and at a timestamp, of a column. */
  public Delete addColumns(byte[] family, byte[] qualifier, long timestamp) {
    add(family, qualifier, timestamp, CellType.DELETE_COLUMN, NO_BYTES);
    return this;
  }

  /**
   * Deletes the version of a column at the timestamp of the delete; the newest one, which the
   * database has to look up first, if the delete was given none.
   */
  public Delete addColumn(byte[] family, byte[] qualifier) {
    return addColumn(family, qualifier, timestamp);
  }

  /** Deletes the version of a column at a timestamp. */
  public Delete addColumn(byte[] family, byte[] qualifier, long timestamp) {
    add(family, qualifier, timestamp, CellType.DELETE, NO_BYTES);
    return this;
  }

  /** Asks for a durability; null for the database's default. */
  public Delete setDurability(@Nullable Durability durability) {
    durability(durability);
    return this;
  }
}
