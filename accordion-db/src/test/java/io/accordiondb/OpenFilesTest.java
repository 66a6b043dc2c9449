// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.condition.OS.WINDOWS;

import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.io.TempDir;

/** A database has many more sorted tables than files open, and none open once it is closed. */
@Tag("slow")
class OpenFilesTest {
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");

  /** The log and the manifest, and one more for a flush that is being written. */
  private static final int OTHER_FILES = 8;

  private final MemoryStorage disk = new MemoryStorage();

  static byte[] row(int number) {
    return bytes(String.format("row %05d", number));
  }

  private Database open(int openFilesMax) throws IOException {
    return DatabaseEngine.open(
        disk,
        DatabaseOptions.builder()
            .memoryBytes(64 << 20)
            .blockCacheBytes(0)
            .openFilesMax(openFilesMax)
            .build());
  }

  /** Creates a table whose regions have one row and one file each. */
  private static Table create(Database database, int regions) throws IOException {
    database.createTable(
        TableDescriptor.of("t", "f"),
        IntStream.range(1, regions).mapToObj(OpenFilesTest::row).toArray(byte[][]::new));
    Table table = database.table("t");
    for (int i = 0; i < regions; i++) {
      table.put(new Put(row(i)).addColumn(F, Q, row(i)));
    }
    database.flush();
    return table;
  }

  private static void checkRow(Table table, int number) throws IOException {
    assertThat(table.get(new Get(row(number))).value(F, Q)).isEqualTo(row(number));
  }

  private static int count(Table table, Scan scan) throws IOException {
    int rows = 0;
    try (ResultScanner scanner = table.scan(scan)) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    return rows;
  }

  @Test
  void manyTablesNeedFewOpenFiles() throws IOException {
    writeAndRead(800);
  }

  @Test
  @Tag("long")
  void thousandsOfTablesNeedFewOpenFiles() throws IOException {
    writeAndRead(5000);
  }

  private void writeAndRead(int regions) throws IOException {
    int limit = 64;
    try (Database database = open(limit)) {
      Table table = create(database, regions);
      assertThat(disk.openFilesHighest()).isLessThanOrEqualTo(limit + OTHER_FILES);
      for (int i = 0; i < regions; i++) {
        checkRow(table, i);
      }
      assertThat(count(table, new Scan())).isEqualTo(regions);
      assertThat(count(table, new Scan().setReversed(true))).isEqualTo(regions);
    }
    assertThat(disk.openFiles()).isZero();
    try (Database database = open(limit)) {
      assertThat(count(database.table("t"), new Scan().addColumn(F, Q))).isEqualTo(regions);
      database.majorCompact("t");
    }
    assertThat(disk.openFiles()).isZero();
    assertThat(disk.openFilesHighest()).isLessThanOrEqualTo(limit + OTHER_FILES);
  }

  @Test
  void readersAndCompactionsShareFewFiles() throws Exception {
    int regions = 40;
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (Database database = open(2)) {
      Table table = create(database, regions);
      List<Future<?>> readers = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        int step = 1 + 2 * thread;
        readers.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 1500; i++) {
                    checkRow(table, i * step % regions);
                  }
                  assertThat(count(table, new Scan())).isEqualTo(regions);
                  return null;
                }));
      }
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < regions; i++) {
          table.put(new Put(row(i)).addColumn(F, Q, row(i)));
        }
        database.flush();
        database.majorCompact("t");
      }
      for (Future<?> reader : readers) {
        reader.get(5, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(disk.openFiles()).isZero();
  }

  @Test
  void aScannerReadsFilesThatCompactionsHaveReplacedThoughTheyWereClosed() throws IOException {
    int regions = 10;
    try (Database database = open(1)) {
      Table table = create(database, regions);
      database.splitRegion("t", bytes("row 00000 b"));
      try (ResultScanner scanner = table.scan(new Scan())) {
        assertThat(scanner.next()).isNotNull();
        for (int i = 0; i < regions; i++) {
          table.put(new Put(row(i)).addColumn(F, Q, bytes("newer")));
        }
        database.flush();
        database.majorCompact("t");
        for (int i = 1; i < regions; i++) {
          assertThat(scanner.next().value(F, Q)).isEqualTo(row(i));
        }
        assertThat(scanner.next()).isNull();
      }
      assertThat(table.get(new Get(row(3))).value(F, Q)).isEqualTo(bytes("newer"));
    }
  }

  @Test
  void closingReleasesTheFilesOfScannersThatWereLeftOpen() throws IOException {
    Database database = open(0);
    Table table = create(database, 5);
    ResultScanner begun = table.scan(new Scan());
    assertThat(begun.next()).isNotNull();
    ResultScanner fresh = table.scan(new Scan().setReversed(true));
    KeyValueStore store = database.keyValueStore("kv");
    store.put(F, Q);
    store.put(Q, Q);
    KeyValueIterator iterator = store.range(null, null);
    assertThat(iterator.next().key()).isEqualTo(F);
    Snapshot snapshot = database.snapshot();

    database.close();

    assertThat(disk.openFiles()).isZero();
    assertThatThrownBy(begun::next).isInstanceOf(DatabaseClosedException.class);
    assertThatThrownBy(fresh::next).isInstanceOf(DatabaseClosedException.class);
    assertThatThrownBy(() -> iterator.forEachRemaining(pair -> {}))
        .isInstanceOf(DatabaseClosedException.class);
    assertThatThrownBy(() -> store.at(snapshot).get(F)).isInstanceOf(DatabaseClosedException.class);
    assertThatThrownBy(() -> table.get(new Get(row(1))))
        .isInstanceOf(DatabaseClosedException.class);
    begun.close();
    fresh.close();
    iterator.close();
    snapshot.close();
    assertThat(disk.openFiles()).isZero();
  }

  @Test
  void aScannerLeftOpenDeletesNothingOnceTheDatabaseIsClosed() throws IOException {
    Database database = open(0);
    Table table = create(database, 1);
    ResultScanner scanner = table.scan(new Scan());
    assertThat(scanner.next()).isNotNull();
    table.put(new Put(row(0)).addColumn(F, Q, bytes("newer")));
    database.flush();
    database.majorCompact("t");
    database.close();
    List<String> files = disk.list("sst");
    scanner.close();
    assertThat(disk.list("sst")).isEqualTo(files);
  }

  @Test
  @DisabledOnOs(WINDOWS)
  void aProcessThatMayOpenFewFilesHasMoreTables(@TempDir Path folder) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process =
        new ProcessBuilder(
                "sh",
                "-c",
                "ulimit -n 128; exec \"$0\" -Xmx128m -cp \"$1\" \"$2\" \"$3\"",
                java,
                System.getProperty("java.class.path"),
                ManyTables.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), US_ASCII);
    assertThat(process.waitFor()).as(output).isZero();
  }

  /** Writes and reads more tables than a process may open. */
  static final class ManyTables {
    private ManyTables() {}

    public static void main(String[] args) throws IOException {
      int regions = 200;
      DatabaseOptions options =
          DatabaseOptions.builder().memoryBytes(16 << 20).durability(Durability.SKIP).build();
      try (Database database = Database.open(Path.of(args[0]), options)) {
        create(database, regions);
      }
      try (Database database = Database.open(Path.of(args[0]), options)) {
        for (int i = 0; i < regions; i++) {
          checkRow(database.table("t"), i);
        }
        assertThat(count(database.table("t"), new Scan())).isEqualTo(regions);
      }
    }
  }
}
