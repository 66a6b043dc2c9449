// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import io.accordiondb.Cell;
import io.accordiondb.encoding.CellType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;

/** Cells of HBase's as the database's, to compare them. */
final class DatabaseCells {
  private DatabaseCells() {}

  static Cell of(org.apache.hadoop.hbase.Cell cell) {
    return new Cell(
        CellUtil.cloneRow(cell),
        CellUtil.cloneFamily(cell),
        CellUtil.cloneQualifier(cell),
        cell.getTimestamp(),
        CellType.of(cell.getTypeByte()),
        CellUtil.cloneValue(cell),
        PrivateCellUtil.cloneTags(cell));
  }
}
