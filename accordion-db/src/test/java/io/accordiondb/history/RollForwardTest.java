// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.history;

import static io.accordiondb.fixtures.Await.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.ChangeFeed;
import io.accordiondb.Checkpoint;
import io.accordiondb.CompactionFilter;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.Get;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogExtent;
import io.accordiondb.Merge;
import io.accordiondb.MergeOperator;
import io.accordiondb.NotADatabaseException;
import io.accordiondb.Put;
import io.accordiondb.RestorePoint;
import io.accordiondb.RestorePointException;
import io.accordiondb.RollForward;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.FileStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import io.accordiondb.internal.storage.WrappingStorage;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class RollForwardTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
  private static final byte[] KEY = {'k'};

  @TempDir private Path folder;
  private final AtomicLong clock = new AtomicLong(NOON.toEpochMilli());
  private Path copy;
  private Path log;

  private DatabaseOptions options(Duration retention) {
    return DatabaseOptions.builder()
        .logRetention(retention)
        .durability(Durability.SYNC)
        .clock(() -> Instant.ofEpochMilli(clock.get()))
        .build();
  }

  private Database open(Duration retention) throws IOException {
    copy = folder.resolve("copy");
    log = folder.resolve("log");
    return Database.open(folder.resolve("db"), options(retention));
  }

  private long restore(RestorePoint point) throws IOException {
    return RollForward.apply(copy, log, point, options(Duration.ZERO));
  }

  private void assertRefused(RestorePoint point, String... parts) throws IOException {
    String before = value(copy);
    assertThatThrownBy(() -> restore(point))
        .isInstanceOf(RestorePointException.class)
        .hasMessageStartingWith("cannot restore to " + point)
        .hasMessageContainingAll(parts);
    assertThat(value(copy)).isEqualTo(before);
  }

  private String value(Path database) throws IOException {
    // Opened for writing, the copy would not be what it was.
    DatabaseOptions reading = options(Duration.ZERO).toBuilder().readOnly(true).build();
    try (Database opened = Database.open(database, reading)) {
      byte[] value = opened.keyValueStore("s").get(KEY);
      return value == null ? "none" : new String(value, US_ASCII);
    }
  }

  private static void put(Database database, String value) throws IOException {
    database.keyValueStore("s").put(KEY, value.getBytes(US_ASCII));
  }

  @Test
  void aCheckpointSaysWhichMomentItHolds() throws IOException {
    try (Database database = open(Duration.ofDays(1))) {
      put(database, "a");
      Checkpoint first = database.checkpoint(copy);
      assertThat(first.time()).isEqualTo(NOON);
      assertThat(copy.resolve("kept")).doesNotExist();
      try (ChangeFeed feed = database.changes(first.sequence() + 1)) {
        assertThat(feed.next(Duration.ZERO)).isNull();
        put(database, "b");
        assertThat(feed.next(Duration.ofSeconds(10)).sequence()).isGreaterThan(first.sequence());
      }
      put(database, "c");
      clock.addAndGet(10_000);
      Checkpoint second = database.checkpoint(log, LogExtent.KEPT);
      assertThat(restore(RestorePoint.sequence(second.sequence()))).isEqualTo(second.sequence());
      assertThat(second.time()).isEqualTo(NOON.plusSeconds(10));
    }
    assertThat(value(copy)).isEqualTo("c");
  }

  @Test
  void aPlanTellsTwoDatabasesApartAndNeedsNoSortedTables() throws IOException {
    Path other = folder.resolve("other");
    Path otherLog = folder.resolve("otherLog");
    RestorePoint last;
    try (Database database = open(Duration.ofDays(1))) {
      put(database, "a");
      database.flush();
      database.checkpoint(copy);
      database.checkpoint(other);
      put(database, "b");
      last = RestorePoint.sequence(database.checkpoint(log, LogExtent.KEPT).sequence());
    }
    try (Database continued = Database.open(other, options(Duration.ofDays(1)))) {
      put(continued, "c");
      put(continued, "d");
      continued.checkpoint(otherLog, LogExtent.KEPT);
    }
    Path tables = Files.move(copy.resolve("sst"), folder.resolve("sst"));
    RollForward.Plan plan = RollForward.plan(copy, log, last, options(Duration.ZERO));
    RollForward.Plan otherPlan = RollForward.plan(copy, otherLog, last, options(Duration.ZERO));
    assertThat(RestorePoint.sequence(plan.sequence())).isEqualTo(last);
    assertThat(otherPlan.sequence()).isEqualTo(plan.sequence());
    assertThat(otherPlan.logHash()).isNotEqualTo(plan.logHash());
    Files.move(tables, copy.resolve("sst"));
    assertThat(value(copy)).isEqualTo("a");
    assertThat(restore(last)).isEqualTo(plan.sequence());
    assertThat(value(copy)).isEqualTo("b");
  }

  /**
   * The delete of a value follows in the log, but the value has expired since, and is compacted.
   */
  @Test
  void aPutThatWasDeletedBeforeItExpiredHidesNothing() throws IOException {
    byte[] f = {'f'};
    long time = clock.get();
    long end;
    try (Database database = open(Duration.ofDays(1))) {
      database.createTable(
          withFamilies(
              "t",
              List.of(
                  FamilyDescriptor.builder("f")
                      .maxVersions(2)
                      .memStorePolicy(MemStorePolicy.of(Policy.EAGER))
                      .build())));
      database.checkpoint(copy);
      Table table = database.table("t");
      table.put(new Put(KEY).addColumn(f, KEY, time - 1, new byte[] {'o'}));
      table.put(new Put(KEY).addColumn(f, KEY, time, new byte[] {'n'}).setTtlMillis(1_000));
      for (int i = 0; i < 100_000; i++) {
        table.put(new Put(("other" + i).getBytes(US_ASCII)).addColumn(f, KEY, new byte[100]));
      }
      table.delete(new Delete(KEY).addColumn(f, KEY, time));
      end = database.checkpoint(log, LogExtent.KEPT).sequence();
    }
    clock.addAndGet(60_000);
    assertThat(restore(RestorePoint.sequence(end))).isEqualTo(end);
    try (Database restored = Database.open(copy, options(Duration.ZERO))) {
      assertThat(restored.table("t").get(new Get(KEY)).value(f, KEY)).isEqualTo(new byte[] {'o'});
    }
  }

  /** The command line has none of the functions of an application. */
  @Test
  void tablesWithFunctionsThatAreMissingFollowTheLog() throws IOException {
    byte[] f = {'f'};
    DatabaseOptions known =
        options(Duration.ofDays(1)).toBuilder()
            .mergeOperator(
                MergeOperator.associative(
                    "join", (older, newer) -> (text(older) + text(newer)).getBytes(US_ASCII)))
            .compactionFilter("all", cell -> CompactionFilter.Decision.KEEP)
            .build();
    List<FamilyDescriptor> families =
        List.of(
            FamilyDescriptor.builder("f").mergeOperator("join").build(),
            FamilyDescriptor.builder("g").compactionFilter("all").build());
    copy = folder.resolve("copy");
    log = folder.resolve("log");
    long end;
    try (Database database = Database.open(folder.resolve("db"), known)) {
      database.createTable(withFamilies("emptied", families));
      database.table("emptied").merge(new Merge(KEY).addColumn(f, KEY, KEY));
      database.checkpoint(copy);
      database.truncateTable("emptied");
      database.createTable(withFamilies("new", families));
      for (String table : List.of("emptied", "new")) {
        database.table(table).merge(new Merge(KEY).addColumn(f, KEY, new byte[] {'a'}));
        database.table(table).merge(new Merge(KEY).addColumn(f, KEY, new byte[] {'b'}));
      }
      end = database.checkpoint(log, LogExtent.KEPT).sequence();
    }
    assertThat(restore(RestorePoint.sequence(end))).isEqualTo(end);
    try (Database restored = Database.open(copy, known)) {
      for (String table : List.of("emptied", "new")) {
        assertThat(text(restored.table(table).get(new Get(KEY)).value(f, KEY))).isEqualTo("ab");
      }
    }
  }

  private static TableDescriptor withFamilies(String table, List<FamilyDescriptor> families) {
    TableDescriptor.Builder builder = TableDescriptor.builder(table);
    families.forEach(builder::family);
    return builder.build();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, US_ASCII);
  }

  @Test
  void theCopyOfAReaderHasTheKeptLog() throws IOException {
    try (Database database = open(Duration.ofDays(1))) {
      put(database, "a");
      database.checkpoint(copy);
      put(database, "b");
      long noted = database.checkpoint(folder.resolve("noted")).sequence();
      put(database, "c");
      database.flush();
      put(database, "d");
      DatabaseOptions reading = options(Duration.ZERO).toBuilder().readOnly(true).build();
      try (Database reader = Database.open(folder.resolve("db"), reading)) {
        reader.checkpoint(log, LogExtent.KEPT);
        reader.checkpoint(folder.resolve("needed"), LogExtent.NEEDED);
      }
      assertThat(log.resolve("kept")).isNotEmptyDirectory();
      assertThat(folder.resolve("needed").resolve("kept")).doesNotExist();
      assertThat(value(log)).isEqualTo("d");
      assertThat(restore(RestorePoint.sequence(noted))).isEqualTo(noted);
    }
    assertThat(value(copy)).isEqualTo("b");
  }

  /** Makes the copy of a reader, the last batch of which is a write. */
  private void copyByReader(Database database, String value) throws IOException {
    DatabaseOptions reading = options(Duration.ZERO).toBuilder().readOnly(true).build();
    long written;
    Checkpoint made;
    int attempts = 0;
    do {
      // A note may come in between.
      copy = folder.resolve("copy" + ++attempts);
      put(database, value);
      written = visible(database);
      try (Database reader = Database.open(folder.resolve("db"), reading)) {
        made = reader.checkpoint(copy, LogExtent.KEPT);
      }
    } while (made.sequence() != written);
  }

  @Test
  void theCopyOfAReaderFollowsTheLogThoughItEndsWithAWrite() throws Exception {
    try (Database database = open(Duration.ofDays(1))) {
      database.createTable(TableDescriptor.of("dropped", "f"));
      database
          .table("dropped")
          .put(new Put(KEY).addColumn(new byte[] {'f'}, new byte[] {'q'}, KEY));
      copyByReader(database, "a");
      database.dropTable("dropped");
      put(database, "b");
      awaitNote(database);
      long wanted = visible(database);
      clock.addAndGet(60_000);
      put(database, "c");
      Checkpoint end = database.checkpoint(log, LogExtent.KEPT);
      assertRefused(RestorePoint.time(NOON.minusSeconds(1)), "the copy was made at");
      assertRefused(RestorePoint.sequence(end.sequence() + 1), "the log goes as far as");
      assertRefused(RestorePoint.time(Instant.MAX), "the log");
      assertThat(restore(RestorePoint.time(NOON.plusSeconds(59)))).isGreaterThanOrEqualTo(wanted);
    }
    assertThat(value(copy)).isEqualTo("b");
  }

  /** Soon after a flush, the last note is in a part of the log that the copy does not need. */
  @Test
  void theCopyOfAReaderWithoutTheKeptLogIsRefusedWithTheRemedy() throws IOException {
    DatabaseOptions reading = options(Duration.ZERO).toBuilder().readOnly(true).build();
    DatabaseOptions writing =
        options(Duration.ofDays(1)).toBuilder().logFileBytes(16 << 10).build();
    int puts = 100;
    log = folder.resolve("log");
    try (Database database = Database.open(folder.resolve("db"), writing)) {
      long before;
      int attempts = 0;
      do {
        // A note may come in between.
        copy = folder.resolve("copy" + ++attempts);
        before = visible(database);
        for (int i = 1; i < puts; i++) {
          database.keyValueStore("s").put(KEY, new byte[500]);
        }
        database.flush();
        put(database, "a");
        try (Database reader = Database.open(folder.resolve("db"), reading)) {
          reader.checkpoint(copy);
        }
      } while (visible(database) != before + puts);
      Checkpoint end = database.checkpoint(log, LogExtent.KEPT);
      assertRefused(RestorePoint.sequence(end.sequence()), "by a reader without LogExtent.KEPT");
    }
  }

  @Test
  void aTimeBeforeTheLastWriteOfAReadersCopyIsRefused() throws Exception {
    try (Database database = open(Duration.ofDays(1))) {
      put(database, "z");
      awaitNote(database);
      clock.addAndGet(60_000);
      copyByReader(database, "a");
      put(database, "b");
      awaitNote(database);
      Checkpoint end = database.checkpoint(log, LogExtent.KEPT);
      assertRefused(RestorePoint.time(NOON.plusSeconds(59)), "the copy ");
      assertThat(restore(RestorePoint.sequence(end.sequence()))).isEqualTo(end.sequence());
    }
    assertThat(value(copy)).isEqualTo("b");
  }

  @Test
  void timeIsNotedEachSecondInWhichSomethingWasWritten() throws Exception {
    try (Database database = open(Duration.ofDays(1))) {
      put(database, "a");
      database.checkpoint(copy);
      put(database, "b");
      long written = awaitNote(database);
      clock.addAndGet(60_000);
      put(database, "c");
      database.checkpoint(log, LogExtent.KEPT);
      assertThat(restore(RestorePoint.time(NOON.plusSeconds(59)))).isGreaterThanOrEqualTo(written);
    }
    assertThat(value(copy)).isEqualTo("b");
  }

  /** Waits until a number was given out that is none of a write; returns it. */
  private static long awaitNote(Database database) throws Exception {
    long before = visible(database);
    return await("a note", () -> visible(database), visible -> visible != before);
  }

  private static long visible(Database database) throws IOException {
    try (var snapshot = database.snapshot()) {
      return snapshot.sequenceNumber();
    }
  }

  @Test
  void aClockThatIsBehindThatOfTheOriginalHidesNoWriteToTheCopy() throws IOException {
    try (Database database = open(Duration.ofDays(1))) {
      put(database, "a");
      database.checkpoint(copy);
      clock.addAndGet(60_000);
      put(database, "b");
      Checkpoint second = database.checkpoint(log, LogExtent.KEPT);
      clock.set(NOON.toEpochMilli());
      restore(RestorePoint.sequence(second.sequence()));
    }
    assertThat(value(copy)).isEqualTo("b");
    try (Database database = Database.open(copy, options(Duration.ZERO))) {
      put(database, "c");
    }
    assertThat(value(copy)).isEqualTo("c");
  }

  @Test
  void withoutRetentionNothingIsNoted() throws Exception {
    try (Database database = open(Duration.ZERO)) {
      put(database, "a");
      assertThat(database.checkpoint(copy).sequence()).isEqualTo(1);
      put(database, "b");
      assertThat(database.checkpoint(log, LogExtent.KEPT).sequence()).isEqualTo(2);
    }
    assertRefused(RestorePoint.sequence(2), "made without DatabaseOptions.logRetention");
  }

  @Test
  void momentsBeforeTheCopyAndBehindTheLogAreRefused() throws IOException {
    Checkpoint first;
    Checkpoint second;
    try (Database database = open(Duration.ofDays(1))) {
      put(database, "a");
      clock.addAndGet(1000);
      first = database.checkpoint(copy);
      clock.addAndGet(1000);
      put(database, "b");
      second = database.checkpoint(log, LogExtent.KEPT);
    }
    assertRefused(RestorePoint.sequence(first.sequence() - 1), "the copy has sequence number");
    assertRefused(RestorePoint.time(NOON), "the copy was made at 2026-01-31T12:00:01Z");
    assertRefused(
        RestorePoint.sequence(second.sequence() + 1),
        "the log goes as far as sequence number " + second.sequence(),
        "2026-01-31T12:00:02Z");
    assertRefused(RestorePoint.time(NOON.plusSeconds(3)), "the log goes as far as", "12:00:02Z");
    assertThatIllegalArgumentException().isThrownBy(() -> RestorePoint.sequence(-1));
    assertThatThrownBy(
            () ->
                RollForward.apply(
                    folder.resolve("none"), log, RestorePoint.sequence(1), options(Duration.ZERO)))
        .isInstanceOf(NotADatabaseException.class);
  }

  @Test
  void aLogWithAGapIsRefused() throws IOException {
    Checkpoint second;
    try (Database database = open(Duration.ofDays(1))) {
      put(database, "a");
      database.checkpoint(copy);
      for (int i = 0; i < 3; i++) {
        put(database, "b" + i);
        database.checkpoint(folder.resolve("between" + i));
      }
      put(database, "c");
      second = database.checkpoint(log, LogExtent.KEPT);
    }
    Path middle;
    try (Stream<Path> files = Files.list(log.resolve("wal"))) {
      middle = files.sorted().skip(2).findFirst().orElseThrow();
    }
    Files.delete(middle);
    assertRefused(RestorePoint.sequence(second.sequence()), "the log has a gap");
  }

  /** Files from before a time in which the log was not kept go a moment later than those after. */
  @Test
  void aCopyWhoseLogHasAGapBehindItsNotesIsRefused() throws IOException {
    Path noted = folder.resolve("noted");
    try (Database database = open(Duration.ofDays(1))) {
      put(database, "a");
      database.checkpoint(noted);
      put(database, "b");
      database.checkpoint(folder.resolve("between"));
    }
    Checkpoint second;
    try (Database database = open(Duration.ZERO)) {
      put(database, "c");
      database.flush();
      put(database, "d");
      database.checkpoint(copy);
      put(database, "e");
      second = database.checkpoint(log, LogExtent.KEPT);
    }
    Path oldest;
    try (Stream<Path> files = Files.list(noted.resolve("wal"))) {
      oldest = files.sorted().findFirst().orElseThrow();
    }
    String name = oldest.getFileName().toString().replace(".log", "-1.log");
    Files.copy(oldest, Files.createDirectory(copy.resolve("kept")).resolve(name));
    assertRefused(
        RestorePoint.sequence(second.sequence()), "made without DatabaseOptions.logRetention");
  }

  @Test
  void ingestedFilesAreNotInTheLog() throws IOException {
    Checkpoint second;
    long before;
    try (Database database = open(Duration.ofDays(1))) {
      put(database, "a");
      database.checkpoint(copy);
      put(database, "b");
      before = visible(database);
      Path file = folder.resolve("sorted");
      FamilyDescriptor family = FamilyDescriptor.of(KeyValueStore.FAMILY);
      try (SortedFileWriter writer = SortedFileWriter.create(file, family)) {
        writer.add(new byte[] {'x'}, new byte[0], 1, new byte[] {1});
        writer.finish();
      }
      database.ingest("s", KeyValueStore.FAMILY, java.util.List.of(file));
      put(database, "c");
      second = database.checkpoint(log, LogExtent.KEPT);
    }
    assertRefused(RestorePoint.sequence(second.sequence()), "files were ingested into table s");
    restore(RestorePoint.sequence(before));
    assertThat(value(copy)).isEqualTo("b");
  }

  @Test
  void anIngestionThatIsRefusedIsNotNoted() throws IOException {
    Checkpoint second;
    try (Database database = open(Duration.ofDays(1))) {
      put(database, "a");
      database.checkpoint(copy);
      Path file = folder.resolve("sorted");
      FamilyDescriptor family = FamilyDescriptor.of(KeyValueStore.FAMILY);
      try (SortedFileWriter writer = SortedFileWriter.create(file, family)) {
        writer.add(new byte[] {'x'}, new byte[0], 1, new byte[] {1});
        writer.finish();
      }
      assertThatThrownBy(() -> database.ingest("s", "none", java.util.List.of(file)))
          .isInstanceOf(FamilyNotFoundException.class);
      database.ingest("s", KeyValueStore.FAMILY, java.util.List.of());
      put(database, "b");
      second = database.checkpoint(log, LogExtent.KEPT);
    }
    restore(RestorePoint.sequence(second.sequence()));
    assertThat(value(copy)).isEqualTo("b");
  }

  /** As if the process could open no more files. */
  @Test
  void whatFailsBeforeFilesAreAddedIsNotNoted() throws IOException {
    AtomicBoolean fails = new AtomicBoolean();
    log = folder.resolve("log");
    copy = folder.resolve("copy");
    Storage storage =
        new WrappingStorage(new FileStorage(folder.resolve("db"))) {
          @Override
          public StorageReader open(String name) throws IOException {
            if (fails.get() && name.startsWith("sst/")) {
              throw new IOException("too many open files");
            }
            return super.open(name);
          }
        };
    Checkpoint second;
    try (Database database = DatabaseEngine.open(storage, options(Duration.ofDays(1)))) {
      put(database, "a");
      database.checkpoint(copy);
      Path file = folder.resolve("sorted");
      FamilyDescriptor family = FamilyDescriptor.of(KeyValueStore.FAMILY);
      try (SortedFileWriter writer = SortedFileWriter.create(file, family)) {
        writer.add(new byte[] {'x'}, new byte[0], 1, new byte[] {1});
        writer.finish();
      }
      fails.set(true);
      assertThatThrownBy(() -> database.ingest("s", KeyValueStore.FAMILY, java.util.List.of(file)))
          .hasMessage("too many open files");
      assertThatThrownBy(
              () -> database.copyTable("s", TableDescriptor.of("t", KeyValueStore.FAMILY)))
          .hasMessage("too many open files");
      fails.set(false);
      put(database, "b");
      second = database.checkpoint(log, LogExtent.KEPT);
    }
    restore(RestorePoint.sequence(second.sequence()));
    assertThat(value(copy)).isEqualTo("b");
  }

  @Test
  void aCopyOfATableIsNoticedAlthoughItWasMadeWhileTheLogWasNotKept() throws IOException {
    Checkpoint second;
    try (Database database = open(Duration.ofDays(1))) {
      put(database, "a");
      database.checkpoint(copy);
      database.reconfigure(now -> now.logRetention(Duration.ZERO));
      database.copyTable("s", TableDescriptor.of("t", KeyValueStore.FAMILY));
      database.reconfigure(now -> now.logRetention(Duration.ofDays(1)));
      put(database, "b");
      second = database.checkpoint(log, LogExtent.KEPT);
    }
    assertRefused(RestorePoint.sequence(second.sequence()), "files were ingested into table t");
  }

  @Test
  void tablesThatChangeWhileNothingIsNotedAreNoticed() throws Exception {
    Checkpoint second;
    long before;
    try (Database database = open(Duration.ofDays(1))) {
      put(database, "a");
      database.checkpoint(copy);
      put(database, "b");
      database.reconfigure(options -> options.logRetention(Duration.ZERO));
      before = awaitUnnotedTable(database);
      database.reconfigure(options -> options.logRetention(Duration.ofDays(1)));
      awaitNote(database);
      put(database, "c");
      second = database.checkpoint(log, LogExtent.KEPT);
    }
    assertRefused(RestorePoint.sequence(before), "tables were changed");
    restore(RestorePoint.sequence(second.sequence()));
    assertThat(value(copy)).isEqualTo("c");
    try (Database restored = Database.open(copy, options(Duration.ZERO))) {
      assertThat(restored.exists("unnoted")).isTrue();
    }
  }

  /** Creates tables until one is not noted; returns the last number before. */
  private static long awaitUnnotedTable(Database database) throws IOException {
    AtomicLong before = new AtomicLong();
    await(
        "a table that is not noted",
        () -> {
          if (database.exists("unnoted")) {
            database.dropTable("unnoted");
          }
          before.set(visible(database));
          database.createTable(TableDescriptor.of("unnoted", "f"));
          return visible(database) == before.get();
        });
    return before.get();
  }

  @Test
  void theLogOfAnotherDatabaseIsRefused() throws IOException {
    Checkpoint second;
    try (Database database = open(Duration.ofDays(1))) {
      put(database, "a");
      database.checkpoint(copy);
    }
    clock.addAndGet(1);
    try (Database other = Database.open(folder.resolve("other"), options(Duration.ofDays(1)))) {
      put(other, "a");
      put(other, "b");
      second = other.checkpoint(log, LogExtent.KEPT);
    }
    assertRefused(RestorePoint.sequence(second.sequence() + 5), "another database");
  }
}
