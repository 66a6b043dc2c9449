// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.compaction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Chooses the files of a leveled compaction. Pure.
 *
 * <p>Level 0 has what flushes write. When it has so many files, all of them are merged into level
 * 1. When a deeper level is larger than it may be, its oldest file is merged into the next one.
 * With the inputs go the files of the level below that share rows with them. So, of any row, what
 * lies in a level is older than what lies in those above it.
 *
 * @param level0Files number of files of level 0 that are merged
 * @param fileBytes about the length of a file from level 1 on
 * @param level1Bytes what level 1 may have
 * @param ratio how many times as much each further level may have
 */
public record LeveledPicker(int level0Files, long fileBytes, long level1Bytes, int ratio) {

  /** What is known of a file; its rows from the first to the last, both inclusive. */
  public record File(int level, long bytes, long maxSequence, byte[] firstRow, byte[] lastRow) {
    private boolean sharesRowsWith(File other) {
      return Arrays.compareUnsigned(firstRow, other.lastRow) <= 0
          && Arrays.compareUnsigned(other.firstRow, lastRow) <= 0;
    }
  }

  /**
   * What is to be merged.
   *
   * @param inputs positions of the files; empty for nothing
   * @param level the level of what comes out
   * @param hasOldest whether no other file has older cells of their rows
   */
  public record Pick(List<Integer> inputs, int level, boolean hasOldest) {
    /** Nothing. */
    public static final Pick NONE = new Pick(List.of(), 0, false);
  }

  /** Returns a picker for files of a length. */
  public static LeveledPicker withFileBytes(long fileBytes) {
    return new LeveledPicker(4, fileBytes, 8 * fileBytes, 8);
  }

  /** Chooses files. */
  public Pick pick(List<File> files) {
    List<Integer> level0 = positionsOf(files, 0);
    if (level0.size() >= level0Files) {
      return withNextLevel(files, level0, 1);
    }
    int deepest = files.stream().mapToInt(File::level).max().orElse(0);
    double limit = level1Bytes;
    for (int level = 1; level <= deepest; level++) {
      List<Integer> positions = positionsOf(files, level);
      if (positions.stream().mapToLong(i -> files.get(i).bytes).sum() > limit) {
        int oldest =
            positions.stream().min(Comparator.comparingLong(i -> files.get(i).maxSequence)).get();
        return withNextLevel(files, List.of(oldest), level + 1);
      }
      limit *= ratio;
    }
    return Pick.NONE;
  }

  /** Returns the level that all files together belong to. */
  public int bottomLevel(List<File> files) {
    int level = 1;
    double limit = level1Bytes;
    while (files.stream().mapToLong(File::bytes).sum() > limit) {
      level++;
      limit *= ratio;
    }
    return Math.max(level, files.stream().mapToInt(File::level).max().orElse(0));
  }

  private static Pick withNextLevel(List<File> files, List<Integer> upper, int level) {
    List<Integer> inputs = new ArrayList<>(upper);
    for (int i : positionsOf(files, level)) {
      if (upper.stream().anyMatch(u -> files.get(u).sharesRowsWith(files.get(i)))) {
        inputs.add(i);
      }
    }
    boolean hasOldest =
        files.stream()
            .filter(file -> file.level > level)
            .noneMatch(
                deeper -> inputs.stream().anyMatch(i -> files.get(i).sharesRowsWith(deeper)));
    return new Pick(inputs, level, hasOldest);
  }

  private static List<Integer> positionsOf(List<File> files, int level) {
    List<Integer> positions = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      if (files.get(i).level == level) {
        positions.add(i);
      }
    }
    return positions;
  }
}
