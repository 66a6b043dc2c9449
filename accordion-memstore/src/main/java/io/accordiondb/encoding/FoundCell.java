// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@link CellSource#find}: the value of a put, in place, with its timestamp and its
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

  /** The value itself, if it is a copy; then there is no buffer. */
  private byte @Nullable [] copy;

  /** Takes the cell at an offset of a buffer. */
  public void set(ByteBuffer cell, int offset, long sequenceNumber) {
    set(
        cell,
        KeyValueLayout.valueOffset(cell, offset),
        KeyValueLayout.valueLength(cell, offset),
        KeyValueLayout.timestamp(cell, offset),
        sequenceNumber);
  }

  /** Takes the cell at an offset of a buffer, with a value of its own. */
  void setCopy(ByteBuffer cell, int offset, long sequenceNumber) {
    set(cell, offset, sequenceNumber);
    copy = value();
    buffer = NONE;
  }

  /** Takes a cell by its parts, with a value that goes over to it. */
  public void setValue(byte[] value, long timestamp, long sequenceNumber) {
    set(NONE, 0, value.length, timestamp, sequenceNumber);
    copy = value;
  }

  /** Takes a cell by its parts. */
  public void set(
      ByteBuffer buffer, int valueOffset, int valueLength, long timestamp, long sequenceNumber) {
    this.buffer = buffer;
    this.valueOffset = valueOffset;
    this.valueLength = valueLength;
    this.timestamp = timestamp;
    this.sequence = sequenceNumber;
    copy = null;
  }

  /** Takes what another one has. */
  public void set(FoundCell other) {
    set(other.buffer, other.valueOffset, other.valueLength, other.timestamp, other.sequence);
    copy = other.copy;
  }

  /** Lets go of the value. */
  public void clear() {
    buffer = NONE;
    valueOffset = 0;
    valueLength = 0;
    copy = null;
  }

  /** Returns the cell's timestamp. */
  public long timestamp() {
    return timestamp;
  }

  /** Returns the cell's sequence number. */
  public long sequence() {
    return sequence;
  }

  /** Returns the value, for one caller: it may be the only copy there is. */
  public byte[] value() {
    if (copy != null) {
      return copy;
    }
    byte[] value = new byte[valueLength];
    buffer.get(valueOffset, value);
    return value;
  }

  /** Returns the length of the value in bytes. */
  public int valueLength() {
    return valueLength;
  }

  /** Copies the value into an array. */
  public void copyValue(byte[] target, int at) {
    if (copy == null) {
      buffer.get(valueOffset, target, at, valueLength);
    } else {
      System.arraycopy(copy, 0, target, at, valueLength);
    }
  }

  /** Returns whether this cell is the newer one of the same column. */
  public boolean isNewerThan(FoundCell other) {
    return timestamp > other.timestamp
        || (timestamp == other.timestamp && sequence > other.sequence);
  }
}
