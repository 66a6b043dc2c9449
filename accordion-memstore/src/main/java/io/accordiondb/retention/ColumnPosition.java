// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;

/**
 * Detects whether a cell begins a new row or a new column, for cells that are passed to it in
 * order. It keeps a copy of the last key, because the bytes of a cell may not outlive the next step
 * of the cursor.
 */
final class ColumnPosition {
  enum Step {
    NEW_ROW,
    NEW_COLUMN,
    SAME_COLUMN
  }

  private static final int TIME_AND_TYPE_BYTES = Long.BYTES + Byte.BYTES;
  private static final int KEY_BYTES_MIN = 64;
  private static final byte[] NONE = {};

  /** The last key, as a cell without value. Made when it is needed, which many reads do not. */
  private byte[] lastBytes = NONE;

  private ByteBuffer last = ByteBuffer.wrap(lastBytes);
  private int lastRowLength;
  private int lastLength;
  private boolean empty = true;

  /** Announces that the next cell begins a row, which saves a comparison. */
  void startRow() {
    empty = true;
  }

  Step step(ByteBuffer buffer, int offset) {
    int rowLength = KeyValueLayout.rowLength(buffer, offset);
    if (empty
        || rowLength != lastRowLength
        || !isLast(buffer, offset, KeyValueLayout.ROW_OFFSET, rowLength)) {
      moveTo(buffer, offset);
      return Step.NEW_ROW;
    }
    int length = KeyValueLayout.valueOffset(buffer, offset) - offset;
    int rowEnd = KeyValueLayout.ROW_OFFSET + rowLength;
    if (length != lastLength
        || !isLast(buffer, offset, rowEnd, length - TIME_AND_TYPE_BYTES - rowEnd)) {
      moveTo(buffer, offset);
      return Step.NEW_COLUMN;
    }
    return Step.SAME_COLUMN;
  }

  /**
   * Returns whether a part of the cell equals that of the last one. Compares from the end, where
   * most keys differ.
   */
  private boolean isLast(ByteBuffer buffer, int offset, int from, int length) {
    int at = from + length;
    while (at - Long.BYTES >= from) {
      at -= Long.BYTES;
      if (buffer.getLong(offset + at) != last.getLong(at)) {
        return false;
      }
    }
    while (at > from) {
      at--;
      if (buffer.get(offset + at) != last.get(at)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Remembers a cell as the last one, for a caller that already knows whether it begins a row or a
   * column.
   */
  void moveTo(ByteBuffer buffer, int offset) {
    int bytes = KeyValueLayout.valueOffset(buffer, offset) - offset;
    if (bytes > lastBytes.length) {
      byte[] longer = new byte[Math.max(KEY_BYTES_MIN, Math.max(bytes, 2 * lastBytes.length))];
      last = ByteBuffer.wrap(longer);
      lastBytes = longer;
    }
    buffer.get(offset, lastBytes, 0, bytes);
    lastRowLength = KeyValueLayout.rowLength(last, 0);
    lastLength = bytes;
    empty = false;
  }
}
