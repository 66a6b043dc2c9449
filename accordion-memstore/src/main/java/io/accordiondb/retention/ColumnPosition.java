// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Tells for cells in order whether one begins a new row or a new column. It keeps a copy of the key
 * it has seen last, because the bytes of a cell need not outlive the cursor's next step.
 */
final class ColumnPosition {
  enum Step {
    NEW_ROW,
    NEW_COLUMN,
    SAME_COLUMN
  }

  /** The last key, as a cell without value. */
  private byte[] lastBytes = new byte[256];

  private ByteBuffer last = ByteBuffer.wrap(lastBytes);
  private boolean empty = true;

  /** Says that the next cell begins a row, which saves comparing. */
  void startRow() {
    empty = true;
  }

  Step step(ByteBuffer buffer, int offset) {
    if (!empty && CellComparator.compareColumns(buffer, offset, last, 0) == 0) {
      return Step.SAME_COLUMN;
    }
    boolean sameRow = !empty && CellComparator.compareRows(buffer, offset, last, 0) == 0;
    moveTo(buffer, offset);
    return sameRow ? Step.NEW_COLUMN : Step.NEW_ROW;
  }

  /** Says which cell was the last, for a caller who knows by itself what it begins. */
  void moveTo(ByteBuffer buffer, int offset) {
    int bytes = KeyValueLayout.valueOffset(buffer, offset) - offset;
    if (bytes > lastBytes.length) {
      lastBytes = Arrays.copyOf(lastBytes, Math.max(bytes, 2 * lastBytes.length));
      last = ByteBuffer.wrap(lastBytes);
    }
    buffer.get(offset, lastBytes, 0, bytes);
    empty = false;
  }
}
