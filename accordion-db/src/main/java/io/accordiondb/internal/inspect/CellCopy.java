// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.inspect;

import io.accordiondb.Cell;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;

/** Copies serialised cells. */
final class CellCopy {
  private CellCopy() {}

  /**
   * Returns a cell.
   *
   * @param family its name, which cells in files do not hold
   */
  static Cell of(ByteBuffer buffer, int offset, byte[] family) {
    return new Cell(
        bytes(buffer, KeyValueLayout.rowOffset(offset), KeyValueLayout.rowLength(buffer, offset)),
        family,
        bytes(
            buffer,
            KeyValueLayout.qualifierOffset(buffer, offset),
            KeyValueLayout.qualifierLength(buffer, offset)),
        KeyValueLayout.timestamp(buffer, offset),
        CellType.of(KeyValueLayout.typeCode(buffer, offset)),
        KeyValueLayout.value(buffer, offset));
  }

  private static byte[] bytes(ByteBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.get(offset, bytes);
    return bytes;
  }
}
