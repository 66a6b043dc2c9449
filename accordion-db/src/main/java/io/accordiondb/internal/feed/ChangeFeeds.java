// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.feed;

import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangesLostException;
import io.accordiondb.CorruptionException;
import io.accordiondb.internal.commit.Visibility;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.manifest.RegionNames;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.table.OpenTables;
import io.accordiondb.internal.wal.KeptLogs;
import io.accordiondb.internal.wal.LogPosition;
import io.accordiondb.internal.wal.LogTail;
import java.io.Closeable;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Opens change feeds of an open database, and closes those that are left open. Thread-safe. */
public final class ChangeFeeds implements Closeable {
  private final Storage storage;
  private final KeptLogs kept;
  private final RegionNames names;
  private final Visibility visibility;
  private final OpenTables tables;
  private final IoRunnable flushLog;
  private final Telemetry telemetry;
  private final Set<FeedTail> open = ConcurrentHashMap.newKeySet();

  /**
   * Creates the feeds of a database.
   *
   * @param flushLog hands the records of all visible writes to the operating system
   * @param telemetry receives feeds that are never closed, and damage that feeds find
   */
  public ChangeFeeds(
      Storage storage,
      KeptLogs kept,
      RegionNames names,
      Visibility visibility,
      OpenTables tables,
      IoRunnable flushLog,
      Telemetry telemetry) {
    this.storage = storage;
    this.kept = kept;
    this.names = names;
    this.visibility = visibility;
    this.tables = tables;
    this.flushLog = flushLog;
    this.telemetry = telemetry;
  }

  /**
   * Saves the names of all tables in the log if the log is kept, which may just have begun: tables
   * may be gone already.
   */
  public void keepNames() {
    if (kept.isOn()) {
      names.trySave();
    }
  }

  /**
   * Follows all changes from now on.
   *
   * @param wanted names of tables; all if there are none
   */
  public ChangeFeed fromNow(Set<String> wanted) throws IOException {
    tables.checkWritable();
    return open(LogPosition.behind(visibility.visible()), wanted);
  }

  /** Follows changes with sequence numbers at or above one. */
  public ChangeFeed from(long sequence, Set<String> wanted) throws IOException {
    tables.checkWritable();
    if (sequence < 0) {
      throw new IllegalArgumentException("sequence number " + sequence + ", expected at least 0");
    }
    return open(LogPosition.behind(Math.max(0, sequence - 1)), wanted);
  }

  /** Follows changes from the position of another feed on. */
  public ChangeFeed after(String token, Set<String> wanted) throws IOException {
    LogPosition position = FeedToken.decode(token);
    tables.checkWritable();
    return open(position, wanted);
  }

  private ChangeFeed open(LogPosition position, Set<String> wanted) throws IOException {
    try {
      return openBehind(position, wanted);
    } catch (CorruptionException e) {
      telemetry.corruptions().check(e);
      throw e;
    }
  }

  private ChangeFeed openBehind(LogPosition position, Set<String> wanted) throws IOException {
    long visible = visibility.visible();
    // With a file, the record itself shows whether it is undone.
    if (position.fileNumber() == 0 && position.sequence() > visible) {
      throw new ChangesLostException(
          "the feed needs the changes after sequence number "
              + position.sequence()
              + ", but the newest one is "
              + visible
              + ": the position is of another database, or a loss of power has undone those changes");
    }
    for (String table : wanted) {
      tables.get(table);
    }
    LogTail last = onLast(position);
    if (last == null) {
      return feed(LogTail.open(storage, kept, position), position, wanted);
    }
    // While writes are suspended, the buffer keeps writes that are visible until they resume.
    LogPosition found = last.position().upTo(position.sequence());
    last.passUpTo(position.sequence());
    return feed(last, found, wanted);
  }

  /** Returns a feed that owns a tail; if that fails, closes the tail. */
  private ChangeFeed feed(LogTail log, LogPosition position, Set<String> wanted)
      throws IOException {
    Closeable unowned = log;
    boolean owned = false;
    try {
      FeedTail tail = new FeedTail(log, open);
      unowned = tail;
      open.add(tail);
      // A thread that has closed the database in between may not have seen the tail.
      tables.checkOpen();
      ChangeFeed feed =
          new LogChangeFeed(tail, position, names, visibility, tables, wanted, telemetry);
      owned = true;
      return feed;
    } finally {
      if (!owned) {
        unowned.close();
      }
    }
  }

  /**
   * Returns a tail on the last record up to a position without a file, so that the tokens of the
   * feed notice whether the record is undone. Returns null if the position has a file, or the log
   * does not have the record.
   */
  private @Nullable LogTail onLast(LogPosition position) throws IOException {
    if (position.fileNumber() != 0 || position.sequence() == 0) {
      return null;
    }
    // Otherwise the feed would begin before writes up to the position that are still in a buffer,
    // and deliver them.
    flushLog.run();
    try {
      return LogTail.openOnLast(storage, kept, position.sequence());
    } catch (ChangesLostException e) {
      return null;
    }
  }

  /** Closes the files of all open feeds. The database must refuse reads already. */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (FeedTail tail : open) {
      try {
        tail.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
