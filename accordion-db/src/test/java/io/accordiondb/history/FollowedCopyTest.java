// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.history;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Change;
import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangesLostException;
import io.accordiondb.Checkpoint;
import io.accordiondb.CompactionStyle;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogExtent;
import io.accordiondb.RestorePoint;
import io.accordiondb.RestorePointException;
import io.accordiondb.RollForward;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.engine.CopyFollower;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.engine.StorageOperations;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.WrappingStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a copy that follows the log, or goes its own way, says about it. */
class FollowedCopyTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
  @TempDir private Path folder;
  private final AtomicLong clock = new AtomicLong(NOON.toEpochMilli());

  private DatabaseOptions options(Duration retention) {
    return DatabaseOptions.builder()
        .logRetention(retention)
        .durability(Durability.SYNC)
        .clock(() -> Instant.ofEpochMilli(clock.get()))
        .build();
  }

  private static byte[] b(String text) {
    return text.getBytes(US_ASCII);
  }

  private static String get(Path database, DatabaseOptions options, String key) throws IOException {
    try (Database opened = Database.open(database, options)) {
      byte[] value = opened.keyValueStore("s").get(b(key));
      return value == null ? "none" : new String(value, US_ASCII);
    }
  }

  @Test
  void theOrderOfRangesAndPutsOfABatchIsKept() throws IOException {
    Path copy = folder.resolve("copy");
    Path log = folder.resolve("log");
    Checkpoint end;
    try (Database database = Database.open(folder.resolve("db"), options(Duration.ofDays(1)))) {
      KeyValueStore s = database.keyValueStore("s");
      s.put(b("z"), b("1"));
      database.checkpoint(copy);
      s.writeBatch()
          .deleteRange(b("a"), b("b"))
          .put(b("a"), b("secret"))
          .deleteRange(b("a"), b("b"))
          .commit();
      assertThat(s.get(b("a"))).isNull();
      end = database.checkpoint(log, LogExtent.KEPT);
    }
    RollForward.apply(copy, log, RestorePoint.sequence(end.sequence()), options(Duration.ZERO));
    assertThat(get(copy, options(Duration.ZERO), "a")).isEqualTo("none");
  }

  @Test
  void aTokenWithoutAChangeNoticesThatChangesWereUndone() throws IOException {
    Path copy = folder.resolve("copy");
    String token;
    try (Database database = Database.open(folder.resolve("db"), options(Duration.ofDays(1)))) {
      KeyValueStore s = database.keyValueStore("s");
      s.put(b("z"), b("1"));
      database.checkpoint(copy, LogExtent.KEPT);
      for (int i = 0; i < 20; i++) {
        s.put(b("a" + i), b("undone"));
      }
      try (ChangeFeed feed = database.changes()) {
        assertThat(feed.next(Duration.ZERO)).isNull();
        token = feed.token();
      }
    }
    try (Database restored = Database.open(copy, options(Duration.ofDays(1)))) {
      KeyValueStore s = restored.keyValueStore("s");
      for (int i = 0; i < 40; i++) {
        s.put(b("b" + i), b("x"));
      }
      assertThatThrownBy(
              () -> {
                try (ChangeFeed feed = restored.changesAfter(token)) {
                  Change change = feed.next(Duration.ZERO);
                  throw new AssertionError("silently continues with " + change);
                }
              })
          .isInstanceOf(ChangesLostException.class);
    }
  }

  /** Runs a change once, before the first file is linked into a copy of the folder. */
  private static final class ChangedWhileCopied extends WrappingStorage {
    private @Nullable IoRunnable change;

    ChangedWhileCopied(Storage delegate) {
      super(delegate);
    }

    @Override
    public void linkTo(String name, Storage target, String targetName) throws IOException {
      IoRunnable due = change;
      change = null;
      if (due != null) {
        due.run();
      }
      super.linkTo(name, target, targetName);
    }
  }

  private void ingest(Database database, String value) throws IOException {
    Path file = folder.resolve("ingested-" + value);
    FamilyDescriptor family = FamilyDescriptor.of(KeyValueStore.FAMILY);
    try (SortedFileWriter writer = SortedFileWriter.create(file, family)) {
      writer.add(b("a"), new byte[0], 1, b(value));
      writer.finish();
    }
    database.ingest("s", KeyValueStore.FAMILY, List.of(file));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReadersCopyWithTheNoteOfAnIngestionAndWithoutItsFilesIsNotFollowed(boolean copiesTable)
      throws IOException {
    MemoryStorage disk = new MemoryStorage();
    MemoryStorage copy = new MemoryStorage();
    MemoryStorage log = new MemoryStorage();
    ChangedWhileCopied seen = new ChangedWhileCopied(disk);
    DatabaseOptions reading = options(Duration.ZERO).toBuilder().readOnly(true).build();
    Checkpoint end;
    try (Database database = DatabaseEngine.open(disk, options(Duration.ofDays(1)));
        Database reader = DatabaseEngine.open(seen, reading)) {
      // No compaction may delete the file that is copied.
      FamilyDescriptor family =
          FamilyDescriptor.builder(KeyValueStore.FAMILY)
              .compactionStyle(CompactionStyle.NONE)
              .build();
      database.createTable(TableDescriptor.builder("s").family(family).build());
      // Reserves the numbers of later ingestions, too.
      ingest(database, "1");
      seen.change =
          () -> {
            if (copiesTable) {
              database.copyTable("s", TableDescriptor.of("t", KeyValueStore.FAMILY));
            } else {
              ingest(database, "2");
            }
          };
      StorageOperations.checkpointWithLog(reader, copy);
      assertThat(seen.change).isNull();
      database.keyValueStore("s").put(b("y"), b("3"));
      end = StorageOperations.checkpointWithLog(database, log);
    }
    assertRefused(copy, log, end, "while files were ingested into table");
  }

  @Test
  void aReadersCopyWithAWriteThatALossOfPowerHasUndoneIsNotFollowed() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    MemoryStorage copy = new MemoryStorage();
    MemoryStorage log = new MemoryStorage();
    DatabaseOptions keeping = options(Duration.ofDays(1));
    MemoryStorage left = new MemoryStorage();
    try (Database database = DatabaseEngine.open(disk, keeping)) {
      KeyValueStore s = database.keyValueStore("s");
      s.put(b("a"), b("1"), Durability.FSYNC);
      s.put(b("a"), b("undone"), Durability.SYNC);
      DatabaseOptions reading = keeping.toBuilder().readOnly(true).build();
      try (Database reader = DatabaseEngine.open(disk, reading)) {
        StorageOperations.checkpointWithLog(reader, copy);
      }
      for (int seed = 0; !stored(left).equals("1"); seed++) {
        left = disk.crash(new SplittableRandom(seed));
      }
    }
    Checkpoint end;
    try (Database database = DatabaseEngine.open(left, keeping)) {
      database.keyValueStore("s").put(b("b"), b("2"));
      end = StorageOperations.checkpointWithLog(database, log);
    }
    assertRefused(copy, log, end, "is that of another database");
  }

  private void assertRefused(MemoryStorage copy, MemoryStorage log, Checkpoint end, String reason) {
    assertThatThrownBy(
            () ->
                CopyFollower.rollForward(
                    copy, log, RestorePoint.sequence(end.sequence()), options(Duration.ZERO)))
        .isInstanceOf(RestorePointException.class)
        .hasMessageContaining(reason);
  }

  /** Returns what a storage has, without changing it. */
  private String stored(MemoryStorage storage) throws IOException {
    try (Database opened = DatabaseEngine.open(storage.copy(), options(Duration.ZERO))) {
      byte[] value = opened.keyValueStore("s").get(b("a"));
      return value == null ? "none" : new String(value, US_ASCII);
    }
  }
}
