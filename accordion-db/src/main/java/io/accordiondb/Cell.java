// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.retention.VersionRules;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One version of one column of one row. Immutable as long as the caller does not change the arrays,
 * which are not copied. The database keeps none of a cell that it returns; the cells of one scan
 * share the array of their family.
 */
public final class Cell {
  private final byte[] row;
  private final byte[] family;
  private final byte[] qualifier;
  private final long timestamp;
  private final CellType type;
  private final byte[] value;
  private final byte[] tags;

  /**
   * Creates a cell that does not expire by itself.
   *
   * @param row the row; not copied
   * @param family the name of the family
   * @param qualifier the qualifier; not copied
   * @param timestamp the timestamp, usually in milliseconds of the epoch
   * @param type what the cell says about its column
   * @param value the value; not copied
   */
  public Cell(
      byte[] row, byte[] family, byte[] qualifier, long timestamp, CellType type, byte[] value) {
    this(row, family, qualifier, timestamp, type, value, CellTags.NONE);
  }

  /**
   * Creates a cell.
   *
   * @param ttlMillis the cell's own time to live in milliseconds; {@link VersionRules#FOREVER} for
   *     none
   * @param row the row; not copied
   * @param family the name of the family
   * @param qualifier the qualifier; not copied
   * @param timestamp the timestamp, usually in milliseconds of the epoch
   * @param type what the cell says about its column
   * @param value the value; not copied
   */
  public Cell(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      long timestamp,
      CellType type,
      byte[] value,
      long ttlMillis) {
    this(row, family, qualifier, timestamp, type, value, CellTags.ofTtl(ttlMillis));
  }

  /**
   * Creates a cell with tags.
   *
   * @param tags tags in HBase's form, one after another: the length of type and value in two bytes,
   *     the type, the value; empty for none; not copied
   * @param row the row; not copied
   * @param family the name of the family
   * @param qualifier the qualifier; not copied
   * @param timestamp the timestamp, usually in milliseconds of the epoch
   * @param type what the cell says about its column
   * @param value the value; not copied
   * @throws IllegalArgumentException if the tags do not have this form
   */
  public Cell(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      long timestamp,
      CellType type,
      byte[] value,
      byte[] tags) {
    this.row = row;
    this.family = family;
    this.qualifier = qualifier;
    this.timestamp = timestamp;
    this.type = type;
    this.value = value;
    this.tags = CellTags.check(tags);
  }

  /** {@return the row} */
  public byte[] row() {
    return row;
  }

  /** {@return the name of the family} */
  public byte[] family() {
    return family;
  }

  /** {@return the qualifier} */
  public byte[] qualifier() {
    return qualifier;
  }

  /** {@return the timestamp, usually in milliseconds of the epoch} */
  public long timestamp() {
    return timestamp;
  }

  /**
   * {@return the type} Cells that a query returns are puts. A raw scan also returns delete markers,
   * and a change feed also delivers them, operands and deleted ranges.
   */
  public CellType type() {
    return type;
  }

  /** {@return the value} */
  public byte[] value() {
    return value;
  }

  /** {@return the value as a read-only buffer} */
  public ByteBuffer valueBuffer() {
    return ByteBuffer.wrap(value).asReadOnlyBuffer();
  }

  /**
   * {@return the cell's own time to live, in milliseconds from its timestamp; {@link
   * VersionRules#FOREVER} if it has none beside that of its family}
   */
  public long ttlMillis() {
    return CellTags.ttlMillis(tags);
  }

  /**
   * {@return the tags in HBase's form, with the time to live if the cell has its own; empty if
   * there are none} The database keeps all tags, and interprets only the time to live. Raw scans,
   * change feeds and queries with {@link Query#setAllTags} return all tags; other reads return only
   * the time to live. The array must not be changed.
   */
  public byte[] tags() {
    return tags;
  }

  /**
   * {@return whether the cell belongs to a column}
   *
   * @param family the name of the family
   * @param qualifier the qualifier; not copied
   */
  public boolean isOf(byte[] family, byte[] qualifier) {
    return Arrays.equals(this.qualifier, qualifier) && Arrays.equals(this.family, family);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Cell that
        && timestamp == that.timestamp
        && type == that.type
        && Arrays.equals(row, that.row)
        && Arrays.equals(family, that.family)
        && Arrays.equals(qualifier, that.qualifier)
        && Arrays.equals(value, that.value)
        && Arrays.equals(tags, that.tags);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Arrays.hashCode(row) + Arrays.hashCode(qualifier)) + Long.hashCode(timestamp);
  }

  @Override
  public String toString() {
    long ttlMillis = ttlMillis();
    return Bytes.show(row)
        + "/"
        + Bytes.show(family)
        + ":"
        + Bytes.show(qualifier)
        + "/"
        + timestamp
        + "/"
        + type
        + "/"
        + Bytes.show(value)
        + (ttlMillis == VersionRules.FOREVER ? "" : "/" + ttlMillis + " ms")
        + (CellTags.withTtl(tags, VersionRules.FOREVER).length == 0
            ? ""
            : "/tags " + Bytes.show(tags));
  }
}
