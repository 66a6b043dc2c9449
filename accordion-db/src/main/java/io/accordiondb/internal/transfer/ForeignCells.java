// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transfer;

import io.accordiondb.Cell;
import io.accordiondb.CellLimits;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.RowTooLongException;
import io.accordiondb.ValueTooLargeException;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.sstable.CellCheck;
import java.nio.ByteBuffer;

/**
 * Checks the cells of a file before it is ingested, so that no cell enters the database that a put
 * would refuse. Immutable.
 *
 * @param file the file, named in messages
 * @param options hold the limits of rows and values
 */
record ForeignCells(String file, DatabaseOptions options) implements CellCheck {
  /** Throws an exception that names file and cell if a put would refuse the cell. */
  @Override
  public void check(ByteBuffer cell, int offset) {
    try {
      checkFitness(cell, offset);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          file
              + " cannot be ingested because of cell "
              + cellAt(cell, offset)
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private void checkFitness(ByteBuffer cell, int offset) {
    int typeCode = KeyValueLayout.typeCode(cell, offset);
    if (typeCode != CellType.PUT.code() || KeyValueLayout.familyLength(cell, offset) > 0) {
      throw new IllegalArgumentException("it was not written by a SortedFileWriter");
    }
    int rowBytes = KeyValueLayout.rowLength(cell, offset);
    if (rowBytes > options.rowBytesMax()) {
      throw new RowTooLongException(rowBytes, options.rowBytesMax());
    }
    int qualifierBytes = KeyValueLayout.qualifierLength(cell, offset);
    if (qualifierBytes > CellLimits.QUALIFIER_BYTES_MAX) {
      throw new ValueTooLargeException(
          "the qualifier", qualifierBytes, CellLimits.QUALIFIER_BYTES_MAX);
    }
    int valueBytes = KeyValueLayout.valueLength(cell, offset);
    if (valueBytes > options.valueBytesMax()) {
      throw new ValueTooLargeException("the value", valueBytes, options.valueBytesMax());
    }
    CellLimits.checkTimestamp(KeyValueLayout.timestamp(cell, offset));
  }

  private static Cell cellAt(ByteBuffer cell, int offset) {
    return new Cell(
        bytes(cell, KeyValueLayout.rowOffset(offset), KeyValueLayout.rowLength(cell, offset)),
        bytes(
            cell,
            KeyValueLayout.familyOffset(cell, offset),
            KeyValueLayout.familyLength(cell, offset)),
        bytes(
            cell,
            KeyValueLayout.qualifierOffset(cell, offset),
            KeyValueLayout.qualifierLength(cell, offset)),
        KeyValueLayout.timestamp(cell, offset),
        CellType.of(KeyValueLayout.typeCode(cell, offset)),
        bytes(
            cell,
            KeyValueLayout.valueOffset(cell, offset),
            KeyValueLayout.valueLength(cell, offset)));
  }

  private static byte[] bytes(ByteBuffer buffer, int from, int length) {
    byte[] bytes = new byte[length];
    buffer.get(from, bytes);
    return bytes;
  }
}
