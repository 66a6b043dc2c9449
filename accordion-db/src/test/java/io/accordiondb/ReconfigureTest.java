// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.internal.manifest.RegionNames;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.statistics.BlockKind;
import io.accordiondb.statistics.CacheStatistics.Lookups;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options of an open database, changed. */
class ReconfigureTest {
  private static final int MIB = 1 << 20;
  private static final Duration RETENTION = Duration.ofDays(1);

  @TempDir private Path folder;
  private Database database;
  private KeyValueStore store;

  @BeforeEach
  void open() throws IOException {
    database =
        Database.open(
            folder,
            DatabaseOptions.builder().memoryBytes(16 * MIB).blockCacheBytes(4 * MIB).build());
    store = database.keyValueStore("s");
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  private void write(int first, int count) throws IOException {
    for (int i = first; i < first + count; i++) {
      store.put(bytes("key" + i), new byte[1000]);
    }
  }

  private void check(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      assertThat(store.get(bytes("key" + i))).as("key%d", i).hasSize(1000);
    }
  }

  @Test
  void lessMemoryIsReachedByFlushes() throws IOException {
    write(0, 8_000);
    assertThat(database.statistics().flushes().count()).isZero();
    database.reconfigure(now -> now.memoryBytes(2 * MIB));
    assertThat(database.statistics().memory().budgetBytes()).isEqualTo(2 * MIB);
    write(8_000, 8_000);
    assertThat(database.statistics().flushes().count()).isPositive();
    assertThat(database.statistics().memory().usedBytes()).isLessThan(2 * MIB + MIB / 2);
    check(16_000);
  }

  @Test
  void moreMemoryIsUsed() throws IOException {
    database.reconfigure(now -> now.memoryBytes(64 * MIB));
    write(0, 24_000);
    assertThat(database.statistics().flushes().count()).isZero();
    assertThat(database.statistics().memory().usedBytes()).isGreaterThan(24 * MIB);
    check(24_000);
  }

  /** A default that follows the memory is none that was chosen. */
  @Test
  void otherOptionsWithAnotherMemoryAreTaken() throws IOException {
    database.reconfigure(
        now -> DatabaseOptions.builder().memoryBytes(24 * MIB).blockCacheBytes(4 * MIB));
    assertThat(database.options().memoryBytes()).isEqualTo(24 * MIB);
    Path saved = folder.resolveSibling("options");
    database.options().save(saved);
    assertThat(Files.readString(saved)).doesNotContain("\nlogFileBytes=");
  }

  @Test
  void cachesShrinkAndGrow() throws IOException {
    write(0, 8_000);
    database.flush();
    check(8_000);
    check(8_000);
    for (int size : new int[] {64 << 10, 0, 32 * MIB, MIB}) {
      database.reconfigure(now -> now.blockCacheBytes(size));
      check(8_000);
      check(8_000);
      assertThat(database.statistics().cache().budgetBytes()).isEqualTo(size);
    }
    assertThat(database.statistics().cache().usedBytes()).isBetween(MIB / 4L, (long) MIB);
  }

  @Test
  void aCacheThatGrowsKeepsItsBlocks() throws IOException {
    write(0, 1_500);
    database.flush();
    check(1_500);
    check(1_500);
    Lookups before = database.statistics().cache().of(BlockKind.DATA);
    database.reconfigure(now -> now.blockCacheBytes(64 * MIB));
    check(1_500);
    Lookups after = database.statistics().cache().of(BlockKind.DATA);
    assertThat(after.hits()).isGreaterThan(before.hits());
    assertThat(after.misses()).isEqualTo(before.misses());
  }

  @Test
  void aCacheThatShrinksKeepsNoMoreFiltersThanItMay() throws IOException {
    KeyValueBatch batch = store.writeBatch();
    for (int i = 0; i < 100_000; i++) {
      batch.put(bytes("key" + i), new byte[0]);
    }
    batch.commit();
    database.flush();
    for (int i = 0; i < 100_000; i += 10) {
      assertThat(store.get(bytes("key" + i))).isEmpty();
    }
    assertThat(database.statistics().cache().usedBytes()).isGreaterThan(128 << 10);
    database.reconfigure(now -> now.blockCacheBytes(64 << 10));
    assertThat(database.statistics().cache().usedBytes()).isLessThanOrEqualTo(64 << 10);
    for (int i = 0; i < 100_000; i += 1000) {
      assertThat(store.get(bytes("key" + i))).isEmpty();
    }
    assertThat(database.statistics().cache().usedBytes()).isLessThanOrEqualTo(64 << 10);
  }

  @Test
  void limitsPoliciesAndThreadsChange() throws IOException {
    database.reconfigure(
        now ->
            now.valueBytesMax(500)
                .stallMax(Duration.ofSeconds(3))
                .memStorePolicy(MemStorePolicy.of(Policy.EAGER))
                .flushThreads(3)
                .compactionThreads(3));
    assertThatThrownBy(() -> write(0, 1)).isInstanceOf(ValueTooLargeException.class);
    database.reconfigure(now -> now.valueBytesMax(1000).flushThreads(1).compactionThreads(1));
    write(0, 1);
    check(1);
    DatabaseOptions now = database.options();
    assertThat(now.memStorePolicy()).isEqualTo(MemStorePolicy.of(Policy.EAGER));
    assertThat(now.flushThreads()).isOne();
    assertThat(now.stallMax()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void aChangeWithinAChangeIsRefused() throws IOException {
    DatabaseOptions before = database.options();
    assertThatThrownBy(
            () ->
                database.reconfigure(
                    now -> {
                      try {
                        database.reconfigure(inner -> inner.flushThreads(2));
                      } catch (IOException e) {
                        throw new UncheckedIOException(e);
                      }
                      return now;
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("within a change");
    assertThat(database.options().flushThreads()).isEqualTo(before.flushThreads());
  }

  @Test
  void aChangeThatEndsAfterClosingLeavesTheFolderToItsNextOwner() throws IOException {
    Path names = folder.resolve(RegionNames.NAME);
    byte[][] saved = new byte[1][];
    assertThatThrownBy(
            () ->
                database.reconfigure(
                    now -> {
                      saved[0] = savedByTheNextOwner(names);
                      return now.logRetention(RETENTION);
                    }))
        .isInstanceOf(DatabaseClosedException.class);
    assertThat(names).hasBinaryContent(saved[0]);
  }

  /** Closes the database, and has another one make a table in its folder. */
  private byte[] savedByTheNextOwner(Path names) {
    DatabaseOptions options =
        DatabaseOptions.builder().memoryBytes(16 * MIB).logRetention(RETENTION).build();
    try {
      database.close();
      try (Database next = Database.open(folder, options)) {
        next.keyValueStore("t");
      }
      return Files.readAllBytes(names);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatHasItsEffectAtOpeningIsRefusedByName() throws IOException {
    refused(now -> now.readOnly(true), "readOnly");
    refused(now -> now.logFileBytes(MIB).memoryBytes(32 * MIB), "logFileBytes");
    refused(
        now -> now.fileReading(FileReading.MAPPED).openFilesMax(3), "fileReading, openFilesMax");
    refused(now -> now.experiment(e -> e.withSeed(9)), "experiment");
    refused(
        now -> now.compactionFilter("all", cell -> CompactionFilter.Decision.DROP),
        "compactionFilter");
    MergeOperator operator = MergeOperator.associative("last", (first, second) -> second);
    refused(now -> now.mergeOperator(operator), "mergeOperator");
  }

  @Test
  void valuesThatCannotBeAreRefused() throws IOException {
    refused(now -> now.memoryBytes(1), "memoryBytes is 1,");
    refused(now -> now.batchBytesMax(8 * MIB).memoryBytes(8 * MIB), "batchBytesMax is");
    refused(now -> now.memoryBytes(100L << 30), "memoryBytes is 107374182400");
    refused(now -> now.regionMergeBytes(1L << 50), "regionMergeBytes is");
    refused(now -> now.blockCacheBytes(1L << 50), "blockCacheBytes");
  }

  private void refused(UnaryOperator<DatabaseOptions.Builder> change, String named)
      throws IOException {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> database.reconfigure(change))
        .withMessageContaining(named);
    assertThat(database.options().memoryBytes()).isEqualTo(16 * MIB);
    write(0, 1);
  }

  @Test
  void whatWasNotOpenedOrAskedForIsRefused() throws IOException {
    assertThatThrownBy(() -> database.reconfigure(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> database.reconfigure(now -> null))
        .isInstanceOf(NullPointerException.class);
    database.close();
    assertThatThrownBy(() -> database.reconfigure(now -> now))
        .isInstanceOf(DatabaseClosedException.class);
    assertThatThrownBy(() -> database.options()).isInstanceOf(DatabaseClosedException.class);
  }
}
