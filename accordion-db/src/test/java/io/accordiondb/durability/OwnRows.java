// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Bound;
import io.accordiondb.Database;
import io.accordiondb.Delete;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.Merge;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.Table;
import io.accordiondb.WriteBatch;
import io.accordiondb.internal.function.IoSupplier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The rows of one thread, and what they must hold. Only that thread writes them. */
final class OwnRows {
  static final String TABLE = "t";
  static final String ONE = "one";
  static final String THREE = "three";
  static final String SUM = "sum";
  static final List<String> FAMILIES = List.of(ONE, SUM, THREE);
  static final int ROWS = 24;
  static final long CLOCK = 1_000;

  private static final List<String> QUALIFIERS = List.of("", "a", "ab", "b");
  private static final int TIMES = 50;
  private static final int KILL_RARITY = 100;

  private record Past(Snapshot snapshot, OwnContents contents) {}

  private final char owner;
  private final RandomGenerator random;
  private final Path folder;
  private final OwnContents contents = new OwnContents();
  private final List<Past> pasts = new ArrayList<>();
  private final List<String> done = new ArrayList<>();
  private int files;

  OwnRows(char owner, RandomGenerator random, Path folder) {
    this.owner = owner;
    this.random = random;
    this.folder = folder;
  }

  static byte[] row(char owner, int number) {
    return bytes(String.format("%c%02d", owner, number));
  }

  private byte[] row(int number) {
    return row(owner, number);
  }

  /** Does a number of operations; {@code killed} opens the database as a crash would leave it. */
  void run(Database database, int operations, IoSupplier<Database> killed) throws IOException {
    try {
      for (int i = 0; i < operations; i++) {
        step(database);
        if (random.nextInt(KILL_RARITY) == 0) {
          checkKilled(killed);
        }
      }
      while (!pasts.isEmpty()) {
        checkPast(database, pasts.size() - 1);
      }
    } catch (IOException | RuntimeException | AssertionError e) {
      throw new AssertionError(
          "after " + done.subList(Math.max(0, done.size() - 60), done.size()), e);
    } finally {
      pasts.forEach(past -> past.snapshot.close());
    }
  }

  /** Nothing that this thread has written is under way, so all of it must be there. */
  private void checkKilled(IoSupplier<Database> killed) throws IOException {
    done("kill");
    try (Database left = killed.get()) {
      checkAll(left);
      if (random.nextBoolean()) {
        left.compact(TABLE);
        left.majorCompact(TABLE);
        checkAll(left);
      }
    }
  }

  private void step(Database database) throws IOException {
    Table table = database.table(TABLE);
    int row = random.nextInt(ROWS);
    String family = FAMILIES.get(random.nextInt(FAMILIES.size()));
    String qualifier = QUALIFIERS.get(random.nextInt(QUALIFIERS.size()));
    switch (random.nextInt(30)) {
      case 0, 1, 2, 3, 4 -> put(table, row, family, qualifier);
      case 5, 6, 7, 8 -> {
        merge(table, row, qualifier);
      }
      case 9, 10 -> {
        long upTo = family.equals(THREE) ? random.nextInt(TIMES) : CLOCK;
        done("delete " + row + family + qualifier + upTo);
        Delete delete = new Delete(row(row));
        table.delete(
            family.equals(THREE)
                ? delete.addColumns(bytes(family), bytes(qualifier), upTo)
                : delete.addColumns(bytes(family), bytes(qualifier)));
        contents.column(row, family, qualifier).keySet().removeIf(time -> time <= upTo);
      }
      case 11 -> {
        done("delete row " + row);
        table.delete(new Delete(row(row)));
        contents.remove(row);
      }
      case 12 -> deleteRange(table);
      case 13, 14 -> ingest(database, family);
      case 15 -> batch(database);
      case 16, 17, 18, 19, 20 -> check(table, row, contents, null);
      case 21, 22 -> checkColumn(table, row, family, qualifier);
      case 23 -> checkTimes(table, row);
      case 24, 25 -> scan(table, contents, null);
      case 26 -> {
        assertThat(table.get(new Get(bytes(owner + "x"))).isEmpty()).isTrue();
        assertThat(table.get(new Get(row(row)).addColumn(bytes(family), bytes("absent"))).isEmpty())
            .isTrue();
      }
      case 27 -> {
        if (pasts.size() < 3) {
          done("snapshot");
          pasts.add(new Past(database.snapshot(), contents.copy()));
        }
      }
      default -> {
        if (!pasts.isEmpty()) {
          int past = random.nextInt(pasts.size());
          if (random.nextInt(3) == 0) {
            checkPast(database, past);
          } else {
            scan(table, pasts.get(past).contents, pasts.get(past).snapshot);
          }
        }
      }
    }
  }

  private void done(String operation) {
    done.add(operation);
  }

  private byte[] value(String family) {
    return family.equals(SUM)
        ? ByteBuffer.allocate(Long.BYTES).putLong(random.nextInt(1000)).array()
        : bytes("v" + random.nextInt(1_000_000) + "x".repeat(random.nextInt(60)));
  }

  private long time(String family) {
    return family.equals(THREE) ? random.nextInt(TIMES) : CLOCK;
  }

  private void put(Table table, int row, String family, String qualifier) throws IOException {
    byte[] value = value(family);
    long time = time(family);
    done("put " + row + family + qualifier + time);
    Put put = new Put(row(row));
    table.put(
        family.equals(THREE)
            ? put.addColumn(bytes(family), bytes(qualifier), time, value)
            : put.addColumn(bytes(family), bytes(qualifier), value));
    contents.put(row, family, qualifier, time, value);
  }

  private void merge(Table table, int row, String qualifier) throws IOException {
    long added = random.nextInt(100);
    done("merge " + row + qualifier + added);
    table.merge(
        new Merge(row(row))
            .addColumn(
                bytes(SUM), bytes(qualifier), ByteBuffer.allocate(8).putLong(added).array()));
    byte[] before = contents.column(row, SUM, qualifier).get(CLOCK);
    long sum = (before == null ? 0 : ByteBuffer.wrap(before).getLong()) + added;
    contents.put(row, SUM, qualifier, CLOCK, ByteBuffer.allocate(8).putLong(sum).array());
  }

  private void deleteRange(Table table) throws IOException {
    int from = random.nextInt(ROWS);
    int to = from + 1 + random.nextInt(ROWS / 3);
    done("delete range " + from + " " + to);
    table.deleteRange(row(from), row(to));
    contents.subMap(from, to).clear();
  }

  private void batch(Database database) throws IOException {
    WriteBatch batch = new WriteBatch();
    int first = random.nextInt(ROWS);
    OwnContents after = contents.copy();
    for (int row = first; row < Math.min(ROWS, first + 8); row++) {
      for (String family : List.of(ONE, SUM)) {
        byte[] value = value(family);
        batch.put(TABLE, new Put(row(row)).addColumn(bytes(family), bytes("a"), value));
        after.put(row, family, "a", CLOCK, value);
      }
    }
    done("batch " + first);
    database.write(batch);
    contents.clear();
    contents.putAll(after);
  }

  private void ingest(Database database, String family) throws IOException {
    OwnContents ingested = new OwnContents();
    int count = 1 + random.nextInt(12);
    for (int i = 0; i < count; i++) {
      ingested.put(
          random.nextInt(ROWS),
          family,
          QUALIFIERS.get(random.nextInt(QUALIFIERS.size())),
          time(family),
          value(family));
    }
    Path file = folder.resolve(owner + "-" + files++);
    try (SortedFileWriter writer = SortedFileWriter.create(file, FamilyDescriptor.of(family))) {
      for (int row : ingested.keySet()) {
        for (String column : ingested.get(row).keySet()) {
          byte[] qualifier = bytes(column.substring(column.indexOf(':') + 1));
          for (long time : ingested.get(row).get(column).keySet()) {
            writer.add(row(row), qualifier, time, ingested.get(row).get(column).get(time));
          }
        }
      }
      writer.finish();
    }
    done("ingest " + family + ingested.keySet());
    try {
      database.ingest(TABLE, family, List.of(file));
    } catch (IOException e) {
      if (!OwnRowsTest.isExpected(e)) {
        throw e;
      }
      return;
    } finally {
      Files.delete(file);
    }
    ingested.forEach(
        (row, columns) ->
            columns.forEach(
                (column, versions) ->
                    versions.forEach(
                        (time, value) ->
                            contents.put(
                                row,
                                family,
                                column.substring(column.indexOf(':') + 1),
                                time,
                                value))));
  }

  private void check(Table table, int row, OwnContents expected, @Nullable Snapshot snapshot)
      throws IOException {
    assertThat(
            OwnContents.lines(table.get(new Get(row(row)).setAllVersions().setSnapshot(snapshot))))
        .as("row %s of %s, snapshot %s", row, owner, snapshot)
        .isEqualTo(expected.lines(row));
  }

  private void checkColumn(Table table, int row, String family, String qualifier)
      throws IOException {
    NavigableMap<Long, byte[]> versions =
        contents.getOrDefault(row, new TreeMap<>()).get(family + ":" + qualifier);
    byte[] wanted =
        versions == null || versions.isEmpty() ? null : versions.get(versions.firstKey());
    // Twice, because what is read for the second time may come from a cache.
    for (int i = 0; i < 3; i++) {
      byte[] found =
          table
              .get(new Get(row(row)).addColumn(bytes(family), bytes(qualifier)))
              .value(bytes(family), bytes(qualifier));
      assertThat(found).as("column %s%s:%s", row, family, qualifier).isEqualTo(wanted);
    }
  }

  private void checkTimes(Table table, int row) throws IOException {
    int from = random.nextInt(TIMES);
    int to = from + 1 + random.nextInt(TIMES);
    List<String> wanted = new ArrayList<>();
    contents
        .getOrDefault(row, new TreeMap<>())
        .forEach(
            (column, versions) ->
                versions.forEach(
                    (time, value) -> {
                      if (column.startsWith(THREE) && time >= from && time < to) {
                        wanted.add(OwnContents.line(column, time, value));
                      }
                    }));
    Collections.sort(wanted);
    assertThat(
            OwnContents.lines(
                table.get(
                    new Get(row(row))
                        .addFamily(bytes(THREE))
                        .setTimeRange(from, to)
                        .setAllVersions())))
        .as("row %s from %s to %s", row, from, to)
        .isEqualTo(wanted);
  }

  private void scan(Table table, OwnContents expected, @Nullable Snapshot snapshot)
      throws IOException {
    int from = random.nextInt(ROWS);
    int to = from + 1 + random.nextInt(ROWS);
    boolean down = random.nextBoolean();
    Scan scan = new Scan().setAllVersions().setSnapshot(snapshot).setReversed(down);
    if (down) {
      scan.setStartRow(row(to), Bound.EXCLUSIVE).setStopRow(row(from), Bound.INCLUSIVE);
    } else {
      scan.setStartRow(row(from)).setStopRow(row(to));
    }
    List<List<String>> found = new ArrayList<>();
    try (ResultScanner scanner = table.scan(scan)) {
      for (Result result : scanner) {
        found.add(OwnContents.lines(result));
      }
    }
    List<List<String>> wanted = new ArrayList<>();
    for (int row : expected.subMap(from, to).keySet()) {
      if (!expected.lines(row).isEmpty()) {
        wanted.add(expected.lines(row));
      }
    }
    if (down) {
      Collections.reverse(wanted);
    }
    assertThat(found)
        .as("rows %s to %s of %s, down %s, snapshot %s", from, to, owner, down, snapshot)
        .isEqualTo(wanted);
  }

  private void checkPast(Database database, int index) throws IOException {
    Past past = pasts.remove(index);
    try (Snapshot snapshot = past.snapshot) {
      for (int row = 0; row < ROWS; row++) {
        check(database.table(TABLE), row, past.contents, snapshot);
      }
    }
  }

  void checkAll(Database database) throws IOException {
    for (int row = 0; row < ROWS; row++) {
      check(database.table(TABLE), row, contents, null);
    }
  }
}
