// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.LogWriting;
import io.accordiondb.RecoveryMode;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A log whose process ends at each single change of the disk, with and without a loss of power,
 * twice in a row: while it is written, and while the log that follows is opened.
 */
class WriteAheadLogCrashTest {
  private static final int STEPS = 50;

  /** What a run has done before its end. */
  private static final class Run {
    final List<Long> appended = new ArrayList<>();

    /** Number of records that a sync has covered. */
    int synced;

    /** Number of records that a flush has covered. */
    int flushed;

    /** Records below this were truncated, or may have been. */
    long truncatedBelow;

    final TestLogRegister register;

    Run(Storage storage) throws IOException {
      register = TestLog.register(storage);
    }
  }

  @Test
  void whatIsReplayedIsAPrefixWithAllThatWasSynced() throws IOException {
    checkSeeds(0, 1);
  }

  @Test
  @Tag("long")
  void whatIsReplayedIsAPrefixWithAllThatWasSyncedForManySeeds() throws IOException {
    checkSeeds(1, 100);
  }

  private static void checkSeeds(int from, int to) throws IOException {
    for (LogWriting writing : LogWriting.values()) {
      for (int seed = from; seed < to; seed++) {
        long changes = changesOf(writing, seed);
        for (long end = 1; end <= changes; end++) {
          try {
            check(writing, seed, end);
          } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError(writing + ", seed " + seed + ", end at change " + end, e);
          }
        }
      }
    }
  }

  private static void check(LogWriting writing, int seed, long end) throws IOException {
    MemoryStorage disk = new MemoryStorage();
    Run run = runUntil(disk, writing, seed, end);
    Random random = new Random(31L * seed + end);
    // The process was killed: what was flushed is there, and is durable when opened again.
    check(disk, writing, run, run.flushed, run.synced, random);
    for (int crash = 0; crash < 2; crash++) {
      // Power was lost: what was synced is there, and stays there.
      check(disk.crash(random), writing, run, run.synced, Integer.MAX_VALUE, random);
    }
  }

  private static long changesOf(LogWriting writing, int seed) throws IOException {
    FaultyStorage storage = new FaultyStorage(new MemoryStorage());
    TestLog.replay(storage);
    storage.count(FaultyStorage.CHANGES);
    run(storage, writing, seed, new Run(storage));
    assertThat(storage.count()).isGreaterThan(STEPS);
    return storage.count();
  }

  private static Run runUntil(MemoryStorage disk, LogWriting writing, int seed, long end)
      throws IOException {
    FaultyStorage storage = new FaultyStorage(disk);
    TestLog.replay(storage);
    storage.failForEver(FaultyStorage.CHANGES, end);
    Run run = new Run(storage);
    try {
      run(storage, writing, seed, run);
    } catch (FaultyStorage.InjectedFault | WritesSuspendedException e) {
      // The process has ended here.
    }
    return run;
  }

  private static void run(FaultyStorage storage, LogWriting writing, int seed, Run run)
      throws IOException {
    Random random = new Random(seed);
    WriteAheadLog log = TestLog.open(storage, TestLog.replay(storage), writing, run.register);
    long sequence = 1;
    for (int step = 0; step < STEPS; step++) {
      switch (random.nextInt(11)) {
        case 0 -> {
          log.sync();
          run.synced = run.appended.size();
          run.flushed = run.appended.size();
        }
        case 1 -> {
          log.flush();
          run.flushed = run.appended.size();
        }
        case 2 -> {
          long needed = sequence - random.nextInt(60);
          run.truncatedBelow = Math.max(run.truncatedBelow, needed);
          log.truncate(needed);
        }
        case 3 -> log.upkeep();
        default -> {
          run.appended.add(sequence);
          TestLog.append(log, sequence);
          sequence = TestLog.next(sequence);
        }
      }
    }
    log.close();
    run.synced = run.appended.size();
    run.flushed = run.appended.size();
  }

  /**
   * Replays the log, opens it, and appends and syncs one more record, with an end at each step.
   *
   * @param there number of records that must be there
   * @param durable number of records that are on the device even before the log is opened
   */
  private static void check(
      MemoryStorage disk, LogWriting writing, Run run, int there, int durable, Random random)
      throws IOException {
    KnownLogs known = run.register.known();
    TestLog.Replayed first = replay(disk, known);
    int to = checkReplayed(first, run, there);
    int from = to - first.sequences().size();
    List<Long> all = new ArrayList<>(run.appended.subList(0, to));
    all.add(first.log().lastSequence() + 1);
    FaultyStorage counting = new FaultyStorage(disk.copy());
    counting.count(FaultyStorage.CHANGES);
    openAndAppend(counting, writing, TestLog.register(counting, known));
    for (long end = 1; end <= counting.count() + 1; end++) {
      MemoryStorage again = disk.copy();
      FaultyStorage storage = new FaultyStorage(again);
      storage.failForEver(FaultyStorage.CHANGES, end);
      TestLogRegister register = TestLog.register(storage, known);
      boolean opened = false;
      try {
        openAndAppend(storage, writing, register);
        opened = true;
      } catch (FaultyStorage.InjectedFault | WritesSuspendedException e) {
        // The process has ended here.
      }
      List<Long> second = replay(again.crash(random), register.known()).sequences();
      // Files whose deletion was not durable yet may be there again.
      int secondFrom = second.isEmpty() ? from : all.indexOf(second.get(0));
      assertThat(secondFrom).isBetween(0, from);
      assertThat(second)
          .isEqualTo(all.subList(secondFrom, Math.min(all.size(), secondFrom + second.size())));
      int durableNow = opened ? all.size() : Math.min(durable, all.size() - 1);
      assertThat(secondFrom + second.size()).isGreaterThanOrEqualTo(durableNow);
    }
  }

  private static void openAndAppend(
      FaultyStorage storage, LogWriting writing, TestLogRegister register) throws IOException {
    TestLog.Replayed replayed = replay(storage, register.known());
    WriteAheadLog log = TestLog.open(storage, replayed, writing, register);
    log.upkeep();
    TestLog.append(log, replayed.log().lastSequence() + 1);
    log.sync();
  }

  private static TestLog.Replayed replay(Storage storage, KnownLogs known) throws IOException {
    return TestLog.replay(storage, RecoveryMode.TOLERATE_TORN_TAIL, known);
  }

  /**
   * Checks that the records are as they were appended, from a truncation to behind those that must
   * be there; returns how many were appended up to the last one.
   */
  private static int checkReplayed(TestLog.Replayed replayed, Run run, int there) {
    long last = replayed.log().lastSequence();
    int to = (int) run.appended.stream().filter(sequence -> sequence <= last).count();
    int from = to - replayed.sequences().size();
    assertThat(to).isGreaterThanOrEqualTo(there);
    assertThat(replayed.sequences()).isEqualTo(run.appended.subList(from, to));
    assertThat(run.appended.subList(0, from)).allMatch(sequence -> sequence < run.truncatedBelow);
    return to;
  }
}
