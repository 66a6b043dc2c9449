// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import io.accordiondb.Cell;
import io.accordiondb.encoding.CellType;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;

/** Cells of the database as HBase's. The codes of their types are the same. */
final class HBaseCells {
  private static final byte[] NO_BYTES = {};

  /** HBase writes the length of the tags in two bytes, and its reader takes them for signed. */
  private static final int TAGS_BYTES_MAX = Short.MAX_VALUE;

  private HBaseCells() {}

  /** Returns a cell for messages, which must not show values. */
  static String keyOf(Cell cell) {
    return Bytes.toStringBinary(cell.row())
        + "/"
        + Bytes.toStringBinary(cell.family())
        + ":"
        + Bytes.toStringBinary(cell.qualifier())
        + "/"
        + cell.timestamp()
        + "/"
        + cell.type();
  }

  /**
   * Returns the cell as HBase's, with its tags.
   *
   * @throws IllegalArgumentException if HBase cannot hold it
   */
  static KeyValue of(Cell cell) {
    byte[] tags = cell.tags();
    if (tags.length > TAGS_BYTES_MAX) {
      throw new IllegalArgumentException(
          "the tags of row "
              + Bytes.toStringBinary(cell.row())
              + ", column "
              + Bytes.toStringBinary(cell.family())
              + ":"
              + Bytes.toStringBinary(cell.qualifier())
              + ", have "
              + tags.length
              + " bytes, expected up to "
              + TAGS_BYTES_MAX);
    }
    KeyValue.Type type =
        switch (cell.type()) {
          case PUT -> KeyValue.Type.Put;
          case DELETE -> KeyValue.Type.Delete;
          case DELETE_FAMILY_VERSION -> KeyValue.Type.DeleteFamilyVersion;
          case DELETE_COLUMN -> KeyValue.Type.DeleteColumn;
          case DELETE_FAMILY -> KeyValue.Type.DeleteFamily;
          case DELETE_RANGE, MERGE ->
              throw new IllegalArgumentException(
                  keyOf(cell) + " is of a type that HBase does not have");
        };
    byte[] row = cell.row();
    byte[] family = cell.family();
    byte[] qualifier = cell.qualifier();
    byte[] value = cell.type() == CellType.PUT ? cell.value() : NO_BYTES;
    return new KeyValue(
        row,
        0,
        row.length,
        family,
        0,
        family.length,
        qualifier,
        0,
        qualifier.length,
        cell.timestamp(),
        type,
        value,
        0,
        value.length,
        tags,
        0,
        tags.length);
  }
}
