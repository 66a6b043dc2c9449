// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.Cell;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;

/**
 * Copies encoded cells out of the memory that holds them. The copies share nothing with that
 * memory, so they stay valid when it is reused. Pure functions.
 */
public final class CellCopy {
  private CellCopy() {}

  /**
   * Returns a cell with its type and all of its tags.
   *
   * @param family its name, which cells in memory, files and the log do not hold
   * @param length bytes of the cell, tags included
   */
  public static Cell of(byte[] family, ByteBuffer buffer, int offset, int length) {
    return whole(KeyValueLayout.row(buffer, offset), family, buffer, offset, length);
  }

  /** Returns the current cell of a cursor with its type and all of its tags; its row is known. */
  static Cell whole(byte[] row, byte[] family, CellCursor cell) {
    return whole(row, family, cell.buffer(), cell.offset(), cell.length());
  }

  private static Cell whole(byte[] row, byte[] family, ByteBuffer buffer, int offset, int length) {
    CellType type = CellType.of(KeyValueLayout.typeCode(buffer, offset));
    return of(row, family, buffer, offset, type, CellTags.copyOf(buffer, offset, length));
  }

  /** Returns the current cell of a cursor, which is a put, with other tags than its own. */
  static Cell put(byte[] row, byte[] family, CellCursor cell, byte[] tags) {
    return of(row, family, cell.buffer(), cell.offset(), CellType.PUT, tags);
  }

  private static Cell of(
      byte[] row, byte[] family, ByteBuffer buffer, int offset, CellType type, byte[] tags) {
    return new Cell(
        row,
        family,
        KeyValueLayout.qualifier(buffer, offset),
        KeyValueLayout.timestamp(buffer, offset),
        type,
        KeyValueLayout.value(buffer, offset),
        tags);
  }
}
