// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.clock;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The time of a database, taken from one clock that may be wrong. Thread-safe.
 *
 * <ul>
 *   <li>Writes get timestamps that never go back, so that a later write of a column is its newest
 *       version; a write that is overtaken on its way to the log gets a later one there. The
 *       highest of them, the floor, survives a restart. Only writes raise it. After a crash, cells
 *       that only the log has raise it, too, but not those above the {@linkplain #ceiling ceiling},
 *       because programs may date cells by times to come.
 *   <li>Reads hide cells that have expired according to the clock.
 *   <li>Flushes and compactions, which drop expired cells, use a time that is never ahead of the
 *       time of reads, and do not trust a clock that has jumped.
 * </ul>
 *
 * When the clock jumps by more than {@link #JUMP} while the database is open, the new time is not
 * trusted until the jump has lasted.
 */
public final class DatabaseClock {
  /** The time at which nothing has expired. */
  public static final long NOTHING_IS_DROPPED = 0;

  /** The database does not follow a longer jump of the clock at once. */
  static final Duration JUMP = Duration.ofDays(30);

  /** After a longer jump nothing is dropped permanently. */
  static final Duration DROPPING_JUMP = Duration.ofHours(1);

  /** How far {@link #ceiling} is ahead, in milliseconds. */
  private static final long AHEAD = 60_000;

  private final JumpGuard now;
  private final JumpGuard dropping;
  private final AtomicLong floor;
  private volatile boolean mayDrop;

  /**
   * Creates the clock of a database that is being opened.
   *
   * @param nanoTime measures the elapsed time, as {@link System#nanoTime}
   * @param floor the highest timestamp that it gave before, 0 if none
   */
  public DatabaseClock(InstantSource source, LongSupplier nanoTime, long floor) {
    long start = source.millis();
    this.floor = new AtomicLong(floor);
    this.now = new JumpGuard(source, nanoTime, start, JUMP, "reads and writes go by the latter");
    // The time of the last write is the latest time that has certainly passed.
    this.dropping =
        new JumpGuard(
            source,
            nanoTime,
            floor > 0 ? Math.min(start, floor) : start,
            DROPPING_JUMP,
            "nothing that has expired is dropped for good");
  }

  /** Returns the time at which readers evaluate times to live. */
  public long millis() {
    return now.millis();
  }

  /** Returns the timestamp of a write: the time, but never less than that of a write before. */
  public long nextTimestamp() {
    long time = now.millis();
    long seen = floor.get();
    return time > seen ? floor.accumulateAndGet(time, Math::max) : seen;
  }

  /**
   * Returns the time at which flushes and compactions, which drop expired cells, evaluate times to
   * live; {@link #NOTHING_IS_DROPPED} before {@link #startDropping}.
   */
  public long droppingMillis() {
    return mayDrop ? Math.min(now.millis(), dropping.millis()) : NOTHING_IS_DROPPED;
  }

  /**
   * Lets flushes and compactions drop what has expired. Must be called once the log is replayed:
   * before, what has expired by now may have been deleted earlier, by a record that follows.
   */
  public void startDropping() {
    mayDrop = true;
  }

  /** Returns the time, but never less than a time that the clock has shown to a write. */
  public long latestMillis() {
    return Math.max(now.millis(), floor.get());
  }

  /** Returns the highest timestamp given so far. */
  public long floor() {
    return floor.get();
  }

  /** Returns a time that the next timestamps will not exceed for a while, to be recorded. */
  public long ceiling() {
    return Math.max(floor.get(), now.millis()) + AHEAD;
  }

  /** Returns whether the timestamps given so far are far enough below a recorded ceiling. */
  public boolean isBelow(long recorded) {
    return floor.get() < recorded - AHEAD / 2;
  }

  /** Raises the floor to the time of a write, if it is lower. Like the floor, it has passed. */
  public void raiseFloor(long time) {
    floor.accumulateAndGet(time, Math::max);
    dropping.raise(time);
  }

  /**
   * Lowers the floor to the highest timestamp of all cells, if that is lower, because no cell above
   * it could hide a write. Must be called before the first write.
   */
  public void lowerFloor(long maxTimestamp) {
    floor.accumulateAndGet(maxTimestamp, Math::min);
  }
}
