// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.BloomKind;
import io.accordiondb.CompactionStyle;
import io.accordiondb.Compression;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.TableDescriptor;
import io.accordiondb.fixtures.Await;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.engine.StorageOperations;
import io.accordiondb.internal.function.IoSupplier;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Several threads each write, ingest and delete rows of their own, and find exactly what they have
 * left, while other threads flush, compact, split, merge, copy and reformat the table.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class OwnRowsTest {
  static final String NO_SPACE = "no space";

  private static final int THREADS = 3;
  private static final int OPERATIONS = 250;
  private static final int OPERATIONS_LONG = 1_000;
  private static final int SEEDS = 2;
  private static final int SEEDS_LONG = 60;

  @TempDir private Path folder;

  static Stream<Long> seeds() {
    return LongStream.rangeClosed(1, SEEDS).boxed();
  }

  static Stream<Long> moreSeeds() {
    return LongStream.rangeClosed(SEEDS + 1, SEEDS_LONG).boxed();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyThreadFindsWhatItHasLeft(long seed) throws Exception {
    besideUpkeep(seed, OPERATIONS);
  }

  @ParameterizedTest
  @MethodSource("moreSeeds")
  @Tag("long")
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void everyThreadFindsWhatItHasLeftWithMoreSeeds(long seed) throws Exception {
    besideUpkeep(seed, OPERATIONS_LONG);
    besideFailures(seed, OPERATIONS_LONG);
  }

  private void besideUpkeep(long seed, int operations) throws Exception {
    run(new SplittableRandom(seed), operations, new MemoryStorage(), disk -> disk);
  }

  /** The disk sometimes has no space for a sorted table. */
  @ParameterizedTest
  @MethodSource("seeds")
  void everyThreadFindsWhatItHasLeftBesideFailures(long seed) throws Exception {
    besideFailures(seed, OPERATIONS);
  }

  private void besideFailures(long seed, int operations) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    SplittableRandom failures = random.split();
    run(
        random,
        operations,
        new MemoryStorage(),
        DefectiveStorage.with(
            (operation, name, original) -> {
              if (name.startsWith("sst/")
                  && List.of("create", "append", "sync").contains(operation)
                  && fails(failures)) {
                throw new IOException(NO_SPACE + " for " + name);
              }
              return original.run();
            }));
  }

  private static boolean fails(SplittableRandom random) {
    // A compaction that fails is not tried again for a while, in which writers would stall.
    boolean rarely = Thread.currentThread().getName().startsWith("accordion-compaction");
    synchronized (random) {
      return random.nextInt(rarely ? 400 : 12) == 0;
    }
  }

  /** Returns whether an operation has failed because the disk had no space. */
  static boolean isExpected(IOException failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (String.valueOf(e.getMessage()).contains(NO_SPACE)) {
        return true;
      }
    }
    return false;
  }

  private void run(
      SplittableRandom random, int operations, MemoryStorage disk, UnaryOperator<Storage> faults)
      throws Exception {
    DatabaseOptions options = options(random);
    Database database = DatabaseEngine.open(faults.apply(disk), options);
    List<OwnRows> all = new ArrayList<>();
    try {
      database.createTable(table(null, random));
      List<FutureTask<Void>> writers = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        OwnRows rows = new OwnRows((char) ('a' + i), random.split(), folder);
        all.add(rows);
        IoSupplier<Database> killed = crashes(disk, options, random.split());
        writers.add(start("writer " + i, () -> rows.run(database, operations, killed)));
      }
      List<FutureTask<Void>> upkeep = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        SplittableRandom own = random.split();
        int number = i;
        upkeep.add(
            start(
                "upkeep " + i,
                () -> {
                  while (writers.stream().anyMatch(writer -> !writer.isDone())) {
                    try {
                      maintain(database, own, number);
                    } catch (IOException e) {
                      if (!isExpected(e)) {
                        throw e;
                      }
                    }
                  }
                }));
      }
      for (FutureTask<Void> writer : writers) {
        writer.get();
      }
      for (FutureTask<Void> one : upkeep) {
        one.get();
      }
      check(database, all);
      try (Database killed = DatabaseEngine.open(disk.copy(), options)) {
        check(killed, all);
      }
      if (options.encryption().isEmpty()) {
        Await.await("no file is left over", () -> tables(disk) == tablesOfManifest(disk.copy()));
      }
      checkCopy(database, options, all);
    } finally {
      close(database);
    }
    if (options.encryption().isEmpty()) {
      assertThat(StorageOperations.verify(disk).problems()).isEmpty();
    }
    try (Database reopened = DatabaseEngine.open(disk, options)) {
      check(reopened, all);
      reopened.compact(OwnRows.TABLE);
      check(reopened, all);
      for (TableDescriptor table : reopened.tables()) {
        reopened.dropTable(table.name()); // also a copy whose compaction has failed
      }
      Await.await("all sorted tables are deleted", () -> disk.list("sst").isEmpty());
    }
  }

  private static void checkCopy(Database database, DatabaseOptions options, List<OwnRows> all)
      throws IOException {
    MemoryStorage copied = new MemoryStorage();
    StorageOperations.checkpoint(database, copied);
    try (Database copy = DatabaseEngine.open(copied, options)) {
      check(copy, all);
      copy.majorCompact(OwnRows.TABLE);
      check(copy, all);
    }
  }

  private static long tables(MemoryStorage disk) throws IOException {
    return disk.list("sst").size();
  }

  private static long tablesOfManifest(MemoryStorage disk) throws IOException {
    return Manifest.read(disk).files().stream()
        .mapToLong(FileRecord::backingNumber)
        .distinct()
        .count();
  }

  private interface Work {
    void run() throws Exception;
  }

  private static FutureTask<Void> start(String name, Work work) {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              work.run();
              return null;
            });
    new Thread(task, name).start();
    return task;
  }

  /** Opens what is left by a loss of power, if all is forced to the device, or else by a kill. */
  private static IoSupplier<Database> crashes(
      MemoryStorage disk, DatabaseOptions options, RandomGenerator random) {
    boolean losesPower = options.durability() == Durability.FSYNC;
    return () -> DatabaseEngine.open(losesPower ? disk.crash(random) : disk.copy(), options);
  }

  private static DatabaseOptions options(RandomGenerator random) {
    return MetamorphicOptions.some(
        DatabaseOptions.builder()
            .durability(random.nextBoolean() ? Durability.FSYNC : Durability.SYNC)
            .clock(() -> Instant.ofEpochMilli(OwnRows.CLOCK)),
        random);
  }

  private static void close(Database database) throws IOException {
    try {
      database.close();
    } catch (IOException e) {
      if (!isExpected(e)) {
        throw e;
      }
    }
  }

  private static void check(Database database, List<OwnRows> all) throws IOException {
    for (OwnRows rows : all) {
      rows.checkAll(database);
    }
  }

  private static TableDescriptor table(@Nullable TableDescriptor before, RandomGenerator random) {
    TableDescriptor.Builder table =
        before == null ? TableDescriptor.builder(OwnRows.TABLE) : before.toBuilder();
    for (String name : OwnRows.FAMILIES) {
      FamilyDescriptor old = before == null ? null : before.family(name);
      FamilyDescriptor.Builder family =
          old == null
              ? FamilyDescriptor.builder(name)
                  .maxVersions(OwnContents.versions(name))
                  .mergeOperator(name.equals(OwnRows.SUM) ? "counter" : null)
              : old.toBuilder();
      table.family(
          family
              .blockSizeBytes(512 << random.nextInt(3))
              .compression(Compression.values()[random.nextInt(Compression.values().length)])
              .bloomFilter(BloomKind.values()[random.nextInt(BloomKind.values().length)])
              .compactionStyle(
                  random.nextBoolean() ? CompactionStyle.LEVELED : CompactionStyle.TIERED)
              .build());
    }
    return table.build();
  }

  private static void maintain(Database database, RandomGenerator random, int number)
      throws IOException {
    String table = OwnRows.TABLE;
    byte[] row = OwnRows.row((char) ('a' + random.nextInt(THREADS)), random.nextInt(OwnRows.ROWS));
    switch (random.nextInt(14)) {
      case 0, 1 -> database.flush(table);
      case 2 -> database.flushInMemory(table);
      case 3, 4, 5 -> database.compact(table);
      case 6 -> database.majorCompact(table);
      case 7, 8 -> database.splitRegion(table, row);
      case 9, 10 -> database.mergeRegions(table, row);
      case 11 -> {
        if (number == 0) {
          database.alterTable(table(database.describe(table), random));
        }
      }
      case 12 -> database.reconfigure(now -> MetamorphicOptions.changed(now, random));
      default -> {
        TableDescriptor now = database.describe(table);
        TableDescriptor.Builder copy = TableDescriptor.builder("copy" + number);
        now.families().forEach(copy::family);
        if (database.exists("copy" + number)) {
          database.dropTable("copy" + number);
        }
        database.copyTable(table, copy.build());
        database.compact("copy" + number);
        database.dropTable("copy" + number);
      }
    }
  }
}
