// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transfer;

import io.accordiondb.CellLimits;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.EmptyRowException;
import io.accordiondb.RowTooLongException;
import io.accordiondb.ValueTooLargeException;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.sstable.CellCheck;
import io.accordiondb.internal.sstable.KeyText;
import java.nio.ByteBuffer;

/**
 * Checks the cells of a file before it is ingested, so that no cell enters the database that a put
 * would refuse, or that a {@link io.accordiondb.SortedFileWriter} does not write, such as one with
 * tags. Immutable.
 *
 * @param file the file, named in messages
 * @param options hold the limits of rows and values
 */
record ForeignCells(String file, DatabaseOptions options) implements CellCheck {
  /** Throws an exception that names file and cell if a put would refuse the cell. */
  @Override
  public void check(ByteBuffer cell, int offset, int length) {
    try {
      checkFitness(cell, offset, length);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          file
              + " cannot be ingested because of cell "
              + KeyText.of(cell, offset, 0)
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private void checkFitness(ByteBuffer cell, int offset, int length) {
    boolean isPut = KeyValueLayout.typeCode(cell, offset) == CellType.PUT.code();
    boolean hasTags = length != KeyValueLayout.length(cell, offset);
    if (!isPut || hasTags || KeyValueLayout.familyLength(cell, offset) > 0) {
      throw new IllegalArgumentException("it was not written by a SortedFileWriter");
    }
    int rowBytes = KeyValueLayout.rowLength(cell, offset);
    if (rowBytes == 0) {
      throw new EmptyRowException("ingest");
    }
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
}
