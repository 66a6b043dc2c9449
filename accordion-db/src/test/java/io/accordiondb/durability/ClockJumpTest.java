// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.Await.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Cell;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.Scan;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A clock that is wrong for a while loses no row with a time to live, and dates no later write. */
class ClockJumpTest {
  private static final byte[] F = "f".getBytes(US_ASCII);
  private static final byte[] Q = "q".getBytes(US_ASCII);
  private static final byte[] KEPT = "kept".getBytes(US_ASCII);
  private static final byte[] LATER = "later".getBytes(US_ASCII);
  private static final long START = Instant.parse("2024-02-03T04:05:06Z").toEpochMilli();
  private static final long TTL = Duration.ofDays(1).toMillis();
  private static final long TEN_YEARS = Duration.ofDays(3653).toMillis();

  private MemoryStorage disk = new MemoryStorage();
  private final AtomicLong clock = new AtomicLong(START);

  private Database open() throws IOException {
    return DatabaseEngine.open(
        disk,
        DatabaseOptions.builder()
            .memoryBytes(4 << 20)
            .clock(() -> Instant.ofEpochMilli(clock.get()))
            .build());
  }

  private static void create(Database database) throws IOException {
    database.createTable(
        TableDescriptor.builder("t")
            .family(
                FamilyDescriptor.builder("f")
                    .ttlMillis(TTL)
                    .memStorePolicy(MemStorePolicy.of(Policy.EAGER))
                    .build())
            .build());
  }

  private static void put(Database database, byte[] row) throws IOException {
    database.table("t").put(new Put(row).addColumn(F, Q, row));
  }

  private static boolean has(Database database, byte[] row) throws IOException {
    return database.table("t").exists(new Get(row));
  }

  private static long timestamp(Database database, byte[] row) throws IOException {
    Cell cell = database.table("t").get(new Get(row)).cell(F, Q);
    return cell == null ? -1 : cell.timestamp();
  }

  @Test
  void readsWhileTheClockIsAheadExpireNothingForGood() throws IOException {
    try (Database database = open()) {
      create(database);
      put(database, KEPT);
      clock.set(START + TEN_YEARS);
      has(database, KEPT);
      database.table("t").scan(new Scan()).close();
      clock.set(START + 1);
      assertThat(has(database, KEPT)).isTrue();
      clock.set(START + TEN_YEARS);
      has(database, KEPT);
    }
    clock.set(START + 2);
    try (Database database = open()) {
      assertThat(has(database, KEPT)).isTrue();
      put(database, LATER);
      assertThat(timestamp(database, LATER)).isEqualTo(START + 2);
      clock.set(START + 2 + TTL);
      assertThat(has(database, LATER)).isTrue();
      clock.set(START + 3 + TTL);
      assertThat(has(database, LATER)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 400, 3653})
  void whatRunsWhileTheClockIsAheadDropsNothing(int days) throws IOException {
    long jump = Duration.ofDays(days).toMillis();
    try (Database database = open()) {
      create(database);
      put(database, KEPT);
      database.flush();
      put(database, LATER);
      clock.set(START + jump);
      database.flushInMemory("t");
      database.flush();
      database.majorCompact("t");
      database.splitRegion("t", LATER);
      database.majorCompact("t");
      clock.set(START + 1);
      assertThat(has(database, KEPT)).isTrue();
      assertThat(has(database, LATER)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 400, 3653})
  void openingWhileTheClockIsAheadDropsNothing(int days) throws IOException {
    try (Database database = open()) {
      create(database);
      put(database, KEPT);
    }
    clock.set(START + Duration.ofDays(days).toMillis());
    try (Database database = open()) {
      database.majorCompact("t");
    }
    clock.set(START + 1);
    try (Database database = open()) {
      assertThat(has(database, KEPT)).isTrue();
      put(database, LATER);
      assertThat(timestamp(database, LATER)).isEqualTo(START + 1);
    }
  }

  @Test
  void writesWhileTheClockIsFarAheadAreDatedByTheTimeThatHasPassed() throws IOException {
    try (Database database = open()) {
      create(database);
      put(database, KEPT);
      clock.set(START + TEN_YEARS);
      put(database, LATER);
      assertThat(has(database, KEPT)).isTrue();
      assertThat(timestamp(database, LATER))
          .isBetween(START, START + Duration.ofHours(1).toMillis());
      clock.set(START + Duration.ofHours(1).toMillis());
      put(database, LATER);
      assertThat(timestamp(database, LATER)).isEqualTo(clock.get());
    }
  }

  @Test
  void afterTheLastCellOfAWrongTimeIsGoneTheNextOpeningDatesRightly() throws IOException {
    try (Database database = open()) {
      create(database);
      put(database, KEPT);
    }
    clock.set(START + TEN_YEARS);
    try (Database database = open()) {
      put(database, LATER);
    }
    clock.set(START + 1);
    try (Database database = open()) {
      put(database, LATER);
      // Not below the cell that a wrong clock has dated, which would hide it.
      assertThat(timestamp(database, LATER)).isEqualTo(START + TEN_YEARS);
      database.table("t").delete(new Delete(LATER));
      database.flush();
      database.majorCompact("t");
    }
    try (Database database = open()) {
      assertThat(has(database, LATER)).isFalse();
      put(database, LATER);
      assertThat(timestamp(database, LATER)).isEqualTo(START + 1);
    }
  }

  private void crash() {
    disk = disk.copy();
    clock.set(START - TTL / 2);
  }

  /** Writes a row after a crash, and returns its timestamp. */
  private long rewritten(byte[] row) throws IOException {
    try (Database database = open()) {
      database.table("t").put(new Put(row).addColumn(F, Q, LATER));
      Cell cell = database.table("t").get(new Get(row)).cell(F, Q);
      assertThat(cell.value()).isEqualTo(LATER);
      return cell.timestamp();
    }
  }

  @Test
  void afterACrashAClockThatWasSetBackDatesNoWriteBelowEarlierOnes() throws IOException {
    try (Database database = open()) {
      create(database);
      put(database, KEPT);
      clock.addAndGet(30_000);
      put(database, KEPT);
      crash();
    }
    assertThat(rewritten(KEPT)).isEqualTo(START + 30_000);
  }

  @Test
  void aCellFromTheFutureDatesNoWriteAfterACrash() throws IOException {
    try (Database database = open()) {
      create(database);
      database.table("t").put(new Put(LATER).addColumn(F, Q, START + TEN_YEARS, LATER));
      put(database, KEPT);
      crash();
    }
    assertThat(rewritten(KEPT)).isBetween(START, START + Duration.ofMinutes(1).toMillis());
  }

  @Test
  void crashesDoNotMoveTheClockAheadStepByStep() throws IOException {
    try (Database database = open()) {
      create(database);
      database.table("t").put(new Put(LATER).addColumn(F, Q, START + TEN_YEARS, LATER));
      put(database, KEPT);
      crash();
    }
    for (int i = 0; i < 3; i++) {
      try (Database database = open()) {
        put(database, KEPT);
        database.flush();
        put(database, KEPT);
        crash();
      }
    }
    assertThat(rewritten(KEPT)).isEqualTo(START);
  }

  @ParameterizedTest
  @ValueSource(longs = {30_000, 3653L * 24 * 60 * 60 * 1000})
  void afterAnOrderlyCloseACellFromTheFutureDatesNoWriteAhead(long ahead) throws IOException {
    try (Database database = open()) {
      create(database);
      database.table("t").put(new Put(LATER).addColumn(F, Q, START + ahead, LATER));
    }
    clock.addAndGet(1);
    assertThat(rewritten(KEPT)).isEqualTo(START + 1);
  }

  @Test
  void aFlushedCellFromTheFutureDatesNoWriteAfterACrash() throws IOException {
    try (Database database = open()) {
      create(database);
      database.table("t").put(new Put(LATER).addColumn(F, Q, START + 30_000, LATER));
      put(database, KEPT);
      database.flush();
      put(database, KEPT);
      crash();
    }
    assertThat(rewritten(KEPT)).isEqualTo(START);
  }

  @Test
  void theManifestFollowsTheClockWhileOneLogFileIsWritten() throws IOException {
    try (Database database = open()) {
      create(database);
      clock.addAndGet(TTL / 4);
      put(database, KEPT);
      long given = clock.get();
      await("a time in the manifest", () -> Manifest.read(disk.copy()).clockCeiling() > given);
      crash();
    }
    assertThat(rewritten(KEPT)).isEqualTo(START + TTL / 4);
  }

  @Test
  void expiredRowsGoWhileTheClockIsRight() throws IOException {
    try (Database database = open()) {
      create(database);
      put(database, KEPT);
      database.flush();
      for (int hour = 0; hour <= 25; hour++) {
        clock.addAndGet(Duration.ofHours(1).toMillis());
        put(database, LATER);
        database.flush();
      }
      assertThat(has(database, KEPT)).isFalse();
      database.majorCompact("t");
      // A row that was dropped does not come back with an earlier time.
      clock.set(START + 1);
      assertThat(has(database, KEPT)).isFalse();
    }
  }
}
