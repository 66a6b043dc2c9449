// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.internal.storage.MemoryStorage.LOSES_ALL;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.accordiondb.Change;
import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangesLostException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.Put;
import io.accordiondb.RecoveryMode;
import io.accordiondb.Snapshot;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No sequence number is given out twice, so that no change feed misses a change. */
class SequenceNumbersTest extends OneTable {

  @Test
  void salvageKeepsSequenceNumbersGoingUp() throws IOException {
    long before;
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      for (int i = 100; i < 150; i++) {
        put(database, "t", "row" + i, "v");
      }
      database.flush();
      database.truncateTable("t");
      before = database.checkpoint(folder.resolve("c1")).sequence();
    }
    try (Database database = open(disk, options().recoveryMode(RecoveryMode.SALVAGE))) {
      long after = database.checkpoint(folder.resolve("c2")).sequence();
      assertThat(after).isGreaterThanOrEqualTo(before - 1);
    }
  }

  @Test
  void aFeedThatBeganBehindATruncationMissesNoLaterChange() throws IOException {
    String token;
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      put(database, "t", "a", "1");
      database.truncateTable("t");
      try (ChangeFeed feed = database.changes()) {
        token = feed.token();
      }
    }
    try (Database database = open(disk, options())) {
      put(database, "t", "b", "2");
      put(database, "t", "c", "3");
      List<String> rows = new ArrayList<>();
      try (ChangeFeed feed = database.changesAfter(token)) {
        for (Change c = feed.next(Duration.ZERO); c != null; c = feed.next(Duration.ZERO)) {
          c.cells().forEach(cell -> rows.add(new String(cell.cell().row(), US_ASCII)));
        }
      }
      assertThat(rows).containsExactly("b", "c");
    }
  }

  private void salvagedFeed(DatabaseOptions.Builder options) throws IOException {
    try (Database database = open(disk, options)) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      for (int i = 100; i < 200; i++) {
        put(database, "t", "row" + i, "v".repeat(100));
      }
      database.flush();
      for (int i = 200; i < 220; i++) {
        put(database, "t", "row" + i, "v".repeat(100));
      }
    }
    try (Database database = open(disk, options.recoveryMode(RecoveryMode.SALVAGE))) {
      put(database, "t", "new", "v");
      assertThatExceptionOfType(ChangesLostException.class)
          .isThrownBy(() -> rows(database.changes(1)));
    }
  }

  @Test
  void aFeedFromBeforeASalvageIsToldThatChangesAreLost() throws IOException {
    salvagedFeed(options().logFileBytes(4 << 10));
  }

  @Test
  void aFeedOfAKeptLogFromBeforeASalvageIsToldThatChangesAreLost() throws IOException {
    salvagedFeed(options().logFileBytes(4 << 10).logRetention(Duration.ofDays(1)));
  }

  @Test
  void aKillDoesNotGiveOutTheNumbersOfUnloggedWritesAgain() throws IOException {
    long seen;
    String token;
    MemoryStorage left;
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      put(database, "t", "a", "1");
      putUnlogged(database, "t", 3);
      seen = lastNumber(database);
      try (ChangeFeed feed = database.changes()) {
        token = feed.token();
      }
      left = disk.copy();
    }
    try (Database database = open(left, options())) {
      List<String> later = List.of("b", "c", "d", "e", "f", "g");
      for (String row : later) {
        put(database, "t", row, "2");
      }
      assertThat(rows(database.changes(seen + 1))).isEqualTo(later);
      assertThat(rows(database.changesAfter(token))).isEqualTo(later);
    }
  }

  @Test
  void anOpeningWithoutWritesChangesNoNumber() throws IOException {
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      putUnlogged(database, "t", 3);
    }
    long first;
    try (Database database = open(disk, options())) {
      first = lastNumber(database);
    }
    for (int opening = 0; opening < 3; opening++) {
      try (Database database = open(disk, options())) {
        assertThat(lastNumber(database)).isEqualTo(first);
      }
    }
  }

  @Test
  void theLogIsKeptAsLongAsUnloggedWritesNeedTheirNumbers() throws IOException {
    long seen;
    MemoryStorage left;
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      putUnlogged(database, "t", 1);
      database.flush();
      putUnlogged(database, "t", 3);
      seen = lastNumber(database);
      // It continues the log in another file, without a record.
      database.checkpoint(folder.resolve("copy"));
      ((DatabaseEngine) database).truncateLog();
      left = disk.copy();
    }
    try (Database database = open(left, options())) {
      put(database, "t", "b", "2");
      assertThat(rows(database.changes(seen + 1))).containsExactly("b");
    }
  }

  @Test
  void eachLogFileReservesTheNumbersOfItsUnloggedWrites() throws IOException {
    long seen;
    MemoryStorage left;
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      putUnlogged(database, "t", 1);
      database.checkpoint(folder.resolve("copy"));
      database.flush();
      ((DatabaseEngine) database).truncateLog();
      putUnlogged(database, "t", 3);
      seen = lastNumber(database);
      left = disk.copy();
    }
    try (Database database = open(left, options())) {
      put(database, "t", "b", "2");
      assertThat(rows(database.changes(seen + 1))).containsExactly("b");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theNumberOfAnIngestionThatHasLeftNoFileIsNotGivenOutAgain(boolean fails) throws IOException {
    long seen;
    MemoryStorage left;
    try (Database database = open(disk, options())) {
      FamilyDescriptor expiring = manual().toBuilder().ttlMillis(1).build();
      database.createTable(TableDescriptor.builder("t").family(expiring).build());
      database.createTable(TableDescriptor.of("without", "other"));
      if (fails) {
        assertThatExceptionOfType(FamilyNotFoundException.class)
            .isThrownBy(() -> ingest(database, "without", "a", "1"));
      } else {
        ingest(database, "t", "a", "1");
        database.majorCompact("t");
      }
      seen = lastNumber(database);
      // It continues the log in another file, without a record.
      database.checkpoint(folder.resolve("copy"));
      ((DatabaseEngine) database).truncateLog();
      left = disk.copy();
    }
    try (Database database = open(left, options())) {
      put(database, "t", "b", "2");
      assertThat(rows(database.changes(seen + 1))).containsExactly("b");
    }
  }

  @Test
  void aReaderSeesTheNumbersOfTheWriter() throws IOException {
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      putUnlogged(database, "t", 1);
      put(database, "t", "a", "1");
      try (Database reader = open(disk, options().readOnly(true))) {
        assertThat(lastNumber(reader)).isEqualTo(lastNumber(database));
      }
    }
  }

  @Test
  void aFeedThatBeganBehindAnUnloggedWriteNoticesAnUndoneOne() throws IOException {
    String token;
    MemoryStorage left;
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      put(database, "t", "a", "1");
      put(database, "t", "undone", Durability.SYNC);
      putUnlogged(database, "t", 1);
      try (ChangeFeed feed = database.changes()) {
        token = feed.token();
      }
      left = disk.crash(LOSES_ALL);
    }
    try (Database database = open(left, options())) {
      for (int i = 0; i < 10; i++) {
        put(database, "t", "b" + i, "2");
      }
      assertThatExceptionOfType(ChangesLostException.class)
          .isThrownBy(() -> database.changesAfter(token))
          .withMessageContaining("undone");
    }
  }

  private static void putUnlogged(Database database, String table, int rows) throws IOException {
    for (int i = 0; i < rows; i++) {
      put(database, table, "unlogged" + i, Durability.SKIP);
    }
  }

  private static void put(Database database, String table, String row, Durability durability)
      throws IOException {
    Put put = new Put(bytes(row)).addColumn(F, Q, bytes("v"));
    put.setDurability(durability);
    database.table(table).put(put);
  }

  private static long lastNumber(Database database) throws IOException {
    try (Snapshot snapshot = database.snapshot()) {
      return snapshot.sequenceNumber();
    }
  }

  private static List<String> rows(ChangeFeed changes) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ChangeFeed feed = changes) {
      for (Change c = feed.next(Duration.ZERO); c != null; c = feed.next(Duration.ZERO)) {
        c.cells().forEach(cell -> rows.add(new String(cell.cell().row(), US_ASCII)));
      }
    }
    return rows;
  }

  @Test
  void sequenceNumbersGoUpAfterASalvage() throws IOException {
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      for (int i = 100; i < 200; i++) {
        put(database, "t", "row" + i, "v");
      }
    }
    String token;
    try (Database database = open(disk, options().recoveryMode(RecoveryMode.SALVAGE))) {
      try (ChangeFeed feed = database.changes()) {
        token = feed.token();
      }
      database.dropTable("t");
    }
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      for (int i = 0; i < 150; i++) {
        put(database, "t", "row" + i, "v");
      }
      int[] changes = {0};
      try (ChangeFeed feed = database.changesAfter(token)) {
        for (Change c = feed.next(Duration.ZERO); c != null; c = feed.next(Duration.ZERO)) {
          changes[0]++;
        }
      }
      assertThat(changes[0]).isEqualTo(150);
    }
  }
}
