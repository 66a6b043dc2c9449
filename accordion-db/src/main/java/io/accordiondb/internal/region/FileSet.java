// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.FamilyDescriptor;
import io.accordiondb.chunk.ReferenceCount;
import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.internal.read.SortedTables;
import io.accordiondb.retention.RangeTombstone;
import io.accordiondb.retention.RangeTombstones;
import io.accordiondb.statistics.FileStatistics;
import io.accordiondb.statistics.LevelStatistics;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The sorted tables of a store at one moment: level 0, newest first, then each deeper level. A file
 * of a deeper level is older than every file of the levels above that shares rows with it.
 * Immutable; a change makes a new set. A set holds its files. It starts with one holder; the last
 * call of {@link #release} releases them.
 */
final class FileSet implements Closeable {
  /** Bytes of the bounds of tombstones that one change drops; the next change drops others. */
  private static final long DROPPED_BYTES_MAX = 64 << 20;

  private static final Comparator<StoreFile> NEWEST_FIRST =
      Comparator.comparingInt((StoreFile file) -> file.record().level())
          .thenComparing(
              Comparator.comparingLong(StoreFile::maxSequence)
                  .thenComparingLong(StoreFile::fileNumber)
                  .reversed());

  private final LongSupplier numbers;
  private final LongSupplier levelFileBytes;
  private final List<StoreFile> files;
  private final SortedTables cached;
  private final SortedTables uncached;
  private final RangeTombstones ranges;
  private final long debtBytes;

  /** Computed once, because it is asked for each second. */
  private final FileStatistics statistics;

  /** Stored, because each write needs their number. */
  private final List<List<StoreFile>> runs;

  private final ReferenceCount holders = new ReferenceCount();

  /**
   * Creates a set, which holds its files.
   *
   * @param ranges range tombstones, which delete from the files
   * @param numbers supplies numbers for this set and its successors that no other set of the
   *     database has
   * @param levelFileBytes supplies the size of the files of deeper levels
   */
  FileSet(
      List<StoreFile> files,
      RangeTombstones ranges,
      LongSupplier numbers,
      LongSupplier levelFileBytes) {
    this.ranges = ranges;
    this.numbers = numbers;
    this.levelFileBytes = levelFileBytes;
    List<StoreFile> sorted = new ArrayList<>(files);
    sorted.sort(NEWEST_FIRST);
    this.files = List.copyOf(sorted);
    long fileBytes = levelFileBytes.getAsLong();
    this.runs = runsOf(this.files, young -> SortedRuns.ofReads(young, fileBytes));
    long number = numbers.getAsLong();
    this.cached = tablesOf(number, runs, true);
    this.uncached = tablesOf(number, runs, false);
    this.debtBytes = debtBytesOf(runs);
    this.statistics = statisticsOf(this.files, runs);
    this.files.forEach(StoreFile::retain);
  }

  private static long debtBytesOf(List<List<StoreFile>> runs) {
    long sum = 0;
    long largest = 0;
    boolean hasLevels = false;
    for (List<StoreFile> run : runs) {
      if (run.get(0).record().level() == 0) {
        long bytes = StoreFile.bytesOf(run);
        sum += bytes;
        largest = Math.max(largest, bytes);
      } else {
        hasLevels = true;
      }
    }
    return hasLevels ? sum : sum - largest;
  }

  /** Returns the set after a change. */
  FileSet changed(FileChange change) {
    List<StoreFile> next = new ArrayList<>(files);
    next.removeIf(file -> change.removed().contains(file.fileNumber()));
    next.addAll(change.added());
    return new FileSet(
        next,
        ranges.plus(change.addedRanges()).minus(change.removedRanges()),
        numbers,
        levelFileBytes);
  }

  /**
   * Returns a change of files with its effect on range tombstones: tombstones that have no older
   * cells left to delete are removed. Those above the smallest read point stay until a later
   * change, because the commit of a transaction that began before them must find them.
   *
   * @param flushed range tombstones that the flush adds to the store
   * @param smallestReadPoint the lowest read point of all readers
   * @param appliedUpTo the new files have no cells that range tombstones up to this number delete
   */
  FileChange change(
      List<StoreFile> added,
      Set<Long> removed,
      RangeTombstones flushed,
      long smallestReadPoint,
      long appliedUpTo) {
    List<RangeTombstone> needed = new ArrayList<>();
    long droppedBytes = 0;
    for (RangeTombstone tombstone : ranges.plus(flushed).seenFrom(smallestReadPoint).toList()) {
      boolean isNeeded =
          tombstone.sequence() > smallestReadPoint
              || files.stream()
                  .anyMatch(
                      file -> !removed.contains(file.fileNumber()) && file.hasOlderCells(tombstone))
              || (tombstone.sequence() > appliedUpTo
                  && added.stream().anyMatch(file -> file.hasOlderCells(tombstone)));
      if (isNeeded || droppedBytes > DROPPED_BYTES_MAX) {
        needed.add(tombstone);
      } else {
        droppedBytes += tombstone.start().length + tombstone.end().length;
      }
    }
    RangeTombstones next = RangeTombstones.of(needed);
    return new FileChange(added, removed, next.minus(ranges), ranges.minus(next));
  }

  /**
   * Returns whether any file may have cells of a row, judging by the first and the last row of each
   * file.
   */
  boolean mayHaveRow(ByteBuffer cell, int offset) {
    for (StoreFile file : files) {
      if (CellComparator.compareRow(cell, offset, file.firstRow()) >= 0
          && !file.endsBefore(cell, offset)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether range tombstones delete all cells of any file. */
  boolean hasDeletedFiles() {
    return !ranges.isEmpty()
        && files.stream().anyMatch(file -> file.isDeletedBy(ranges, Long.MAX_VALUE));
  }

  /** Returns the range tombstones that delete from the files. */
  RangeTombstones ranges() {
    return ranges;
  }

  List<StoreFile> files() {
    return files;
  }

  /** Returns the highest number of files that can have the same row. */
  int runs() {
    return runs.size();
  }

  /** Returns the bytes of each run among which compactions of a family choose, newest first. */
  List<Long> mergedRunBytes(FamilyDescriptor family) {
    long bytes = levelFileBytes.getAsLong();
    return SortedRuns.bytesOf(runsOf(files, young -> SortedRuns.ofMerges(young, family, bytes)));
  }

  /**
   * Returns the bytes that wait for a compaction: those of level 0, without the largest run if the
   * others are to be merged into it.
   */
  long debtBytes() {
    return debtBytes;
  }

  private static FileStatistics statisticsOf(List<StoreFile> files, List<List<StoreFile>> runs) {
    Map<Integer, LevelStatistics> levels = new TreeMap<>();
    for (StoreFile file : files) {
      int level = file.record().level();
      levels.merge(
          level,
          new LevelStatistics(level, 1, file.bytes(), file.cellCount()),
          LevelStatistics::plus);
    }
    long largestRunBytes = runs.stream().mapToLong(StoreFile::bytesOf).max().orElse(0);
    return new FileStatistics(List.copyOf(levels.values()), largestRunBytes);
  }

  /** Returns the files of each level, the lowest number first. */
  FileStatistics statistics() {
    return statistics;
  }

  Set<Long> fileNumbers() {
    Set<Long> numbers = new HashSet<>();
    files.forEach(file -> numbers.add(file.fileNumber()));
    return numbers;
  }

  SortedTables tables(boolean fillCache) {
    return fillCache ? cached : uncached;
  }

  boolean tryRetain() {
    return holders.tryRetain();
  }

  void release() {
    if (holders.release()) {
      files.forEach(StoreFile::release);
    }
  }

  /** Releases the set, as {@link #release} does. */
  @Override
  public void close() {
    release();
  }

  private static SortedTables tablesOf(long number, List<List<StoreFile>> runs, boolean fillCache) {
    return SortedTables.of(number, runs.stream().map(run -> sourceOf(run, fillCache)).toList());
  }

  private static CellSource sourceOf(List<StoreFile> run, boolean fillCache) {
    return run.size() == 1 ? run.get(0).source(fillCache) : new LevelSource(run, fillCache);
  }

  /**
   * Returns the {@link SortedRuns} of level 0, and the files of each deeper level together. Files
   * that show no row are left out: among others in the order of their first rows, they would
   * mislead a search.
   *
   * @param young groups the files of level 0
   */
  private static List<List<StoreFile>> runsOf(
      List<StoreFile> files, Function<List<StoreFile>, List<List<StoreFile>>> young) {
    List<StoreFile> levelZero = new ArrayList<>();
    Map<Integer, List<StoreFile>> levels = new TreeMap<>();
    for (StoreFile file : files) {
      if (file.showsNoRow()) {
        continue;
      }
      if (file.record().level() == 0) {
        levelZero.add(file);
      } else {
        levels.computeIfAbsent(file.record().level(), level -> new ArrayList<>()).add(file);
      }
    }
    List<List<StoreFile>> runs = young.apply(levelZero);
    for (List<StoreFile> level : levels.values()) {
      level.sort((a, b) -> Arrays.compareUnsigned(a.firstRow(), b.firstRow()));
      if (isDisjoint(level)) {
        runs.add(List.copyOf(level));
      } else {
        level.forEach(file -> runs.add(List.of(file)));
      }
    }
    return runs;
  }

  private static boolean isDisjoint(List<StoreFile> sorted) {
    for (int i = 1; i < sorted.size(); i++) {
      if (!sorted.get(i - 1).endsBefore(sorted.get(i).firstRow())) {
        return false;
      }
    }
    return true;
  }
}
