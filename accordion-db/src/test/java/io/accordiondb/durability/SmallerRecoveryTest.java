// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.CompactionStyle;
import io.accordiondb.Compression;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.DeleteRange;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.LogWriting;
import io.accordiondb.Merge;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.TableDescriptor;
import io.accordiondb.WriteBatch;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.engine.StorageOperations;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A database of several tables is killed, and opened with far less memory, again and again. Its log
 * has records that are longer than a log file, and its rows and values are of all lengths.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SmallerRecoveryTest {
  private static final List<String> TABLES = List.of("s", "t");
  private static final byte[] PLAIN = bytes("plain");
  private static final byte[] SUM = bytes("sum");

  private static DatabaseOptions options(LogWriting writing, long memoryBytes) {
    return DatabaseOptions.builder()
        .memoryBytes(memoryBytes)
        .logFileBytes(16 << 10)
        .logWriting(writing)
        .levelFileBytes(64 << 10)
        .experiment(e -> e.withChunkBytes(64 << 10))
        .durability(Durability.SYNC)
        .build();
  }

  private static byte[] row(RandomGenerator random) {
    int kind = random.nextInt(40);
    if (kind == 0) {
      byte[] longest = new byte[Short.MAX_VALUE];
      Arrays.fill(longest, (byte) (random.nextBoolean() ? 0xFF : 'm'));
      longest[longest.length - 1] = (byte) random.nextInt();
      return longest;
    }
    if (kind < 4) {
      byte[] edge = new byte[1 + random.nextInt(3)];
      Arrays.fill(edge, (byte) (random.nextBoolean() ? 0xFF : 0));
      return edge;
    }
    return bytes(String.format("row%03d", random.nextInt(200)));
  }

  private static byte[] value(RandomGenerator random) {
    int kind = random.nextInt(100);
    byte[] value = new byte[kind == 0 ? 600_000 : kind < 5 ? 5_000 : random.nextInt(100)];
    random.nextBytes(value);
    return value;
  }

  @ParameterizedTest
  @EnumSource(LogWriting.class)
  void nothingChanges(LogWriting writing) throws IOException {
    SplittableRandom random = new SplittableRandom(Long.getLong("own.seed", 1));
    MemoryStorage disk = new MemoryStorage();
    List<List<Result>> before = new ArrayList<>();
    Database database = DatabaseEngine.open(disk, options(writing, 64 << 20));
    try {
      for (String table : TABLES) {
        TableDescriptor.Builder descriptor = TableDescriptor.builder(table);
        descriptor.family(
            FamilyDescriptor.builder("plain")
                .maxVersions(3)
                .blockSizeBytes(512)
                .compression(Compression.LZ4)
                .compactionStyle(CompactionStyle.LEVELED)
                .build());
        descriptor.family(FamilyDescriptor.builder("sum").mergeOperator("counter").build());
        database.createTable(descriptor.build(), bytes("row050"), bytes("row100"));
      }
      write(database, random);
      check(database);
      for (String table : TABLES) {
        before.add(all(database, table, false));
      }
      disk = disk.copy();
    } finally {
      database.close();
    }
    for (long memory : List.of(8L << 20, 2L << 20, 4L << 20)) {
      try (Database killed = DatabaseEngine.open(disk, options(writing, memory))) {
        check(killed);
        for (String table : TABLES) {
          assertThat(all(killed, table, false)).isEqualTo(before.get(TABLES.indexOf(table)));
        }
        disk = disk.copy();
      }
    }
    try (Database killed = DatabaseEngine.open(disk, options(writing, 8 << 20))) {
      for (String table : TABLES) {
        killed.flush();
        killed.compact(table);
        killed.majorCompact(table);
        assertThat(all(killed, table, false)).isEqualTo(before.get(TABLES.indexOf(table)));
      }
      check(killed);
    }
    assertThat(StorageOperations.verify(disk).problems()).isEmpty();
  }

  private static void write(Database database, RandomGenerator random) throws IOException {
    for (int i = 0; i < 600; i++) {
      WriteBatch batch = new WriteBatch();
      int size = random.nextInt(20) == 0 ? 60 : 1 + random.nextInt(4);
      for (int j = 0; j < size; j++) {
        String table = TABLES.get(random.nextInt(TABLES.size()));
        byte[] row = row(random);
        switch (random.nextInt(12)) {
          case 0 -> batch.delete(table, new Delete(row));
          case 1 -> batch.delete(table, new Delete(row).addColumns(PLAIN, bytes("q")));
          case 2 -> {
            if (random.nextInt(10) == 0) {
              int from = random.nextInt(200);
              batch.deleteRange(
                  table,
                  new DeleteRange(
                      bytes(String.format("row%03d", from)),
                      bytes(String.format("row%03d", from + 20))));
            }
          }
          case 3, 4, 5 ->
              batch.merge(
                  table,
                  new Merge(row)
                      .addColumn(SUM, bytes("n"), ByteBuffer.allocate(8).putLong(i).array()));
          default -> batch.put(table, new Put(row).addColumn(PLAIN, bytes("q"), value(random)));
        }
      }
      if (batch.size() > 0) {
        database.write(batch);
      }
      if (random.nextInt(120) == 0) {
        database.flush(TABLES.get(0));
      }
      if (random.nextInt(160) == 0) {
        database.splitRegion(TABLES.get(1), row(random));
      }
    }
  }

  private static List<Result> all(Database database, String table, boolean down)
      throws IOException {
    List<Result> found = new ArrayList<>();
    Scan scan = new Scan().setAllVersions().setReversed(down);
    try (ResultScanner scanner = database.table(table).scan(scan)) {
      scanner.forEach(found::add);
    }
    return found;
  }

  /** Checks that all ways of reading agree. */
  private static void check(Database database) throws IOException {
    for (String table : TABLES) {
      List<Result> up = all(database, table, false);
      List<Result> down = all(database, table, true);
      Collections.reverse(down);
      assertThat(down).isEqualTo(up);
      for (Result row : up) {
        assertThat(database.table(table).get(new Get(row.row()).setAllVersions())).isEqualTo(row);
        byte[] behind = Arrays.copyOf(row.row(), row.row().length + 1);
        if (behind.length <= Short.MAX_VALUE) {
          behind[behind.length - 1] = 1;
          assertThat(database.table(table).get(new Get(behind)).isEmpty()).isTrue();
        }
      }
      for (byte[] prefix : List.of(new byte[] {-1}, new byte[] {-1, -1}, bytes("row1"))) {
        List<Result> found = new ArrayList<>();
        try (ResultScanner scanner =
            database.table(table).scan(new Scan().setAllVersions().setRowPrefix(prefix))) {
          scanner.forEach(found::add);
        }
        assertThat(found)
            .isEqualTo(
                up.stream()
                    .filter(
                        row ->
                            Arrays.equals(Arrays.copyOf(row.row(), prefix.length), prefix)
                                && row.row().length >= prefix.length)
                    .toList());
      }
    }
  }
}
