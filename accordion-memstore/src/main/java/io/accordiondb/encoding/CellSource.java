// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A source of sorted cells: a segment in memory or a sorted table. It also gives the counts and
 * ranges by which a reader decides to skip it. Thread-safe.
 */
public interface CellSource {
  /** {@return a cursor over all cells, which is on no cell yet} */
  CellCursor cursor();

  /**
   * {@return whether the source may hold cells of a row} False is certain.
   *
   * @param key a serialised cell of the row
   * @param keyOffset offset of the first byte of {@code key}, in bytes
   * @throws IOException if the storage fails
   */
  boolean mayContainRow(ByteBuffer key, int keyOffset) throws IOException;

  /**
   * {@return whether the source may hold cells of a range of rows} False is certain. Reads no file.
   *
   * @param first the first row; empty for the beginning
   * @param end the row before which the range ends; empty for no end
   */
  default boolean mayContainRows(byte[] first, byte[] end) {
    return true;
  }

  /**
   * {@return whether the source may hold puts of a column; if false, it certainly holds none}
   *
   * @param key a serialised cell of the column
   * @param keyOffset offset of the key's first byte, in bytes
   * @throws IOException if the storage fails
   */
  default boolean mayContainColumn(ByteBuffer key, int keyOffset) throws IOException {
    return mayContainRow(key, keyOffset);
  }

  /**
   * Finds the first cell of a column that is not newer than a read point. A put without tags is
   * then the newest version in this source, which delete markers of the column do not hide, but
   * those of the row may.
   *
   * @param key the key before all cells of the column, as a serialised cell
   * @param keyOffset offset of the key's first byte, in bytes
   * @param readPoint highest sequence number that the reader sees
   * @param found takes the cell, if there is one
   * @return whether there is one
   * @throws IOException if the storage fails
   */
  default boolean find(ByteBuffer key, int keyOffset, long readPoint, FoundCell found)
      throws IOException {
    if (!mayContainColumn(key, keyOffset)) {
      return false;
    }
    try (CellCursor cursor = cursor()) {
      boolean stands = cursor.seek(key, keyOffset);
      while (stands
          && CellComparator.compareColumns(cursor.buffer(), cursor.offset(), key, keyOffset) == 0) {
        if (cursor.sequenceNumber() <= readPoint) {
          found.setCopy(cursor);
          return true;
        }
        stands = cursor.next();
      }
      return false;
    }
  }

  /**
   * {@return this source, or a part of it without cells that are older than a timestamp and share
   * no row with others}
   *
   * @param timestamp the timestamp
   */
  default CellSource since(long timestamp) {
    return this;
  }

  /** {@return the number of cells, delete markers included} */
  long cellCount();

  /**
   * {@return the number of cells that hide others, or will: delete markers, operands, and puts with
   * a time to live of their own, which become markers when it has passed}
   */
  long deleteMarkerCount();

  /**
   * {@return the highest timestamp of all markers that hide puts of exactly their timestamp, or a
   * higher one; {@link Long#MIN_VALUE} when there are none}
   */
  default long maxVersionMarkerTimestamp() {
    return deleteMarkerCount() > 0 ? maxTimestamp() : Long.MIN_VALUE;
  }

  /** {@return the lowest timestamp of all cells, or {@link Long#MAX_VALUE} when there are none} */
  long minTimestamp();

  /** {@return the highest timestamp of all cells, or {@link Long#MIN_VALUE} when there are none} */
  long maxTimestamp();

  /** {@return the lowest sequence number, or {@link Long#MAX_VALUE} when there are no cells} */
  long minSequence();

  /** {@return the highest sequence number, or 0 when there are no cells} */
  long maxSequence();
}
