// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import io.accordiondb.encoding.CellSource;

/**
 * Describes the sources of a store that one compaction does not read, and what the compaction must
 * therefore not conclude. Belongs to one thread.
 *
 * <p>The sources of a store are not ordered by sequence number. An ingested file becomes visible at
 * once, with a higher number than cells and markers that are still in memory, and writers overtake
 * each other while a segment is sealed. So a compaction may read two puts and not the marker that
 * was written between them. Two conclusions depend on that:
 *
 * <ul>
 *   <li>A put counts as a version against another one with a lower timestamp. A marker written
 *       between the two may hide the first and leave the second, which then is the newest. So no
 *       pair of puts counts that has the numbers of an unseen source with markers between them.
 *   <li>A marker has nothing left to hide. It hides what was written before it, so this holds only
 *       below the oldest cell that the compaction does not read.
 * </ul>
 *
 * <p>Where a family has a merge operator, operands may be combined only if no unseen cell was
 * written between them: these are the operands in the range from {@link #clearAbove} to {@link
 * #clearUpTo}.
 *
 * <p>That a marker hides a put, and that a put replaces another one of the same timestamp, is true
 * whatever else the store holds. But a put that has expired is a marker only as long as no other
 * marker hides it, so it counts as one only above the newest unseen marker ({@link #markersUpTo}).
 *
 * <p>These conclusions are those of a store whose markers hide what was written before them. In a
 * store whose markers also hide what is written later, an unseen marker that is not newer may hide
 * a put and leave the older versions, if it hides puts of exactly its timestamp. So puts up to the
 * highest such timestamp must not count as versions ({@link #maxVersionMarkerTimestamp}). If it
 * also depends on other things what a marker hides, this holds for all markers ({@link
 * #maxMarkerTimestamp}).
 *
 * <p>The caller must get the read points first and the sources after them: then every cell up to
 * the newest point is in a source, and whatever is added later has a higher number.
 */
public final class UnseenHistory {
  private final ReadPointSet readPoints;
  private final boolean anyMayHide;
  private long settledUpTo;
  private long judgedUpTo;
  private long countedAbove;
  private long oldest = Long.MAX_VALUE;
  private long clearAbove;
  private long clearUpTo = Long.MAX_VALUE;
  private long markersUpTo;
  private long maxVersionMarkerTimestamp = Long.MIN_VALUE;
  private long maxMarkerTimestamp = Long.MIN_VALUE;

  /**
   * Begins with no unseen source.
   *
   * @param readPoints where readers read
   */
  public UnseenHistory(ReadPointSet readPoints) {
    this(readPoints, false);
  }

  /**
   * Begins with no unseen source.
   *
   * @param readPoints where readers read
   * @param anyMayHide whether any put may expire, after which it hides older cells
   */
  public UnseenHistory(ReadPointSet readPoints, boolean anyMayHide) {
    this.readPoints = readPoints;
    this.settledUpTo = readPoints.smallest();
    this.judgedUpTo = readPoints.newest();
    this.anyMayHide = anyMayHide;
  }

  /**
   * Adds a source that precedes all sources of the compaction in the order of age.
   *
   * @param source a source that the compaction does not read
   */
  public void addNewer(CellSource source) {
    noteMarkers(source);
    oldest = Math.min(oldest, source.minSequence());
    clearUpTo = Math.min(clearUpTo, source.minSequence() - 1);
    if (mayHide(source)) {
      judgeUpTo(source.minSequence() - 1);
    }
  }

  private void judgeUpTo(long sequence) {
    settledUpTo = Math.min(settledUpTo, sequence);
    judgedUpTo = Math.min(judgedUpTo, sequence);
  }

  /**
   * Adds range tombstones that the compaction does not apply. The compaction may read both cells
   * that they delete and cells written after them, which must not count against each other.
   *
   * @param ranges the tombstones
   */
  public void addRanges(DeletedRanges ranges) {
    judgeUpTo(ranges.minSequence() - 1);
  }

  /**
   * Adds range tombstones that the compaction applies if all readers see them. If there are others,
   * the cells that not all readers see are not judged.
   *
   * @param maxSequence their highest sequence number; 0 if there are none
   */
  public void addApplied(long maxSequence) {
    if (maxSequence > readPoints.smallest()) {
      judgedUpTo = settledUpTo;
    }
  }

  /**
   * Adds a source that does not precede all sources of the compaction.
   *
   * @param source a source that the compaction does not read
   * @param firstSequence the lowest sequence number of the cells that the compaction reads
   */
  public void addOlder(CellSource source, long firstSequence) {
    noteMarkers(source);
    maxVersionMarkerTimestamp =
        Math.max(maxVersionMarkerTimestamp, source.maxVersionMarkerTimestamp());
    if (source.deleteMarkerCount() > 0) {
      maxMarkerTimestamp = Math.max(maxMarkerTimestamp, source.maxTimestamp());
    }
    oldest = Math.min(oldest, source.minSequence());
    clearAbove = Math.max(clearAbove, source.maxSequence());
    if (mayHide(source) && source.maxSequence() > firstSequence) {
      countedAbove = Math.max(countedAbove, source.maxSequence());
    }
  }

  private void noteMarkers(CellSource source) {
    if (source.deleteMarkerCount() > 0) {
      markersUpTo = Math.max(markersUpTo, source.maxSequence());
    }
  }

  /**
   * {@return the sequence number below which a put may be hidden by a marker that the compaction is
   * not given} If it is, it hides nothing when it expires.
   */
  public long markersUpTo() {
    return markersUpTo;
  }

  /**
   * Adds sources of which nothing is known but that they are not newer than those that the
   * compaction reads, and markers that were written since.
   */
  public void addUnknown() {
    oldest = 0;
    markersUpTo = Long.MAX_VALUE;
    maxVersionMarkerTimestamp = Long.MAX_VALUE;
    maxMarkerTimestamp = Long.MAX_VALUE;
  }

  private boolean mayHide(CellSource source) {
    return anyMayHide || source.deleteMarkerCount() > 0;
  }

  /**
   * Adds cells that were never in memory, such as those of ingested files, to what a compaction in
   * memory does not see: puts without markers.
   *
   * @param maxSequence the highest sequence number of any of them; 0 if there are none
   */
  public void addForeign(long maxSequence) {
    clearAbove = Math.max(clearAbove, maxSequence);
  }

  /**
   * {@return the highest sequence number up to which all readers see the cells} Such a cell may be
   * dropped because of another one.
   */
  public long settledUpTo() {
    return settledUpTo;
  }

  /**
   * {@return the highest sequence number of cells that may be dropped although only some readers
   * see them} Those above it are kept and count for nothing. At least {@link #settledUpTo}, and the
   * same if it is not known where readers read.
   */
  public long judgedUpTo() {
    return judgedUpTo;
  }

  /** {@return where readers read} */
  public ReadPointSet readPoints() {
    return readPoints;
  }

  /** {@return the sequence number above which puts count as versions} */
  public long countedAbove() {
    return countedAbove;
  }

  /**
   * {@return the highest timestamp of unseen markers that hide puts of exactly their timestamp, or
   * a higher one, without those of newer sources; {@link Long#MIN_VALUE} if there are none}
   */
  public long maxVersionMarkerTimestamp() {
    return maxVersionMarkerTimestamp;
  }

  /**
   * {@return the highest timestamp of unseen markers, or a higher one, without those of newer
   * sources; {@link Long#MIN_VALUE} if there are none}
   */
  public long maxMarkerTimestamp() {
    return maxMarkerTimestamp;
  }

  /**
   * {@return the sequence number above which, up to {@link #clearUpTo}, all cells were given to the
   * compaction, so there is no unseen cell between two of them}
   */
  public long clearAbove() {
    return clearAbove;
  }

  /** {@return the inclusive end of the range that begins above {@link #clearAbove}} */
  public long clearUpTo() {
    return Math.min(clearUpTo, judgedUpTo);
  }

  /** {@return the sequence number below which delete markers have nothing left to hide} */
  public long oldest() {
    return oldest;
  }
}
