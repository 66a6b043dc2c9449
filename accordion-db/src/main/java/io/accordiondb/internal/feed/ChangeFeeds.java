// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.feed;

import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangesLostException;
import io.accordiondb.internal.commit.Visibility;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.manifest.RegionNames;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.table.OpenTables;
import io.accordiondb.internal.wal.KeptLogs;
import io.accordiondb.internal.wal.LogPosition;
import io.accordiondb.internal.wal.LogTail;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Opens change feeds of an open database. Thread-safe. */
public final class ChangeFeeds {
  private final Storage storage;
  private final KeptLogs kept;
  private final RegionNames names;
  private final Visibility visibility;
  private final OpenTables tables;
  private final IoRunnable flushLog;

  /**
   * Creates the feeds of a database.
   *
   * @param flushLog hands the records of all visible writes to the operating system
   */
  public ChangeFeeds(
      Storage storage,
      KeptLogs kept,
      RegionNames names,
      Visibility visibility,
      OpenTables tables,
      IoRunnable flushLog) {
    this.storage = storage;
    this.kept = kept;
    this.names = names;
    this.visibility = visibility;
    this.tables = tables;
    this.flushLog = flushLog;
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
      LogTail tail = LogTail.open(storage, kept, position);
      return new LogChangeFeed(tail, position, names, visibility, tables, wanted);
    }
    // While writes are suspended, the buffer keeps writes that are visible until they resume.
    LogPosition found = last.position().upTo(position.sequence());
    last.passUpTo(position.sequence());
    return new LogChangeFeed(last, found, names, visibility, tables, wanted);
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
}
