// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.DatabaseFailedException;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.LogWriting;
import io.accordiondb.ParallelRuns;
import io.accordiondb.TestKeys;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.durability.WriteHistory.Contents;
import io.accordiondb.internal.engine.DatabaseEngine;
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
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * Storms: for a while operations of the storage fail at random, each with any kind of throwable,
 * before or after it was done; then all works again. Either the database has failed, says so, and
 * opens again with all that was acknowledged; or it works on, after a resumption if need be, and
 * what could not be done before can be done now. Each failure names its seed, by which it can be
 * tried again.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class PassingFaultsTest {
  private static final int SEEDS = 45;
  private static final int ROUNDS_MAX = 4;
  private static final int RESUMPTIONS_MIN = 6;
  private static final int SEEDS_LONG = 20_000;
  private static final int OPERATIONS = 60;
  private static final String INJECTED = "injected by a storm";

  /** As many threads as may be in the middle of something when a storm ends. */
  private static final int LATE_FAILURES_MAX = 4;

  /** What may have been done although it fails; of the others the caller would not get the file. */
  private static final Set<String> DONE_OR_NOT =
      Set.of("append", "sync", "syncDirectory", "rename", "delete", "createDirectories");

  /** What never fails: the size and names of files are known to the process or its system. */
  private static final Set<String> SPARED =
      Set.of("position", "path", "identity", "lock", "checkFolder");

  @Test
  void whatIsAcknowledgedSurvivesStorms() {
    int before = Run.RESUMPTIONS.get();
    int resumptions = 0;
    // How many storms end in a resumption depends on when threads run, too.
    for (int round = 0; round < ROUNDS_MAX && resumptions <= RESUMPTIONS_MIN; round++) {
      storms(1 + round * SEEDS, SEEDS, UnaryOperator.identity());
      resumptions = Run.RESUMPTIONS.get() - before;
    }
    assertThat(resumptions).as("resumptions").isGreaterThan(RESUMPTIONS_MIN);
  }

  @Test
  @Tag("long")
  @Timeout(value = 60, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
  void whatIsAcknowledgedSurvivesManyStorms() {
    storms(1_000_000, SEEDS_LONG, UnaryOperator.identity());
  }

  /** Lets databases that see the disk through something live through storms. */
  static void storms(long firstSeed, int seeds, UnaryOperator<Storage> between) {
    ParallelRuns.forEach(
        firstSeed,
        firstSeed + seeds,
        seed -> {
          try {
            new Run(seed, between).run();
          } catch (Throwable e) {
            throw new AssertionError("seed " + seed, e);
          }
        });
  }

  /** One database, one storm, and what is left of both. */
  private static final class Run {
    private static final AtomicInteger RESUMPTIONS = new AtomicInteger();

    private final SplittableRandom random;
    private final UnaryOperator<Storage> between;
    private final DatabaseOptions options;
    private final AtomicLong clock = new AtomicLong(1_000_000);
    private MemoryStorage disk = new MemoryStorage();
    private ForgetfulStorage forgetful = new ForgetfulStorage(disk);
    private WriteHistory history = new WriteHistory();
    private long lastValue;
    private boolean suspended;

    // Guarded by this: operations happen on many threads.
    private final SplittableRandom weather;
    private double faultRate;
    private int calmOperations;
    private int stormyOperations;

    Run(long seed, UnaryOperator<Storage> between) {
      this.random = new SplittableRandom(seed);
      this.weather = random.split();
      this.between = between;
      this.options = options();
    }

    private DatabaseOptions options() {
      boolean quiet = random.nextBoolean();
      DatabaseOptions.Builder builder = DatabaseOptions.builder();
      if (random.nextInt(3) == 0) {
        builder.encryption(TestKeys.changing(random.nextLong()));
      }
      return builder
          .memoryBytes(64 << 20)
          .storeFlushBytes(quiet ? 0 : 1 << 10)
          .blockCacheBytes(0)
          .memStorePolicy(new MemStorePolicy(Policy.EAGER, 0.02, 2, 0.1))
          .experiment(
              e -> e.withSegmentLayout(SegmentLayout.of(CellMemory.HEAP_CHUNKS, IndexKind.CHUNK)))
          .experiment(e -> e.withChunkBytes(256 << 10))
          .logFileBytes(4 << 10)
          .logWriting(random.nextBoolean() ? LogWriting.MAPPED : LogWriting.PLAIN)
          .asyncLogDelay(Duration.ofMillis(quiet ? 60_000 : 1))
          .stallMax(Duration.ofSeconds(10))
          .clock(() -> Instant.ofEpochMilli(clock.get()))
          .build();
    }

    private synchronized void gather(int calm, int stormy, double rate) {
      calmOperations = calm;
      stormyOperations = stormy;
      faultRate = rate;
    }

    /** Returns what an operation fails with; null if it does not. */
    private synchronized @Nullable Throwable fault() {
      if (calmOperations > 0) {
        calmOperations--;
        return null;
      }
      if (stormyOperations == 0) {
        return null;
      }
      stormyOperations--;
      if (weather.nextDouble() >= faultRate) {
        return null;
      }
      return switch (weather.nextInt(5)) {
        case 0 -> new IOException(INJECTED);
        case 1 -> new IOException("No space left on device, " + INJECTED);
        case 2 -> new IllegalStateException(INJECTED);
        case 3 -> new InternalError(INJECTED);
        default -> new OutOfMemoryError(INJECTED);
      };
    }

    private synchronized boolean isDoneAllTheSame() {
      return weather.nextBoolean();
    }

    private Storage storage() {
      return DefectiveStorage.with(
              (operation, name, original) -> {
                Throwable fault = SPARED.contains(operation) ? null : fault();
                if (fault == null) {
                  return original.run();
                }
                boolean closes = operation.equals("close");
                if (closes || (DONE_OR_NOT.contains(operation) && isDoneAllTheSame())) {
                  original.run();
                } else if (operation.equals("sync")) {
                  forgetful.forget(name);
                }
                throw fault;
              })
          .apply(between.apply(forgetful));
    }

    void run() throws IOException {
      liveThroughAStorm();
      openAgain();
      openInAStorm();
    }

    private void liveThroughAStorm() throws IOException {
      Database database = DatabaseEngine.open(storage(), options);
      Workload workload =
          new Workload(database, history, random, clock::incrementAndGet, lastValue);
      boolean ended = false;
      try {
        check(survivesAStorm(database, workload));
        ended = true;
      } finally {
        if (!ended) {
          close(database);
        }
      }
    }

    /** Returns whether the database was closed; false if it has failed and says so. */
    private boolean survivesAStorm(Database database, Workload workload) throws IOException {
      gather(random.nextInt(150), 1 + random.nextInt(30), random.nextBoolean() ? 1 : 0.2);
      for (int i = 0; i < OPERATIONS && !history.isCatalogUnderWay(); i++) {
        try {
          workload.run(1);
        } catch (IOException | RuntimeException | OutOfMemoryError | InternalError e) {
          assertInjected(e);
          history.failWrites();
          suspended |= e instanceof WritesSuspendedException;
          if (random.nextInt(4) == 0) {
            resume(database);
          }
        }
      }
      lastValue = workload.lastValue();
      gather(0, 0, 0);
      history.checkVisible(Workload.contentsOf(database));
      return endsInPeace(database, workload);
    }

    /** Ends the threads of a database that is wrong, beside the runs and tests that follow. */
    private void close(Database database) {
      gather(0, 0, 0);
      try {
        database.close();
      } catch (IOException | RuntimeException | Error e) {
        // What is wrong with it is known.
      }
    }

    private void noteResumption() {
      if (suspended) {
        RESUMPTIONS.incrementAndGet();
        suspended = false;
      }
    }

    private void resume(Database database) {
      try {
        database.resume();
        noteResumption();
      } catch (IOException | RuntimeException | OutOfMemoryError | InternalError e) {
        assertInjected(e);
      }
    }

    /** Closes a database after the storm; returns false if it has failed and says so. */
    private boolean endsInPeace(Database database, Workload workload) throws IOException {
      for (int late = 0; ; late++) {
        boolean closing = false;
        try {
          database.resume();
          noteResumption();
          worksAgain(database, workload);
          closing = true;
          database.close();
          return true;
        } catch (DatabaseFailedException e) {
          assertInjected(e);
          if (e instanceof WritesSuspendedException && !closing) {
            // A thread in the background has recorded only now what it had met in the storm.
            assertThat(late).isLessThan(LATE_FAILURES_MAX);
            history.failWrites();
            continue;
          }
          if (!closing) {
            assertThatThrownBy(database::close).isInstanceOf(DatabaseFailedException.class);
          }
          return false;
        }
      }
    }

    private void worksAgain(Database database, Workload workload) throws IOException {
      checkImages(disk.copy(), disk.crash(random));
      database.flush();
      if (!history.isCatalogUnderWay()) {
        workload.acknowledgeFlushes();
        workload.run(OPERATIONS / 4);
        lastValue = workload.lastValue();
        history.checkVisible(Workload.contentsOf(database));
      }
    }

    /** Opens what a process has left while the system runs on, which forces no page twice. */
    private void openAgain() throws IOException {
      history = WriteHistory.startingWith(contentsOf(disk.copy()));
      try (Database database = DatabaseEngine.open(storage(), options)) {
        Workload workload =
            new Workload(database, history, random, clock::incrementAndGet, lastValue);
        checkImages(disk.copy(), disk.crash(random));
        workload.run(OPERATIONS / 6);
        lastValue = workload.lastValue();
        checkImages(disk.copy(), disk.crash(random));
      }
      check(true);
    }

    private void openInAStorm() throws IOException {
      disk = disk.crash(random);
      forgetful = new ForgetfulStorage(disk);
      history = WriteHistory.startingWith(contentsOf(disk.copy()));
      gather(random.nextInt(60), 1 + random.nextInt(10), random.nextBoolean() ? 1 : 0.3);
      boolean closed = false;
      try (Database database = DatabaseEngine.open(storage(), options)) {
        gather(0, 0, 0);
        history.checkVisible(Workload.contentsOf(database));
        closed = true;
      } catch (IOException | RuntimeException | OutOfMemoryError | InternalError e) {
        assertInjected(e);
      }
      gather(0, 0, 0);
      check(closed);
    }

    private void check(boolean closed) throws IOException {
      assertThat(disk.openFiles()).as("files left open").isZero();
      MemoryStorage copy = disk.copy();
      MemoryStorage crash = disk.crash(random);
      checkImages(copy.copy(), crash.copy());
      if (closed) {
        history.checkVisible(contentsOf(copy));
        history.checkVisible(contentsOf(crash));
      }
    }

    /** Checks what the death of the process and a loss of power would leave. */
    private void checkImages(MemoryStorage killed, MemoryStorage crashed) throws IOException {
      int started = history.started();
      int catalogs = history.catalogsStarted();
      history.check(contentsOf(killed), history.progress(), false, started, catalogs);
      history.check(contentsOf(crashed), history.progress(), true, started, catalogs);
    }

    private Contents contentsOf(MemoryStorage left) throws IOException {
      try (Database database = DatabaseEngine.open(left, options)) {
        return Workload.contentsOf(database);
      }
    }

    /** Checks that a failure comes from the storm, and is no defect of its own. */
    private static void assertInjected(Throwable e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (String.valueOf(cause.getMessage()).contains(INJECTED)) {
          return;
        }
      }
      throw new AssertionError("a failure that was not injected", e);
    }
  }
}
