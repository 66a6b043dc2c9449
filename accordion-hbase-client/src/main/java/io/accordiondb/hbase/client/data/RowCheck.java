// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.Table;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The outcome of the condition of HBase's {@link CheckAndMutate}.
 *
 * @param holds whether the condition holds
 * @param timestamp the timestamp of the cell that was looked at; 0 if there is none
 */
record RowCheck(boolean holds, long timestamp) {
  /** Evaluates a condition on a row, within a transaction. */
  static RowCheck of(CheckAndMutate change, Table table, TableDescriptor descriptor)
      throws IOException {
    Get get = new Get(change.getRow());
    TimeRange range = change.getTimeRange();
    get.setTimeRange(range.getMin(), range.getMax());
    if (change.hasFilter()) {
      // A region evaluates a condition with all families, whatever the filter needs.
      get.setFilter(change.getFilter()).setLoadColumnFamiliesOnDemand(false);
    } else {
      get.addColumn(change.getFamily(), change.getQualifier());
    }
    List<Cell> found = ScanRows.readRow(table, descriptor, new Scan(get), Snapshots.OF_TRANSACTION);
    if (found.isEmpty()) {
      boolean holds =
          !change.hasFilter()
              && isNone(change.getValue())
              && change.getCompareOp() != CompareOperator.NOT_EQUAL;
      return new RowCheck(holds, 0);
    }
    Cell cell = found.get(0);
    return new RowCheck(change.hasFilter() || holds(change, cell), cell.getTimestamp());
  }

  private static boolean isNone(byte[] expected) {
    return expected == null || expected.length == 0;
  }

  private static boolean holds(CheckAndMutate change, Cell cell) throws IOException {
    CompareOperator operator = change.getCompareOp();
    if (isNone(change.getValue())) {
      return (cell.getValueLength() == 0) == (operator != CompareOperator.NOT_EQUAL);
    }
    // HBase compares the given value with the stored one, so the operators are the other way round.
    int order = Bytes.compareTo(change.getValue(), CellUtil.cloneValue(cell));
    return switch (operator) {
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
      case EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case GREATER_OR_EQUAL -> order >= 0;
      case GREATER -> order > 0;
      case NO_OP ->
          throw new IllegalArgumentException("a condition needs an operator, not " + operator);
    };
  }
}
