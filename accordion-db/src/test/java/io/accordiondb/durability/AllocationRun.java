// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.durability.WriteHistory.Contents;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A life of a database in which an allocation fails, and what must be there afterwards. Runs among
 * {@link AllocatingClasses}.
 */
final class AllocationRun {
  private static final int OPERATIONS = 40;

  /** Changes of a large batch, which fills active segments. */
  private static final int CHANGES_MAX = 60;

  private static final AtomicLong CLOCK = new AtomicLong(1_000_000);

  /** A disk as a loss of power leaves it, and what it holds. */
  private static MemoryStorage crashed = new MemoryStorage();

  private static Contents contents = new Contents(Map.of(), Map.of());
  private static long lastValue;

  /** Made before allocations fail. */
  private static DatabaseOptions prepared = options(0);

  private static AllocationRun last = new AllocationRun(0, options(0));

  private final DatabaseOptions options;
  private final SplittableRandom random;
  private final WriteHistory history = WriteHistory.startingWith(contents);
  private final MemoryStorage disk = crashed.copy();
  private boolean closed;

  /** What could not be closed for lack of memory. */
  private @Nullable Database open;

  private AllocationRun(long seed, DatabaseOptions options) {
    this.options = options;
    this.random = new SplittableRandom(seed);
  }

  /** Makes the disk that all lives begin with. */
  static void prepare(long seed) throws IOException {
    MemoryStorage disk = new MemoryStorage();
    try (Database database = DatabaseEngine.open(disk, options(seed))) {
      Workload workload =
          new Workload(
              database, new WriteHistory(), new SplittableRandom(seed), CLOCK::incrementAndGet, 0);
      workload.run(3 * OPERATIONS);
      lastValue = workload.lastValue();
      crashed = disk.crash(new SplittableRandom(seed));
    }
    contents = contentsOf(crashed.copy(), seed);
    prepared = options(seed);
  }

  /** Lives a life in which allocations may fail. */
  static void live(long seed) {
    last = new AllocationRun(seed, prepared);
    last.live();
  }

  /** Opens what the last life has left, and checks that nothing acknowledged is missing. */
  static void check(long seed) throws IOException {
    last.checkLeft(seed);
  }

  /** Checks that the last life has closed its files, unless there was no memory for closing. */
  static void checkFiles(long seed) {
    if (last.open == null) {
      assertThat(last.disk.openFiles()).as("open files").isZero();
    }
  }

  private void live() {
    Database database;
    try {
      database = DatabaseEngine.open(disk, options);
    } catch (IOException | OutOfMemoryError e) {
      return;
    }
    Workload workload = new Workload(database, history, random, CLOCK::incrementAndGet, lastValue);
    for (int i = 0; i < OPERATIONS && !history.isCatalogUnderWay(); i++) {
      try {
        step(database, workload);
      } catch (IOException | OutOfMemoryError e) {
        history.failWrites();
        assertVisible(database);
      }
    }
    assertVisible(database);
    try {
      database.close();
    } catch (OutOfMemoryError e) {
      open = database;
      return;
    } catch (IOException e) {
      return;
    }
    closed = true;
  }

  private void step(Database database, Workload workload) throws IOException {
    List<String> tables = new ArrayList<>(history.catalog().tables().keySet());
    int choice = tables.isEmpty() ? 100 : random.nextInt(20);
    byte[] row = ("r" + random.nextInt(8)).getBytes(US_ASCII);
    switch (choice) {
      case 0 -> database.splitRegion(tables.get(0), row);
      case 1 -> database.mergeRegions(tables.get(0), row);
      case 2, 3, 4, 5 -> workload.write(Durability.SYNC, CHANGES_MAX);
      case 6 -> workload.write(Durability.FSYNC, CHANGES_MAX);
      case 7 -> assertVisible(database);
      default -> workload.run(1);
    }
  }

  private void assertVisible(Database database) {
    Contents visible;
    try {
      visible = Workload.contentsOf(database);
    } catch (IOException | OutOfMemoryError e) {
      return;
    }
    history.checkVisible(visible);
  }

  private void checkLeft(long seed) throws IOException {
    if (open != null) {
      closeAgain(open);
    }
    Contents left = contentsOf(disk.copy(), seed);
    history.check(left, history.progress(), false, history.started(), history.catalogsStarted());
    Contents afterCrash = contentsOf(disk.crash(new SplittableRandom(seed)), seed);
    history.check(
        afterCrash, history.progress(), true, history.started(), history.catalogsStarted());
    if (closed) {
      history.checkVisible(left);
      history.checkVisible(afterCrash);
    }
  }

  /** Closes a database once more, which may have been closed or have failed. */
  private static void closeAgain(Database database) {
    try {
      database.close();
    } catch (IOException e) {
      // The database has failed, and says so.
    }
  }

  private static Contents contentsOf(MemoryStorage disk, long seed) throws IOException {
    try (Database database = DatabaseEngine.open(disk, options(seed))) {
      return Workload.contentsOf(database);
    }
  }

  private static DatabaseOptions options(long seed) {
    Policy[] policies = Policy.values();
    boolean foreground = seed < policies.length;
    return DatabaseOptions.builder()
        .memoryBytes(1 << 20)
        .storeFlushBytes(foreground ? 0 : 16 << 10)
        .blockCacheBytes(foreground ? 0 : 64 << 10)
        .memStorePolicy(new MemStorePolicy(policies[(int) (seed % policies.length)], 0.02, 2, 0.1))
        .experiment(
            e -> e.withSegmentLayout(SegmentLayout.of(CellMemory.HEAP_CHUNKS, IndexKind.CHUNK)))
        .experiment(e -> e.withChunkBytes(16 << 10))
        .logRetention(Duration.ofHours(seed % 2))
        .logFileBytes(4 << 10)
        .asyncLogDelay(Duration.ofMillis(foreground ? 60_000 : 1))
        .stallMax(Duration.ofSeconds(2))
        .clock(() -> Instant.ofEpochMilli(CLOCK.get()))
        .build();
  }
}
