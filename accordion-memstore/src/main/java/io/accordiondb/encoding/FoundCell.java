// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@link CellSource#find}: the value of a cell, in place, with its timestamp and its
 * sequence number. An instance may be reused for many searches. Belongs to one thread.
 *
 * <p>The value stays readable as long as the view or the table that the source belongs to is held.
 */
public final class FoundCell {
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private ByteBuffer buffer = NONE;
  private int valueOffset;
  private int valueLength;
  private long timestamp;
  private long sequence;
  private boolean plainPut;

  /** The value, if this object holds a copy of it; then the buffer is unused. */
  private byte @Nullable [] copy;

  /**
   * Sets this to the cell at an offset of a buffer. The value stays in the buffer.
   *
   * @param cell big-endian buffer that holds the cell; referenced, not copied
   * @param offset offset of the cell's first byte, in bytes
   * @param sequenceNumber the cell's sequence number
   * @param hasTags whether tags follow the value
   */
  public void set(ByteBuffer cell, int offset, long sequenceNumber, boolean hasTags) {
    set(
        cell,
        KeyValueLayout.valueOffset(cell, offset),
        KeyValueLayout.valueLength(cell, offset),
        KeyValueLayout.timestamp(cell, offset),
        sequenceNumber);
    plainPut = !hasTags && KeyValueLayout.typeCode(cell, offset) == CellType.PUT.code();
  }

  /** Sets this to the current cell of a cursor, and copies its value. */
  void setCopy(CellCursor cursor) {
    ByteBuffer cell = cursor.buffer();
    int offset = cursor.offset();
    boolean hasTags = cursor.length() != KeyValueLayout.length(cell, offset);
    set(cell, offset, cursor.sequenceNumber(), hasTags);
    copy = value();
    buffer = NONE;
  }

  /**
   * Sets this to a put without tags whose value is an array of its own.
   *
   * @param value the value; the caller must not change it afterwards
   * @param timestamp the cell's timestamp
   * @param sequenceNumber the cell's sequence number
   */
  public void setValue(byte[] value, long timestamp, long sequenceNumber) {
    set(NONE, 0, value.length, timestamp, sequenceNumber);
    copy = value;
  }

  /**
   * Sets this to a cell of which only the time is known, and that is not a put without tags.
   *
   * @param timestamp the cell's timestamp
   * @param sequenceNumber the cell's sequence number
   */
  public void setOther(long timestamp, long sequenceNumber) {
    set(NONE, 0, 0, timestamp, sequenceNumber);
    plainPut = false;
  }

  /**
   * Sets this to a put without tags that is given by its parts. The value stays in the buffer.
   *
   * @param buffer buffer that holds the value; referenced, not copied
   * @param valueOffset offset of the value's first byte, in bytes
   * @param valueLength length of the value in bytes
   * @param timestamp the cell's timestamp
   * @param sequenceNumber the cell's sequence number
   */
  public void set(
      ByteBuffer buffer, int valueOffset, int valueLength, long timestamp, long sequenceNumber) {
    this.buffer = buffer;
    this.valueOffset = valueOffset;
    this.valueLength = valueLength;
    this.timestamp = timestamp;
    this.sequence = sequenceNumber;
    plainPut = true;
    copy = null;
  }

  /**
   * Sets this to the cell that another instance holds.
   *
   * @param other the instance to copy from
   */
  public void set(FoundCell other) {
    set(other.buffer, other.valueOffset, other.valueLength, other.timestamp, other.sequence);
    plainPut = other.plainPut;
    copy = other.copy;
  }

  /** Releases the value. */
  public void clear() {
    buffer = NONE;
    valueOffset = 0;
    valueLength = 0;
    copy = null;
  }

  /** {@return the cell's timestamp} */
  public long timestamp() {
    return timestamp;
  }

  /** {@return the cell's sequence number} */
  public long sequence() {
    return sequence;
  }

  /**
   * {@return whether the cell is a put without tags} Any other cell may hide older ones, now or
   * when its time to live has passed.
   */
  public boolean isPlainPut() {
    return plainPut;
  }

  /**
   * {@return the value} The array belongs to the caller. Several calls may return the same array,
   * so only one caller may take it.
   */
  public byte[] value() {
    if (copy != null) {
      return copy;
    }
    byte[] value = new byte[valueLength];
    buffer.get(valueOffset, value);
    return value;
  }

  /** {@return the length of the value in bytes} */
  public int valueLength() {
    return valueLength;
  }

  /**
   * Copies the value into an array.
   *
   * @param target the array to copy into
   * @param at index in {@code target} at which the value begins
   */
  public void copyValue(byte[] target, int at) {
    if (copy == null) {
      buffer.get(valueOffset, target, at, valueLength);
    } else {
      System.arraycopy(copy, 0, target, at, valueLength);
    }
  }

  /**
   * {@return whether this cell is the newer one of the same column}
   *
   * @param other a cell of the same column
   */
  public boolean isNewerThan(FoundCell other) {
    return timestamp > other.timestamp
        || (timestamp == other.timestamp && sequence > other.sequence);
  }
}
