// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.durability.DamagedFeaturesTest.add;
import static io.accordiondb.durability.DamagedFeaturesTest.count;
import static io.accordiondb.durability.DamagedFeaturesTest.loseManifest;
import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.accordiondb.CompactionStyle;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.RepairReport;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.repair.Repairer;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageWriter;
import io.accordiondb.internal.storage.WrappingStorage;
import io.accordiondb.merge.MergeOperators;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a repair without a manifest makes of files that several tables or compactions share. */
class RepairWithoutManifestTest extends OneTable {
  private static TableDescriptor counters(String name) {
    return TableDescriptor.builder(name)
        .family(
            FamilyDescriptor.builder("f")
                .mergeOperator(MergeOperators.counter().name())
                .compactionStyle(CompactionStyle.NONE)
                .build())
        .build();
  }

  private static TableDescriptor table(String name) {
    return TableDescriptor.builder(name).family(manual()).build();
  }

  private static TableDescriptor leveledCounters() {
    return TableDescriptor.builder("t")
        .family(
            FamilyDescriptor.builder("f")
                .mergeOperator(MergeOperators.counter().name())
                .compactionStyle(CompactionStyle.LEVELED)
                .build())
        .build();
  }

  private static RepairReport repair(MemoryStorage killed) throws IOException {
    loseManifest(killed);
    RepairReport report = new Repairer(killed).repair();
    assertThat(new Verifier(killed).verify().problems()).isEmpty();
    return report;
  }

  private static void addMany(Database database, String row, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      add(database, row, 1);
    }
  }

  @Test
  void originalAndCopyKeepWhatTheyHaveInFilesOfTheirOwn() throws IOException {
    MemoryStorage killed;
    try (Database database = open(disk, options())) {
      database.createTable(table("t"));
      put(database, "t", "shared", "1");
      database.copyTable("t", table("c"));
      put(database, "t", "original", "2");
      put(database, "c", "copy", "3");
      database.flush();
      put(database, "t", "original", "4");
      put(database, "c", "copy", "5");
      killed = disk.copy();
    }
    RepairReport report = repair(killed);
    assertThat(report.notes()).anyMatch(note -> note.contains("table c was copied"));
    try (Database database = open(killed, options())) {
      assertThat(get(database, "t", "shared")).isEqualTo("1");
      assertThat(get(database, "t", "original")).isEqualTo("4");
      assertThat(get(database, "t", "copy")).isNull();
      assertThat(get(database, "c", "copy")).isEqualTo("5");
      assertThat(get(database, "c", "original")).isNull();
    }
  }

  @Test
  void theOriginalIsBackIfOnlyItsCopyWasLeft() throws IOException {
    MemoryStorage killed;
    try (Database database = open(disk, options())) {
      database.createTable(table("t"));
      put(database, "t", "shared", "1");
      database.copyTable("t", table("c"));
      database.dropTable("t");
      killed = disk.copy();
    }
    RepairReport report = repair(killed);
    assertThat(report.notes()).anyMatch(note -> note.contains("table c was copied"));
    try (Database database = open(killed, options())) {
      assertThat(database.tables()).extracting(TableDescriptor::name).containsExactly("t");
      assertThat(get(database, "t", "shared")).isEqualTo("1");
    }
  }

  @Test
  void operandsInAFileThatACopyHoldsCountOnce() throws IOException {
    MemoryStorage killed;
    try (Database database = open(disk, options())) {
      database.createTable(counters("t"));
      addMany(database, "a", 10);
      // It keeps later operands from becoming a value.
      try (Snapshot snapshot = database.snapshot()) {
        addMany(database, "a", 5);
        database.copyTable("t", counters("c"));
        for (int i = 0; i < 2; i++) {
          addMany(database, "a", 1);
          database.flush();
          database.majorCompact("t");
        }
        addMany(database, "a", 1);
        killed = disk.copy();
        assertThat(snapshot.sequenceNumber()).isPositive();
      }
    }
    repair(killed);
    try (Database database = open(killed, options())) {
      assertThat(count(database, "a")).isEqualTo(18);
    }
  }

  /** The sound part of the file gets another number. */
  @Test
  void operandsInADamagedFileThatACopyHoldsCountOnce() throws IOException {
    int rows = 1000;
    MemoryStorage killed;
    List<String> shared;
    try (Database database = open(disk, options())) {
      database.createTable(counters("t"));
      for (int i = 0; i < rows; i++) {
        add(database, row(i), 10);
      }
      // It keeps later operands from becoming a value.
      try (Snapshot snapshot = database.snapshot()) {
        for (int i = 0; i < rows; i++) {
          add(database, row(i), 5);
        }
        database.copyTable("t", counters("c"));
        shared = disk.list("sst");
        for (int i = 0; i < rows; i++) {
          add(database, row(i), 1);
        }
        database.flush();
        database.majorCompact("t");
        killed = disk.copy();
        assertThat(snapshot.sequenceNumber()).isPositive();
      }
    }
    for (String name : shared) {
      byte[] bytes = killed.bytes("sst/" + name);
      bytes[bytes.length / 4]++;
      killed.setBytes("sst/" + name, bytes);
    }
    loseManifest(killed);
    RepairReport report = new Repairer(killed).repair();
    assertThat(report.lost()).anyMatch(lost -> lost.message().contains("of its sound blocks"));
    try (Database database = open(killed, options())) {
      for (int i = 0; i < rows; i++) {
        assertThat(count(database, row(i))).as("row %d", i).isEqualTo(16);
      }
    }
  }

  @Test
  void operandsInAFileThatAReaderHoldsCountOnce() throws IOException {
    MemoryStorage killed;
    try (Database database = open(disk, options())) {
      database.createTable(counters("t"));
      addMany(database, "a", 10);
      addMany(database, "z", 10);
      database.flush();
      database.splitRegion("t", bytes("h"));
      addMany(database, "a", 1);
      database.flush();
      try (ResultScanner scanner = database.table("t").scan(new Scan())) {
        assertThat(scanner.next()).isNotNull();
        database.majorCompact("t");
        killed = disk.copy();
      }
    }
    repair(killed);
    try (Database database = open(killed, options())) {
      assertThat(count(database, "a")).isEqualTo(11);
      assertThat(count(database, "z")).isEqualTo(10);
    }
  }

  @Test
  void operandsCountOnceInARegionThatWasMergedFromOthers() throws IOException {
    MemoryStorage killed;
    try (Database database = open(disk, options())) {
      database.createTable(counters("t"));
      addMany(database, "a", 10);
      addMany(database, "z", 10);
      try (Snapshot snapshot = database.snapshot()) {
        addMany(database, "a", 5);
        addMany(database, "z", 5);
        database.copyTable("t", counters("c"));
        database.splitRegion("t", bytes("h"));
        addMany(database, "a", 1);
        addMany(database, "z", 2);
        database.flush();
        database.majorCompact("t");
        database.mergeRegions("t", bytes("a"));
        addMany(database, "m", 3);
        database.flush();
        killed = disk.copy();
        assertThat(snapshot.sequenceNumber()).isPositive();
      }
    }
    repair(killed);
    try (Database database = open(killed, options())) {
      assertThat(count(database, "a")).isEqualTo(16);
      assertThat(count(database, "m")).isEqualTo(3);
      assertThat(count(database, "z")).isEqualTo(17);
    }
  }

  @Test
  void operandsInTheLogBelowACompactedIngestedFileAreKept() throws IOException {
    MemoryStorage killed;
    try (Database database = open(disk, options())) {
      database.createTable(counters("t"));
      addMany(database, "a", 1);
      database.flush();
      addMany(database, "a", 2);
      addMany(database, "b", 3);
      ingest(database, "t", "c", "ingested");
      database.majorCompact("t");
      addMany(database, "a", 4);
      killed = disk.copy();
    }
    repair(killed);
    try (Database database = open(killed, options())) {
      assertThat(count(database, "a")).isEqualTo(7);
      assertThat(count(database, "b")).isEqualTo(3);
      assertThat(get(database, "t", "c")).isEqualTo("ingested");
    }
  }

  /** A compaction writes several tables, and drops what it reads behind the last full one. */
  @Test
  void operandsCountOnceWhereverACrashEndsALeveledCompaction() throws IOException {
    int rows = 900;
    int deletedFrom = 600;
    AtomicBoolean compacts = new AtomicBoolean();
    List<MemoryStorage> killed = new ArrayList<>();
    Storage observed =
        DefectiveStorage.with(
                (operation, name, original) -> {
                  if (compacts.get()
                      && name.startsWith("sst/")
                      && (operation.equals("create") || operation.equals("delete"))) {
                    killed.add(disk.copy());
                  }
                  return original.run();
                })
            .apply(disk);
    DatabaseOptions options = options().levelFileBytes(4 << 10).build();
    try (Database database = DatabaseEngine.open(observed, options)) {
      database.createTable(leveledCounters());
      for (int i = 0; i < rows; i++) {
        add(database, row(i), 1);
      }
      database.flush();
      for (int i = 0; i < rows; i++) {
        if (i < deletedFrom) {
          add(database, row(i), 2);
        } else {
          database.table("t").delete(new Delete(bytes(row(i))));
        }
      }
      database.flush();
      compacts.set(true);
      database.majorCompact("t");
      compacts.set(false);
      killed.add(disk.copy());
    }
    assertThat(killed).hasSizeGreaterThan(5);
    for (int at = 0; at < killed.size(); at++) {
      repair(killed.get(at));
      try (Database database = open(killed.get(at), options())) {
        for (int i = 0; i < rows; i += 10) {
          assertThat(count(database, row(i)))
              .as("row %d of crash %d of %d", i, at, killed.size())
              .isEqualTo(i < deletedFrom ? 3 : 0);
        }
      }
    }
  }

  @Test
  void rangesOfCountersThatWereDeletedStayDeleted() throws IOException {
    MemoryStorage killed;
    try (Database database = open(disk, options())) {
      database.createTable(table("other"));
      // Keeps the log.
      put(database, "other", "x", "1");
      database.createTable(counters("t"));
      add(database, "a", 5);
      database.flush("t");
      database.table("t").deleteRange(bytes("a"), bytes("b"));
      add(database, "c", 7);
      database.flush("t");
      killed = disk.copy();
    }
    repair(killed);
    try (Database database = open(killed, options())) {
      assertThat(count(database, "a")).isZero();
      assertThat(count(database, "c")).isEqualTo(7);
    }
  }

  /** The tables that the first attempt has written are sound tables for the second one. */
  @Test
  void operandsCountOnceIfARepairIsRepeated() throws IOException {
    MemoryStorage killed;
    try (Database database = open(disk, options())) {
      database.createTable(counters("t"));
      add(database, "a", 5);
      database.flush();
      database.splitRegion("t", bytes("m"));
      add(database, "b", 7);
      add(database, "b", 1);
      killed = disk.copy();
    }
    loseManifest(killed);
    Storage full =
        new WrappingStorage(killed) {
          @Override
          public StorageWriter create(String name) throws IOException {
            if (name.startsWith("MANIFEST")) {
              throw new IOException("injected");
            }
            return super.create(name);
          }
        };
    assertThatIOException()
        .isThrownBy(() -> new Repairer(full).repair())
        .withMessageContaining("injected");
    repair(killed);
    try (Database database = open(killed, options())) {
      assertThat(count(database, "a")).isEqualTo(5);
      assertThat(count(database, "b")).isEqualTo(8);
      database.majorCompact("t");
      assertThat(count(database, "b")).isEqualTo(8);
    }
  }

  /** Returns rows in their order, which do not compress well. */
  private static String row(int i) {
    return String.format(
        Locale.ROOT, "%06d%016x", i, new SplittableRandom(i).nextLong() & Long.MAX_VALUE);
  }
}
