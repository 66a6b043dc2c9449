// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.ParallelRuns;
import io.accordiondb.durability.WriteHistory.Contents;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * One workload, from the recovery of a crash to the closing, again and again: the first operation
 * of the storage fails, or that and a few more, or that and all that follow; the second, the third,
 * until none is left to fail. Whatever fails, readers see what was acknowledged and nothing else,
 * all ends in time, no file stays open, and the database opens afterwards with all that was
 * acknowledged as durable.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class ErrorAtEveryOperationTest {
  private static final int OPERATIONS = 20;
  private static final int AT_ONCE = 16;

  /** Operations that fail one after another before the storage works again. */
  private static final int A_WHILE = 6;

  /** The default run lets one of this number of operations fail. */
  private static final int SOME = 17;

  /** Of the operations after whose failure writes resume, it lets one of this number fail. */
  private static final int MANY = 4;

  private static final int FOR_EVER = Integer.MAX_VALUE;

  /** A kind of fault, and the operations that have it. */
  private enum Fault {
    UNREADABLE(Operation.OPEN, Operation.READ, Operation.LOOK),
    UNWRITABLE(Operation.APPEND),
    FULL(Operation.CREATE, Operation.APPEND, Operation.CREATE_DIRECTORIES),
    UNSYNCED(Operation.SYNC, Operation.SYNC_DIRECTORY),
    NOT_RENAMED(Operation.RENAME),
    NOT_DELETED(Operation.DELETE),
    NOT_CLOSED(Operation.CLOSE),
    NOT_LOCKED(Operation.LOCK);

    final Set<Operation> operations;

    Fault(Operation... operations) {
      this.operations = Set.of(operations);
    }
  }

  /**
   * What all lives have in common.
   *
   * @param between what a database sees the disk through
   * @param resumes whether suspended writes are resumed at once; the database resumes them by
   *     itself, but a life has mostly ended by then
   */
  private record Lives(DatabaseOptions options, UnaryOperator<Storage> between, boolean resumes) {
    static Lives of(DatabaseOptions options) {
      return new Lives(options, UnaryOperator.identity(), false);
    }

    Lives resuming() {
      return new Lives(options, between, true);
    }
  }

  private static final long WORKLOAD_SEED = 2;

  /** Workloads in which a planted defect is looked for. */
  private static final int HUNTED_WORKLOADS = 4;

  private static final AtomicLong CLOCK = new AtomicLong(1_000_000);

  /** A disk as a loss of power leaves it, and what it holds. */
  private static MemoryStorage crashed = new MemoryStorage();

  private static Contents contents = new Contents(Map.of(), Map.of());
  private static long lastValue;
  private static volatile long workloadSeed = WORKLOAD_SEED;

  @BeforeAll
  static void crash() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    try (Database database = DatabaseEngine.open(disk, options(true))) {
      SplittableRandom random = new SplittableRandom(1);
      Workload workload =
          new Workload(database, new WriteHistory(), random, CLOCK::incrementAndGet, 0);
      workload.run(3 * OPERATIONS);
      lastValue = workload.lastValue();
      crashed = disk.crash(random);
    }
    contents = contentsOf(crashed.copy());
  }

  @ParameterizedTest
  @EnumSource
  void inTheForeground(Fault fault) {
    run(fault, SOME, Lives.of(options(true)));
  }

  @ParameterizedTest
  @EnumSource
  void inTheBackground(Fault fault) {
    run(fault, SOME, Lives.of(options(false)));
  }

  @ParameterizedTest
  @EnumSource(names = {"UNWRITABLE", "FULL", "UNSYNCED"})
  void whileWritesResume(Fault fault) {
    run(fault, MANY, Lives.of(options(true)).resuming());
  }

  @ParameterizedTest
  @EnumSource
  @Tag("long")
  void atEachInTheForeground(Fault fault) {
    run(fault, 1, Lives.of(options(true)));
  }

  @ParameterizedTest
  @EnumSource
  @Tag("long")
  void atEachInTheBackground(Fault fault) {
    run(fault, 1, Lives.of(options(false)));
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "UNREADABLE")
  @Tag("long")
  void atEachWhileWritesResume(Fault fault) {
    run(fault, 1, Lives.of(options(true)).resuming());
    run(fault, 1, Lives.of(options(false)).resuming());
  }

  /**
   * Lets faults of what is written happen to databases that see the disk through something.
   *
   * @param suspect the operation whose faults come first
   */
  static void hunt(long firstSeed, UnaryOperator<Storage> between, Operation suspect) {
    List<Fault> faults =
        Stream.of(Fault.UNSYNCED, Fault.NOT_RENAMED, Fault.UNWRITABLE)
            .sorted(Comparator.comparing(fault -> !fault.operations.contains(suspect)))
            .toList();
    for (long seed = firstSeed; seed < firstSeed + HUNTED_WORKLOADS; seed++) {
      workloadSeed = seed;
      for (Fault fault : faults) {
        run(fault, 1, new Lives(options(true), between, false));
      }
    }
  }

  /** Lets each operation fail of those that are a step apart. */
  private static void run(Fault fault, int step, Lives lives) {
    long faults = 0;
    long failed;
    do {
      failed =
          ParallelRuns.sum(
              faults,
              faults + AT_ONCE,
              number -> failsHoweverLong(fault, 1 + number * step, lives) ? 1 : 0);
      faults += failed;
    } while (failed == AT_ONCE);
    assertThat(faults).as("operations that failed").isPositive();
  }

  /** Lets an operation fail alone, with the next few, and with all that follow. */
  private static boolean failsHoweverLong(Fault fault, long nth, Lives lives) {
    return fails(fault, nth, 1, lives)
        & (nth % A_WHILE != 1 || fails(fault, nth, A_WHILE, lives))
        & fails(fault, nth, FOR_EVER, lives);
  }

  /** Returns whether there was an operation to fail. */
  private static boolean fails(Fault fault, long nth, int times, Lives lives) {
    try {
      return check(fault, nth, times, lives);
    } catch (IOException | RuntimeException | AssertionError e) {
      throw new AssertionError(fault + " operations, " + times + " from the " + nth + ". on", e);
    }
  }

  private static boolean check(Fault fault, long nth, int times, Lives lives) throws IOException {
    MemoryStorage disk = crashed.copy();
    FaultyStorage storage = new FaultyStorage(disk);
    storage.failFor(fault.operations, nth, times);
    WriteHistory history = WriteHistory.startingWith(contents);
    boolean closed = live(storage, history, lives);
    long count = storage.count();
    storage.count(Set.of());
    assertThat(disk.openFiles()).as("files left open").isZero();

    Contents killed = contentsOf(disk.copy());
    history.check(killed, history.progress(), false, history.started(), history.catalogsStarted());
    Contents left = contentsOf(disk.crash(new SplittableRandom(nth)));
    history.check(left, history.progress(), true, history.started(), history.catalogsStarted());
    if (closed) {
      history.checkVisible(killed);
      history.checkVisible(left);
    }
    return count >= nth;
  }

  /** Returns whether the database was opened, and then closed without a complaint. */
  private static boolean live(Storage storage, WriteHistory history, Lives lives)
      throws IOException {
    Database database;
    try {
      database = DatabaseEngine.open(lives.between.apply(storage), lives.options);
    } catch (IOException e) {
      return false;
    }
    Workload workload =
        new Workload(
            database,
            history,
            new SplittableRandom(workloadSeed),
            CLOCK::incrementAndGet,
            lastValue);
    // Behind a write that has failed, none may be acknowledged and then be missing. Only behind
    // those that were suspended may others succeed, once writes have resumed.
    for (int i = 0; i < OPERATIONS && !history.isCatalogUnderWay(); i++) {
      try {
        workload.run(1);
      } catch (IOException e) {
        assertVisible(database, history);
        if (lives.resumes) {
          resume(database);
        }
      }
    }
    assertVisible(database, history);
    try {
      database.close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void resume(Database database) {
    try {
      database.resume();
    } catch (IOException e) {
      // The failure does not pass, or not yet.
    }
  }

  private static void assertVisible(Database database, WriteHistory history) {
    Contents visible;
    try {
      visible = Workload.contentsOf(database);
    } catch (IOException e) {
      return;
    }
    history.checkVisible(visible);
  }

  private static Contents contentsOf(MemoryStorage disk) throws IOException {
    try (Database database = DatabaseEngine.open(disk, options(true))) {
      return Workload.contentsOf(database);
    }
  }

  private static DatabaseOptions options(boolean foreground) {
    return DatabaseOptions.builder()
        .memoryBytes(64 << 20)
        .storeFlushBytes(foreground ? 0 : 1 << 10)
        .blockCacheBytes(0)
        .memStorePolicy(new MemStorePolicy(Policy.EAGER, 0.02, 2, 0.1))
        .experiment(
            e -> e.withSegmentLayout(SegmentLayout.of(CellMemory.HEAP_CHUNKS, IndexKind.CHUNK)))
        .experiment(e -> e.withChunkBytes(256 << 10))
        .logFileBytes(4 << 10)
        .asyncLogDelay(Duration.ofMillis(foreground ? 60_000 : 1))
        .stallMax(Duration.ofMillis(200))
        .clock(() -> Instant.ofEpochMilli(CLOCK.get()))
        .build();
  }
}
