// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rows of the longest legal length, and bounds of ranges that are longer: scans and range deletes
 * give what a sorted set gives. Where a row must be one that a cell can have, a longer one is
 * refused.
 */
@Tag("slow")
class LongestRowsTest {
  private static final int LONGEST = 32_767;
  private static final byte[] F = bytes("f");
  private static final byte[] FIRST = {};
  private static final byte[] MIDDLE = bytes("m");
  private static final byte[] LAST = filled(LONGEST, 0xFF);
  private static final byte[] VALUE = {1};

  /** Of a scan: each bound inclusive or exclusive, and its direction. */
  private static final int VARIANTS = 8;

  /** Enough columns for a reader of one of them to seek to the next row. */
  private static final int COLUMNS_BETWEEN = 10;

  /** Where the rows are when they are read. */
  enum Layout {
    MEMORY(false, false),
    FILES(true, false),
    REGIONS(false, true),
    REGIONS_IN_FILES(true, true),

    /** A file for each row, or nearly so. */
    LEVELS(true, false);

    private final boolean flushed;
    private final boolean split;

    Layout(boolean flushed, boolean split) {
      this.flushed = flushed;
      this.split = split;
    }
  }

  private static byte[] filled(int length, int with) {
    byte[] row = new byte[length];
    Arrays.fill(row, (byte) with);
    return row;
  }

  private static byte[] filled(int length, int with, int last) {
    byte[] row = filled(length, with);
    row[length - 1] = (byte) last;
    return row;
  }

  private static byte[] longer(byte[] row, int length, int with) {
    byte[] longer = filled(length, with);
    System.arraycopy(row, 0, longer, 0, row.length);
    return longer;
  }

  private static NavigableSet<byte[]> rows() {
    NavigableSet<byte[]> rows = new TreeSet<>(Arrays::compareUnsigned);
    for (int with : new int[] {0, 'b', 0xFE, 0xFF}) {
      rows.add(filled(1, with));
      rows.add(filled(LONGEST - 1, with));
      rows.add(filled(LONGEST, with));
    }
    rows.add(filled(LONGEST, 'b', 'a'));
    rows.add(filled(LONGEST, 'b', 'c'));
    rows.add(bytes("c"));
    return rows;
  }

  /** The rows, and what is just below and just above them, longer than any row can be. */
  private static List<byte[]> bounds() {
    List<byte[]> bounds = new ArrayList<>(List.of(new byte[0], bytes("a"), bytes("bb")));
    for (byte[] row : rows()) {
      bounds.add(row);
      bounds.add(longer(row, LONGEST + 1, 0));
      bounds.add(longer(row, LONGEST + 1, 0xFF));
      bounds.add(longer(row, 40_000, 'b'));
      bounds.add(longer(row, 70_000, 'b'));
    }
    bounds.add(filled(LONGEST + 1, 'b', 0));
    bounds.add(filled(40_000, 'b', 'a'));
    return bounds;
  }

  private static Put putOf(byte[] row) {
    Put put = new Put(row);
    put.addColumn(F, FIRST, VALUE).addColumn(F, MIDDLE, VALUE).addColumn(F, LAST, VALUE);
    for (int i = 0; i < COLUMNS_BETWEEN; i++) {
      put.addColumn(F, bytes("n" + i), VALUE);
    }
    return put;
  }

  private static Database open(MemoryStorage storage) throws IOException {
    return DatabaseEngine.open(
        storage,
        DatabaseOptions.builder()
            .memoryBytes(64 << 20)
            .compactionThreads(1)
            .levelFileBytes(4 << 10)
            .build());
  }

  private static Table fill(Database database, Layout layout, NavigableSet<byte[]> rows)
      throws IOException {
    byte[][] splits = layout.split ? rows.toArray(byte[][]::new) : new byte[0][];
    FamilyDescriptor.Builder family = FamilyDescriptor.builder("f");
    if (layout == Layout.LEVELS) {
      family.compactionStyle(CompactionStyle.LEVELED);
    }
    database.createTable(TableDescriptor.builder("t").family(family.build()).build(), splits);
    Table table = database.table("t");
    for (byte[] row : rows) {
      table.put(putOf(row));
    }
    if (layout.flushed) {
      database.flush();
    }
    if (layout == Layout.LEVELS) {
      database.majorCompact("t");
    }
    return table;
  }

  private static List<byte[]> expected(NavigableSet<byte[]> rows, Scan scan) {
    List<byte[]> expected = new ArrayList<>();
    int sign = scan.reversed() ? -1 : 1;
    for (byte[] row : scan.reversed() ? rows.descendingSet() : rows) {
      int start = sign * Arrays.compareUnsigned(row, scan.startRow());
      int stop = sign * Arrays.compareUnsigned(row, scan.stopRow());
      boolean begun =
          scan.startRow().length == 0 || (scan.startInclusive() ? start >= 0 : start > 0);
      boolean ended = scan.stopRow().length > 0 && (scan.stopInclusive() ? stop > 0 : stop >= 0);
      if (begun && !ended) {
        expected.add(row);
      }
    }
    return expected;
  }

  private static void checkScan(Table table, NavigableSet<byte[]> rows, Scan scan, int cells)
      throws IOException {
    List<byte[]> expected = expected(rows, scan);
    List<byte[]> found = new ArrayList<>();
    try (ResultScanner scanner = table.scan(scan)) {
      for (Result result = scanner.next();
          result != null && found.size() <= expected.size();
          result = scanner.next()) {
        found.add(result.row());
        assertThat(result.cells()).hasSize(cells);
      }
    }
    assertThat(shown(found)).as(describe(scan)).isEqualTo(shown(expected));
  }

  private static List<String> shown(List<byte[]> rows) {
    return rows.stream()
        .map(
            row ->
                row.length + " bytes, " + (row[0] & 0xFF) + " to " + (row[row.length - 1] & 0xFF))
        .toList();
  }

  private static String describe(Scan scan) {
    return (scan.reversed() ? "reversed, from " : "from ")
        + describe(scan.startRow(), scan.startInclusive())
        + " to "
        + describe(scan.stopRow(), scan.stopInclusive());
  }

  private static String describe(byte[] bound, boolean inclusive) {
    return bound.length == 0
        ? "an end"
        : shown(List.of(bound)) + (inclusive ? " inclusive" : " exclusive");
  }

  @ParameterizedTest
  @EnumSource
  void scansMeanWhatTheirBoundsSay(Layout layout) throws IOException {
    scan(layout, 3);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("long")
  void manyScansMeanWhatTheirBoundsSay(Layout layout) throws IOException {
    scan(layout, 8 * VARIANTS);
  }

  /** Scans from each bound to some others, in variants that take turns. */
  private static void scan(Layout layout, int scansOfBound) throws IOException {
    NavigableSet<byte[]> rows = rows();
    try (Database database = open(new MemoryStorage())) {
      Table table = fill(database, layout, rows);
      Random random = new Random(1);
      List<byte[]> bounds = bounds();
      int variant = 0;
      for (byte[] start : bounds) {
        for (int i = 0; i < scansOfBound; i++) {
          variant = (variant + 1) % VARIANTS;
          byte[] stop = bounds.get(random.nextInt(bounds.size()));
          Scan scan =
              new Scan()
                  .setReversed((variant & 4) != 0)
                  .setStartRow(start, Bound.values()[variant & 1])
                  .setStopRow(stop, Bound.values()[variant >> 1 & 1]);
          boolean one = random.nextBoolean();
          if (one) {
            scan.addColumn(F, List.of(FIRST, MIDDLE, LAST).get(random.nextInt(3)));
          }
          checkScan(table, rows, scan, one ? 1 : 3 + COLUMNS_BETWEEN);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void rangeDeletesMeanWhatTheirBoundsSay(Layout layout) throws IOException {
    deleteRanges(layout, 12);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("long")
  void manyRangeDeletesMeanWhatTheirBoundsSay(Layout layout) throws IOException {
    deleteRanges(layout, 60);
  }

  private static void deleteRanges(Layout layout, int ranges) throws IOException {
    NavigableSet<byte[]> all = rows();
    try (Database database = open(new MemoryStorage())) {
      Table table = fill(database, layout, all);
      List<byte[]> bounds = bounds();
      Random random = new Random(2);
      for (int i = 0; i < ranges; i++) {
        byte[] start = bounds.get(random.nextInt(bounds.size()));
        byte[] stop = bounds.get(random.nextInt(bounds.size()));
        Scan range = new Scan().setStartRow(start).setStopRow(stop);
        List<byte[]> gone = expected(all, range);
        NavigableSet<byte[]> left = new TreeSet<>(all);
        gone.forEach(left::remove);

        table.deleteRange(start, stop);
        checkScan(table, left, new Scan(), 3 + COLUMNS_BETWEEN);
        for (byte[] row : gone) {
          table.put(putOf(row));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void longestRowsAreReadOneByOne(Layout layout) throws IOException {
    NavigableSet<byte[]> rows = rows();
    MemoryStorage storage = new MemoryStorage();
    try (Database database = open(storage)) {
      fill(database, layout, rows);
    }
    try (Database database = open(storage)) {
      Table table = database.table("t");
      for (byte[] row : rows) {
        assertThat(table.get(new Get(row)).cells()).hasSize(3 + COLUMNS_BETWEEN);
        assertThat(table.get(new Get(row).addColumn(F, LAST)).cells()).hasSize(1);
        assertThat(table.get(new Get(row).addColumn(F, filled(LONGEST + 1, 0xFF))).isEmpty())
            .isTrue();
      }
    }
  }

  @Test
  void splitsAtLongestRowsLoseNothing(@TempDir Path folder) throws IOException {
    NavigableSet<byte[]> rows = rows();
    try (Database database = Database.open(folder)) {
      Table table = fill(database, Layout.FILES, rows);
      for (byte[] row : rows) {
        database.splitRegion("t", row);
        checkScan(table, rows, new Scan(), 3 + COLUMNS_BETWEEN);
      }
      checkScan(table, rows, new Scan().setReversed(true).addColumn(F, MIDDLE), 1);
      database.majorCompact("t");
      checkScan(table, rows, new Scan().addColumn(F, MIDDLE), 1);
      for (byte[] row : rows) {
        database.mergeRegions("t", row);
      }
      checkScan(table, rows, new Scan(), 3 + COLUMNS_BETWEEN);
    }
    assertThat(Database.verify(folder).problems()).isEmpty();
  }

  @Test
  void keysAreScannedToTheLongest() throws IOException {
    NavigableSet<byte[]> rows = rows();
    try (Database database = open(new MemoryStorage())) {
      KeyValueStore store = database.keyValueStore("kv");
      for (byte[] row : rows) {
        store.put(row, VALUE);
      }
      byte[] from = longer(filled(LONGEST, 'b'), LONGEST + 1, 0);
      byte[] to = longer(filled(LONGEST, 0xFE), LONGEST + 1, 0);
      assertThat(keys(store.range(from, to)))
          .isEqualTo(shown(new ArrayList<>(rows.subSet(from, to))));
      assertThat(keys(store.reverseRange(from, to)))
          .isEqualTo(shown(new ArrayList<>(rows.subSet(from, true, to, false).descendingSet())));
      assertThat(keys(store.prefix(filled(LONGEST, 'b'))))
          .isEqualTo(shown(List.of(filled(LONGEST, 'b'))));
      assertThat(keys(store.prefix(filled(LONGEST + 1, 'b')))).isEmpty();
    }
  }

  private static List<String> keys(KeyValueIterator iterator) {
    List<byte[]> keys = new ArrayList<>();
    try (iterator) {
      iterator.forEachRemaining(pair -> keys.add(pair.key()));
    }
    return shown(keys);
  }

  @Test
  void longerRowsAreRefused() throws IOException {
    byte[] tooLong = new byte[LONGEST + 1];
    try (Database database = open(new MemoryStorage())) {
      Table table = fill(database, Layout.MEMORY, rows());
      KeyValueStore store = database.keyValueStore("kv");
      TableDescriptor other = TableDescriptor.of("u", "f");

      assertRefused(() -> table.put(putOf(tooLong)));
      assertRefused(() -> table.delete(new Delete(tooLong)));
      assertRefused(() -> table.get(new Get(tooLong)));
      assertRefused(() -> table.get(List.of(new Get(tooLong))));
      assertRefused(() -> table.get(new Get(tooLong).addColumn(F, MIDDLE)));
      assertRefused(() -> table.increment(tooLong, F, MIDDLE, 1));
      assertRefused(() -> table.append(new Append(tooLong).addColumn(F, MIDDLE, VALUE)));
      assertRefused(() -> table.mutateRow(new RowMutations(tooLong).add(putOf(tooLong))));
      assertRefused(() -> store.get(tooLong));
      assertRefused(() -> store.multiGet(List.of(tooLong)));
      assertRefused(() -> store.put(tooLong, VALUE));
      assertRefused(() -> database.createTable(other, tooLong));
      assertRefused(() -> database.splitRegion("t", tooLong));
      assertRefused(() -> database.mergeRegions("t", tooLong));
      assertThat(database.exists("u")).isFalse();
      assertThat(database.regionStarts("t")).hasSize(1);
    }
  }

  @Test
  void filesToIngestTakeTheLongestRowsAndNoLongerOnes(@TempDir Path folder) throws IOException {
    NavigableSet<byte[]> rows = rows();
    Path file = folder.resolve("rows.sst");
    try (SortedFileWriter writer = SortedFileWriter.create(file, FamilyDescriptor.of("f"))) {
      for (byte[] row : rows) {
        writer.add(row, LAST, 1, VALUE);
      }
      assertRefused(() -> writer.add(filled(LONGEST + 1, 0xFF), MIDDLE, 1, VALUE));
      assertThatThrownBy(() -> writer.add(LAST, filled(LONGEST + 1, 0xFF), 1, VALUE))
          .isInstanceOf(ValueTooLargeException.class);
      assertThatThrownBy(() -> writer.add(new byte[0], MIDDLE, 1, VALUE))
          .isInstanceOf(EmptyRowException.class);
      writer.finish();
    }
    try (Database database = Database.open(folder.resolve("db"))) {
      database.createTable(TableDescriptor.of("t", "f"), rows.toArray(byte[][]::new));
      database.ingest("t", "f", List.of(file));
      checkScan(database.table("t"), rows, new Scan().addColumn(F, LAST), 1);
      checkScan(database.table("t"), rows, new Scan().setReversed(true), 1);
    }
    assertThat(Database.verify(folder.resolve("db")).problems()).isEmpty();
  }

  private static void assertRefused(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable operation) {
    assertThatThrownBy(operation)
        .isInstanceOf(RowTooLongException.class)
        .hasMessageContaining("32768")
        .hasMessageContaining("32767");
  }
}
