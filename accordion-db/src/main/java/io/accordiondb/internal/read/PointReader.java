// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.pool.Pool;
import io.accordiondb.internal.read.ColumnCache.ColumnKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the newest version of one column without merging the sources. It searches them one after
 * another, newest first, and skips every source that cannot hold a newer version than the one
 * found. Where timestamps come from the clock, the first source that has the column ends the
 * search. The result for the sorted tables may come from the {@link ColumnCache}.
 *
 * <p>It skips a source if a range tombstone covers all its cells of the row, or if all its cells
 * have expired. It leaves the column to {@link FamilyReader} if it comes upon a cell that may hide
 * others, such as a delete marker or a put with a time to live of its own, and if versions are kept
 * beyond their time to live.
 *
 * <p>Readers are pooled with all that a search needs, so that it allocates little but the value.
 * One belongs to one thread from {@link #take} to {@link #close}.
 */
public final class PointReader implements AutoCloseable {
  /** The outcome of a search. */
  public enum Outcome {
    FOUND,
    ABSENT,
    /** The column must be read by merging. */
    MUST_MERGE
  }

  private static final int KEY_OFFSET = KeyValueLayout.keyOffset(0);
  private static final int TIME_AND_TYPE_BYTES = Long.BYTES + Byte.BYTES;

  /** Longer keys are not kept. */
  private static final int KEY_BYTES_KEPT = 1 << 10;

  private static final byte[] NO_BYTES = {};

  private static final Pool<PointReader> POOL = new Pool<>(PointReader::new);

  private final ByteBuffer keptKey = ByteBuffer.allocate(KEY_BYTES_KEPT);
  private final ColumnKey column = new ColumnKey();
  private final FoundCell found = new FoundCell();
  private final FoundCell inFiles = new FoundCell();
  private final FoundCell other = new FoundCell();

  private ByteBuffer key = keptKey;
  private byte[] row = NO_BYTES;
  private boolean wantsQualifier;

  /** The key before the markers of the whole family in the row; null until it is needed. */
  private @Nullable ByteBuffer familyKey;

  private long readPoint;
  private long oldestLive;
  private boolean fillsCache;

  private PointReader() {}

  /** Takes a reader from the pool. It belongs to the caller until {@link #close}. */
  public static PointReader take() {
    return POOL.take();
  }

  /**
   * Finds the newest visible version of a column, which this holds until the next search or {@link
   * #close}.
   *
   * @param readLimit highest sequence number that the reader sees
   * @param nowMillis the time at which times to live are evaluated, in milliseconds since 1970
   * @param fills whether the column cache keeps what is found in tables
   */
  public Outcome find(
      StoreView view, byte[] row, byte[] qualifier, long readLimit, long nowMillis, boolean fills)
      throws IOException {
    if (view.rules().minVersions() > 0 || view.merge() != null || view.expiry() != null) {
      return Outcome.MUST_MERGE;
    }
    key = CellKey.firstOfColumn(row, qualifier, keptKey);
    this.row = row;
    wantsQualifier = qualifier.length > 0;
    familyKey = null;
    readPoint = readLimit;
    oldestLive = view.rules().oldestLiveTimestamp(nowMillis);
    fillsCache = fills;
    long deletedBelow = view.deleted().deletedBelow(key, 0, readPoint);
    Outcome outcome = find(view.memory().sources(), deletedBelow, found);
    SortedTables files = view.files();
    if (outcome == Outcome.ABSENT) {
      outcome = findInFiles(view, deletedBelow, found);
    } else if (outcome == Outcome.FOUND
        && (files.maxTimestamp() > found.timestamp() || files.maxSequence() >= found.sequence())) {
      Outcome filed = findInFiles(view, deletedBelow, inFiles);
      if (filed == Outcome.MUST_MERGE) {
        return filed;
      }
      if (filed == Outcome.FOUND && inFiles.isNewerThan(found)) {
        found.set(inFiles);
      }
    }
    return outcome == Outcome.FOUND && found.timestamp() < oldestLive ? Outcome.ABSENT : outcome;
  }

  /** Returns the value that was found. The array belongs to the caller, who may take it once. */
  public byte[] value() {
    return found.value();
  }

  /** Returns the timestamp of what was found. */
  long timestamp() {
    return found.timestamp();
  }

  private Outcome findInFiles(StoreView view, long deletedBelow, FoundCell target)
      throws IOException {
    SortedTables files = view.files();
    ColumnCache cache = view.columns();
    if (cache == null
        || deletedBelow > 0
        || files.sources().isEmpty()
        || readPoint < files.maxSequence()) {
      return find(files.sources(), deletedBelow, target);
    }
    column.set(key.array(), KEY_OFFSET, KeyValueLayout.keyLength(key, 0) - TIME_AND_TYPE_BYTES);
    if (cache.find(files.setNumber(), column, target)) {
      return Outcome.FOUND;
    }
    Outcome outcome = find(files.sources(), 0, target);
    // The sources that were skipped may have a newer version of a column that has expired.
    if (outcome == Outcome.FOUND && target.timestamp() >= oldestLive && fillsCache) {
      cache.offer(files.setNumber(), column, target);
    }
    return outcome;
  }

  private Outcome find(List<? extends CellSource> sources, long deletedBelow, FoundCell target)
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
          && source.maxTimestamp() <= target.timestamp()
          && source.maxSequence() < target.sequence()) {
        continue;
      }
      if (deletedBelow > 0 && source.minSequence() < deletedBelow) {
        if (source.mayContainRow(key, 0)) {
          return Outcome.MUST_MERGE;
        }
        continue;
      }
      if (!any) {
        any = source.find(key, 0, readPoint, target);
        if (any && !target.isPlainPut()) {
          return Outcome.MUST_MERGE;
        }
      } else if (source.find(key, 0, readPoint, other)) {
        // Behind an old marker the source may have a young one of the same timestamp.
        if (!other.isPlainPut() && other.timestamp() >= target.timestamp()) {
          return Outcome.MUST_MERGE;
        }
        if (other.isNewerThan(target)) {
          target.set(other);
        }
      }
      if (wantsQualifier && source.deleteMarkerCount() > 0 && mayHideFamily(source, any, target)) {
        return Outcome.MUST_MERGE;
      }
    }
    return any ? Outcome.FOUND : Outcome.ABSENT;
  }

  /** Returns whether a marker of the whole family may hide the cell that was found, or others. */
  private boolean mayHideFamily(CellSource source, boolean any, FoundCell target)
      throws IOException {
    if (familyKey == null) {
      familyKey = CellKey.firstOfColumn(row, NO_BYTES).buffer();
    }
    return source.find(familyKey, 0, readPoint, other)
        && !(any && other.timestamp() < target.timestamp());
  }

  @Override
  public void close() {
    found.clear();
    inFiles.clear();
    other.clear();
    column.set(keptKey.array(), 0, 0);
    key = keptKey;
    row = NO_BYTES;
    familyKey = null;
    POOL.giveBack(this);
  }
}
