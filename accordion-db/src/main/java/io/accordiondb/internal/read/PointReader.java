// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.read.ColumnCache.ColumnKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Finds the newest version of one column without merging the sources. It searches them one after
 * another, newest first, and skips every source that cannot hold a newer version than the one
 * found. Where timestamps come from the clock, the first source that has the column ends the
 * search. The result for the sorted tables may come from the {@link ColumnCache}.
 *
 * <p>It skips a source if a range tombstone covers all its cells of the row, or if all its cells
 * have expired. It does not handle delete markers, cells with a time to live of their own, or
 * versions kept beyond their time to live; if a source holds any, it leaves the column to {@link
 * FamilyReader}.
 */
public final class PointReader {
  /** The outcome of a search. */
  public enum Outcome {
    FOUND,
    ABSENT,
    /** The column must be read by merging. */
    MUST_MERGE
  }

  private static final int KEY_OFFSET = KeyValueLayout.keyOffset(0);
  private static final int TIME_AND_TYPE_BYTES = Long.BYTES + Byte.BYTES;

  private PointReader() {}

  /**
   * Finds the newest visible version of a column.
   *
   * @param found receives it
   */
  public static Outcome find(
      StoreView view, byte[] row, byte[] qualifier, ReadOptions options, FoundCell found)
      throws IOException {
    if (view.rules().minVersions() > 0 || view.merge() != null || view.expiry() != null) {
      return Outcome.MUST_MERGE;
    }
    ByteBuffer key = CellKey.firstOfColumn(row, qualifier).buffer();
    long deletedBelow = view.deleted().deletedBelow(key, 0, options.readPoint());
    long oldestLive = view.rules().oldestLiveTimestamp(options.nowMillis());
    Outcome outcome = find(view.memory().sources(), key, deletedBelow, oldestLive, options, found);
    SortedTables files = view.files();
    if (outcome == Outcome.ABSENT) {
      outcome = findInFiles(view, key, deletedBelow, oldestLive, options, found);
    } else if (outcome == Outcome.FOUND
        && (files.maxTimestamp() > found.timestamp() || files.maxSequence() >= found.sequence())) {
      FoundCell inFiles = new FoundCell();
      Outcome filed = findInFiles(view, key, deletedBelow, oldestLive, options, inFiles);
      if (filed == Outcome.MUST_MERGE) {
        return filed;
      }
      if (filed == Outcome.FOUND && inFiles.isNewerThan(found)) {
        found.set(inFiles);
      }
    }
    return outcome == Outcome.FOUND && found.timestamp() < oldestLive ? Outcome.ABSENT : outcome;
  }

  private static Outcome findInFiles(
      StoreView view,
      ByteBuffer key,
      long deletedBelow,
      long oldestLive,
      ReadOptions options,
      FoundCell found)
      throws IOException {
    SortedTables files = view.files();
    ColumnCache cache = view.columns();
    if (cache == null
        || deletedBelow > 0
        || files.sources().isEmpty()
        || options.readPoint() < files.maxSequence()) {
      return find(files.sources(), key, deletedBelow, oldestLive, options, found);
    }
    ColumnKey column =
        ColumnKey.of(
            key.array(), KEY_OFFSET, KeyValueLayout.keyLength(key, 0) - TIME_AND_TYPE_BYTES);
    if (cache.find(files.setNumber(), column, found)) {
      return Outcome.FOUND;
    }
    Outcome outcome = find(files.sources(), key, 0, oldestLive, options, found);
    // The sources that were skipped may have a newer version of a column that has expired.
    if (outcome == Outcome.FOUND && found.timestamp() >= oldestLive && options.fillCache()) {
      cache.offer(files.setNumber(), column, found);
    }
    return outcome;
  }

  private static Outcome find(
      List<? extends CellSource> sources,
      ByteBuffer key,
      long deletedBelow,
      long oldestLive,
      ReadOptions options,
      FoundCell found)
      throws IOException {
    boolean any = false;
    for (int i = 0; i < sources.size(); i++) {
      CellSource source = sources.get(i);
      if (deletedBelow > 0 && source.maxSequence() < deletedBelow) {
        continue;
      }
      if (oldestLive > Long.MIN_VALUE && source.maxTimestamp() < oldestLive) {
        continue;
      }
      if (any
          && source.maxTimestamp() <= found.timestamp()
          && source.maxSequence() < found.sequence()) {
        continue;
      }
      if (source.deleteMarkerCount() > 0
          || (deletedBelow > 0 && source.minSequence() < deletedBelow)) {
        if (source.mayContainRow(key, 0)) {
          return Outcome.MUST_MERGE;
        }
      } else if (!any) {
        any = source.find(key, 0, options.readPoint(), found);
      } else {
        FoundCell other = new FoundCell();
        if (source.find(key, 0, options.readPoint(), other) && other.isNewerThan(found)) {
          found.set(other);
        }
      }
    }
    return any ? Outcome.FOUND : Outcome.ABSENT;
  }
}
