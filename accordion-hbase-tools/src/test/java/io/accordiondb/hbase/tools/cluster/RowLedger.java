// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What a table must hold: one put writes one number into all cells of a row, in several families. A
 * reader must find the same number in all cells, not lower than the last one that was acknowledged
 * before it began, and not higher than the last one that was sent. Thread-safe; a row has one
 * writer.
 *
 * <p>The number is the timestamp of its cells as well. So a put that the client has sent twice,
 * because the first answer was lost, hides no later put when the first copy arrives late.
 */
final class RowLedger {
  static final byte[][] FAMILIES = {Bytes.toBytes("a"), Bytes.toBytes("b")};
  private static final int COLUMNS = 5;
  private static final byte[] FILLING = new byte[64];

  private final AtomicLongArray sent;
  private final AtomicLongArray acknowledged;
  private final AtomicLong acknowledgements = new AtomicLong();
  private final AtomicLong checks = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();

  RowLedger(int rows) {
    sent = new AtomicLongArray(rows);
    acknowledged = new AtomicLongArray(rows);
  }

  int rows() {
    return sent.length();
  }

  /** Returns how many puts were acknowledged. */
  long acknowledgements() {
    return acknowledgements.get();
  }

  /** Returns how many rows were read and found right. */
  long checks() {
    return checks.get();
  }

  /** Returns how many puts were not acknowledged, although the client tried again and again. */
  long failures() {
    return failures.get();
  }

  static byte[] row(int number) {
    return Bytes.toBytes(String.format("%06d", number));
  }

  /** Writes a row. */
  void write(Table table, int row) {
    long number = sent.incrementAndGet(row);
    Put put = new Put(row(row), number);
    byte[] value = Bytes.add(Bytes.toBytes(number), FILLING);
    for (byte[] family : FAMILIES) {
      for (int column = 0; column < COLUMNS; column++) {
        put.addColumn(family, Bytes.toBytes("q" + column), value);
      }
    }
    try {
      table.put(put);
      acknowledged.set(row, number);
      acknowledgements.incrementAndGet();
    } catch (IOException e) {
      failures.incrementAndGet();
    }
  }

  /** Reads rows that follow each other, in one call, and checks them. */
  void get(Table table, int firstRow, int count) throws IOException {
    long[] least = new long[count];
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      least[i] = acknowledged.get(firstRow + i);
      gets.add(new Get(row(firstRow + i)));
    }
    Result[] results = table.get(gets);
    for (int i = 0; i < count; i++) {
      check(firstRow + i, least[i], results[i]);
    }
  }

  /** Reads all rows and checks them, and that each of them is there once. */
  void scan(Table table) throws IOException {
    long[] least = new long[rows()];
    for (int row = 0; row < least.length; row++) {
      least[row] = acknowledged.get(row);
    }
    int next = 0;
    try (ResultScanner scanner = table.getScanner(new Scan().setCaching(100))) {
      for (Result result : scanner) {
        int row = Integer.parseInt(Bytes.toString(result.getRow()));
        if (row < next) {
          throw new AssertionError("row " + row + " comes twice, or after row " + (next - 1));
        }
        for (; next < row; next++) {
          check(next, least[next], Result.EMPTY_RESULT);
        }
        check(row, least[row], result);
        next++;
      }
    }
    for (; next < rows(); next++) {
      check(next, least[next], Result.EMPTY_RESULT);
    }
  }

  private void check(int row, long least, Result result) {
    if (result.isEmpty()) {
      if (least > 0) {
        throw new AssertionError("row " + row + " is lost, which had " + least);
      }
      return;
    }
    int cells = result.rawCells().length;
    if (cells != FAMILIES.length * COLUMNS) {
      throw new AssertionError("row " + row + " is torn, it has " + cells + " cells: " + result);
    }
    long found = number(result.rawCells()[0]);
    for (Cell cell : result.rawCells()) {
      if (number(cell) != found) {
        throw new AssertionError(
            "row " + row + " is torn, it has " + found + " and " + number(cell) + ": " + result);
      }
    }
    if (found < least || found > sent.get(row)) {
      throw new AssertionError(
          "row " + row + " has " + found + ", expected " + least + " to " + sent.get(row));
    }
    checks.incrementAndGet();
  }

  private static long number(Cell cell) {
    return Bytes.toLong(CellUtil.cloneValue(cell));
  }
}
