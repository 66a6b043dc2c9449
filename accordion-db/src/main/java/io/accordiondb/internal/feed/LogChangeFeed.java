// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.feed;

import io.accordiondb.Change;
import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangedCell;
import io.accordiondb.ChangesLostException;
import io.accordiondb.ClosedException;
import io.accordiondb.CorruptionException;
import io.accordiondb.internal.commit.BatchReader;
import io.accordiondb.internal.commit.LoggedGroup;
import io.accordiondb.internal.commit.MalformedBatchException;
import io.accordiondb.internal.commit.Visibility;
import io.accordiondb.internal.manifest.RegionNames;
import io.accordiondb.internal.metrics.Leaks;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.read.CellCopy;
import io.accordiondb.internal.table.OpenTables;
import io.accordiondb.internal.wal.LogPosition;
import io.accordiondb.internal.wal.LogTail;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A change feed that polls the log and decodes its records into changes. Writers do not know about
 * it. Belongs to one thread, except that any thread may close it.
 */
final class LogChangeFeed implements ChangeFeed {
  private static final long PAUSE_NANOS_MIN = 200_000;
  private static final long PAUSE_NANOS_MAX = 10_000_000;

  private final FeedTail tail;
  private final RegionNames names;
  private final Visibility visibility;
  private final OpenTables tables;
  private final Set<String> wanted;
  private final Telemetry telemetry;
  private final Leaks.@Nullable Watch watch;
  private LogPosition position;

  /** A sequence number that was visible, up to which the tail is being read. */
  private long limit;

  /** Whether the tail has been read up to the limit. */
  private boolean isAtLimit = true;

  /**
   * Whether the record of the tail is still to be delivered, because a call has failed. Otherwise
   * the next call would pass over it.
   */
  private boolean isPending;

  private volatile boolean closed;

  /**
   * Creates a feed.
   *
   * @param tail a tail behind the position; the feed owns it
   * @param wanted names of tables; all if there are none
   * @param telemetry receives a feed that is never closed, and damage that it finds
   */
  LogChangeFeed(
      FeedTail tail,
      LogPosition position,
      RegionNames names,
      Visibility visibility,
      OpenTables tables,
      Set<String> wanted,
      Telemetry telemetry) {
    this.tail = tail;
    this.position = position;
    this.names = names;
    this.visibility = visibility;
    this.tables = tables;
    this.wanted = wanted;
    this.telemetry = telemetry;
    this.watch =
        telemetry
            .leaks()
            .watch(this, "a change feed of ", wanted.isEmpty() ? "all tables" : wanted);
  }

  @Override
  public @Nullable Change next(Duration timeout) throws IOException {
    Objects.requireNonNull(timeout, "timeout");
    long begun = System.nanoTime();
    long pauseNanos = PAUSE_NANOS_MIN;
    Change change = isAtLimit ? null : nextUpToLimit();
    while (change == null) {
      // With each limit the tail looks for the next file, so it gets a new one only now. And the
      // end of the wait does not depend on how much is written to other tables.
      limit = visibility.visible();
      isAtLimit = false;
      change = nextUpToLimit();
      long leftNanos = saturatedNanos(timeout) - (System.nanoTime() - begun);
      if (change != null || leftNanos <= 0) {
        return change;
      }
      LockSupport.parkNanos(Math.min(leftNanos, pauseNanos));
      pauseNanos = Math.min(2 * pauseNanos, PAUSE_NANOS_MAX);
      checkInterrupted();
    }
    return change;
  }

  /** Throws an exception if the feed or the database is closed. */
  private void check() {
    if (closed) {
      throw new ClosedException("the change feed");
    }
    tables.checkOpen();
  }

  /** Returns the next change whose sequence numbers are not above the limit; null if none is. */
  private @Nullable Change nextUpToLimit() throws IOException {
    LogTail log = tail.lock();
    try {
      check();
      while (isPending || log.next(limit)) {
        isPending = true;
        LogPosition reached = log.position();
        List<ChangedCell> cells = cells(log);
        Change change = cells.isEmpty() ? null : new Change(reached.sequence(), cells);
        position = reached;
        isPending = false;
        if (change != null) {
          return change;
        }
        checkInterrupted();
        check();
      }
      isAtLimit = true;
      return null;
    } catch (CorruptionException e) {
      telemetry.corruptions().check(e);
      throw e;
    } finally {
      tail.unlock();
    }
  }

  private static void checkInterrupted() throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted while waiting for a change");
    }
  }

  private static long saturatedNanos(Duration duration) {
    try {
      return Math.max(0, duration.toNanos());
    } catch (ArithmeticException e) {
      return duration.isNegative() ? 0 : Long.MAX_VALUE;
    }
  }

  private List<ChangedCell> cells(LogTail log) throws IOException {
    List<ChangedCell> cells = new ArrayList<>();
    try {
      for (LoggedGroup group : BatchReader.read(log.payload(), log.firstSequence(), log.count())) {
        add(group, cells);
      }
    } catch (MalformedBatchException e) {
      throw e.newer(log.place());
    }
    return cells;
  }

  private void add(LoggedGroup group, List<ChangedCell> target) throws ChangesLostException {
    if (group.isNote()) {
      return;
    }
    RegionNames.Name name = names.of(group.store().regionId(), group.store().familyId());
    if (name == null) {
      throw new ChangesLostException(
          "the change of sequence number "
              + group.firstSequence()
              + " is of a table or family that is gone, whose name was not kept;"
              + " DatabaseOptions.logRetention keeps names, too");
    }
    if (!wanted.isEmpty() && !wanted.contains(name.table())) {
      return;
    }
    byte[] family = name.family().getBytes(StandardCharsets.UTF_8);
    int offset = group.offset();
    for (int i = 0; i < group.cellCount(); i++) {
      int length = group.format().length(group.batch(), offset);
      target.add(new ChangedCell(name.table(), CellCopy.of(family, group.batch(), offset, length)));
      offset += group.format().step(group.batch(), offset);
    }
  }

  @Override
  public String token() {
    return FeedToken.encode(position);
  }

  @Override
  public void close() throws IOException {
    closed = true;
    telemetry.leaks().close(watch);
    tail.close();
  }
}
