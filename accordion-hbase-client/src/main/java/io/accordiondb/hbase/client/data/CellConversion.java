// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.Cell;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;

/**
 * Makes HBase's cells from those of the database. They are of the class {@link KeyValue}, as the
 * cells that HBase's client gets from a server, because programs cast to it. Pure functions.
 */
final class CellConversion {
  private static final org.apache.hadoop.hbase.Cell[] NO_CELLS = {};

  private CellConversion() {}

  /** Returns a cell as HBase has it. */
  static KeyValue toHBase(Cell cell) {
    return new KeyValue(
        cell.row(),
        cell.family(),
        cell.qualifier(),
        cell.timestamp(),
        KeyValue.Type.codeToType(cell.type().code()),
        cell.value());
  }

  /** Returns cells as HBase has them, in the same order. */
  static List<org.apache.hadoop.hbase.Cell> toHBase(List<Cell> cells) {
    List<org.apache.hadoop.hbase.Cell> converted = new ArrayList<>(cells.size());
    for (Cell cell : cells) {
      converted.add(toHBase(cell));
    }
    return converted;
  }

  /** Returns the cells of a row as a result. */
  static Result result(List<org.apache.hadoop.hbase.Cell> cells) {
    return Result.create(cells.toArray(NO_CELLS));
  }

  /** Returns the answer to a question whether anything exists. */
  static Result existence(boolean exists) {
    return Result.create(List.of(), exists);
  }
}
