// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scanners seek as in a sorted set, forwards and backwards. */
class AccordionMemStoreSeekTest extends MemStoreFixture {
  @ParameterizedTest
  @CsvSource({"BASIC, 0.004", "EAGER, 0.004", "ADAPTIVE, 1"})
  void seeksAgreeWithASortedSetForwardsAndBackwards(String policy, String fraction)
      throws Exception {
    configuration.set(StoreSettings.POLICY_KEY, policy);
    configuration.set(StoreSettings.ACTIVE_FRACTION_KEY, fraction);
    AccordionMemStore store = open();
    TreeSet<Cell> model = new TreeSet<>(ORDER);
    Random random = new Random(11);
    for (int i = 0; i < 2000; i++) {
      KeyValue cell =
          cell("r" + random.nextInt(200), "q" + random.nextInt(4), random.nextInt(5), i, "v" + i);
      store.add(cell, region);
      if (i <= 1500) {
        model.add(cell);
      }
    }
    for (int round = 0; round < 300; round++) {
      byte[] row = Bytes.toBytes("r" + random.nextInt(220));
      Cell target =
          switch (random.nextInt(6)) {
            case 0 -> PrivateCellUtil.createFirstOnRow(row);
            case 1 -> PrivateCellUtil.createLastOnRow(row);
            case 2 -> PrivateCellUtil.createFirstOnRow(row, FAMILY, Bytes.toBytes("q2"));
            case 3 ->
                PrivateCellUtil.createLastOnRowCol(
                    PrivateCellUtil.createFirstOnRow(row, FAMILY, Bytes.toBytes("q1")));
            case 4 -> {
              // As the hint of a filter, for a scan of several families.
              String[] families = {"a", "z", "aa", "zz"};
              byte[] other = Bytes.toBytes(families[random.nextInt(families.length)]);
              yield PrivateCellUtil.createFirstOnRow(row, other, Bytes.toBytes("q2"));
            }
            default -> {
              List<Cell> all = new ArrayList<>(model);
              yield all.get(random.nextInt(all.size()));
            }
          };
      Cell expected = model.ceiling(target);
      assertThat(first(store.getScanners(1500), s -> s.seek(target), false))
          .isEqualTo(textOf(expected));
      Cell start = model.first();
      assertThat(
              first(
                  store.getScanners(1500),
                  s -> {
                    s.seek(start);
                    return s.reseek(target);
                  },
                  false))
          .isEqualTo(textOf(ORDER.compare(start, target) > 0 ? start : expected));
      Cell before = model.lower(PrivateCellUtil.createFirstOnRow(row));
      Cell previous =
          before == null ? null : model.ceiling(PrivateCellUtil.createFirstOnRow(before));
      assertThat(
              first(
                  store.getScanners(1500),
                  s -> s.seekToPreviousRow(PrivateCellUtil.createFirstOnRow(row)),
                  true))
          .isEqualTo(textOf(previous));
    }
    Cell lastRow = model.ceiling(PrivateCellUtil.createFirstOnRow(model.last()));
    assertThat(first(store.getScanners(1500), KeyValueScanner::seekToLastRow, true))
        .isEqualTo(textOf(lastRow));
  }

  private interface Seek {
    boolean on(KeyValueScanner scanner) throws IOException;
  }

  private static String textOf(Cell cell) {
    return cell == null ? null : text(cell);
  }

  /** Seeks on all scanners and returns the cell that a scan would return first. */
  private static String first(List<KeyValueScanner> scanners, Seek seek, boolean reversed)
      throws IOException {
    Cell first = null;
    for (KeyValueScanner scanner : scanners) {
      boolean found = seek.on(scanner);
      Cell cell = scanner.peek();
      assertThat(found).isEqualTo(cell != null);
      if (cell != null && (first == null || goesBefore(cell, first, reversed))) {
        first = cell;
      }
    }
    String text = textOf(first);
    scanners.forEach(KeyValueScanner::close);
    return text;
  }

  private static boolean goesBefore(Cell cell, Cell first, boolean reversed) {
    int rows = ORDER.compareRows(cell, first);
    return rows == 0 || !reversed ? ORDER.compare(cell, first) < 0 : rows > 0;
  }

  @Test
  void backwardSeekStaysInTheRowOrGoesToTheOneBefore() throws IOException {
    AccordionMemStore store = open();
    store.add(List.of(cell("a", "q", 1, 1, "x"), cell("c", "q", 1, 1, "y")), region);
    store.add(cell("b", "q", 1, 5, "later"), region);
    KeyValueScanner scanner = store.getScanners(1).get(0);
    assertThat(scanner.backwardSeek(PrivateCellUtil.createFirstOnRow(Bytes.toBytes("c")))).isTrue();
    assertThat(text(scanner.peek())).isEqualTo("c:q=y@1");
    assertThat(scanner.backwardSeek(PrivateCellUtil.createFirstOnRow(Bytes.toBytes("b")))).isTrue();
    assertThat(text(scanner.peek())).isEqualTo("a:q=x@1");
    assertThat(scanner.seekToPreviousRow(scanner.peek())).isFalse();
    scanner.close();
  }
}
