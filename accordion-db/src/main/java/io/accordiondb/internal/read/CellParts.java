// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.Cell;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;

/** Copies cells, and parts of them, out of the memory that a cursor reads. */
final class CellParts {
  private static final byte[] NO_QUALIFIER = {};

  private CellParts() {}

  /** Returns the current cell of a cursor with its type and all of its tags. */
  static Cell whole(byte[] row, byte[] family, CellCursor cell) {
    ByteBuffer buffer = cell.buffer();
    int offset = cell.offset();
    CellType type = CellType.of(KeyValueLayout.typeCode(buffer, offset));
    return of(row, family, cell, type, CellTags.copyOf(buffer, offset, cell.length()));
  }

  /** Returns the current cell of a cursor, which is a put, with other tags than its own. */
  static Cell put(byte[] row, byte[] family, CellCursor cell, byte[] tags) {
    return of(row, family, cell, CellType.PUT, tags);
  }

  private static Cell of(byte[] row, byte[] family, CellCursor cell, CellType type, byte[] tags) {
    ByteBuffer buffer = cell.buffer();
    int offset = cell.offset();
    return new Cell(
        row,
        family,
        qualifier(buffer, offset),
        KeyValueLayout.timestamp(buffer, offset),
        type,
        KeyValueLayout.value(buffer, offset),
        tags);
  }

  static byte[] qualifier(ByteBuffer buffer, int offset) {
    int length = KeyValueLayout.qualifierLength(buffer, offset);
    if (length == 0) {
      return NO_QUALIFIER;
    }
    byte[] qualifier = new byte[length];
    buffer.get(KeyValueLayout.qualifierOffset(buffer, offset), qualifier);
    return qualifier;
  }
}
