// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.compaction;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Chooses the files of a leveled compaction. Pure.
 *
 * <p>Level 0 holds the files that flushes write. When it has {@code level0Files} files, all of them
 * are merged into level 1. When a deeper level exceeds its size, its oldest file is merged into the
 * next level. The inputs include the files of the next level that overlap the rows from the first
 * to the last of all inputs, because a new file may hold any of these rows. So the files of a level
 * below 0 share no rows.
 *
 * @param level0Files number of files of level 0 at which they are merged
 * @param fileBytes approximate length in bytes of a file from level 1 on
 * @param level1Bytes maximum size of level 1 in bytes
 * @param ratio the factor by which the maximum size grows from level to level
 */
public record LeveledPicker(int level0Files, long fileBytes, long level1Bytes, int ratio) {

  /** The properties of a file that the picker needs. */
  record File(int level, long bytes, long maxSequence, RowRange rows) {}

  /**
   * The files to merge.
   *
   * @param inputs positions of the files; empty for nothing
   * @param level the level of the output
   */
  record Pick(List<Integer> inputs, int level) {
    /** The choice of no file. */
    static final Pick NONE = new Pick(List.of(), 0);
  }

  /** Returns a picker for files of a length. */
  public static LeveledPicker withFileBytes(long fileBytes) {
    return new LeveledPicker(4, fileBytes, 8 * fileBytes, 8);
  }

  /** Chooses files. */
  Pick pick(List<File> files) {
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
  int bottomLevel(List<File> files) {
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
    List<Integer> below = positionsOf(files, level);
    RowRange rows = upper.stream().map(i -> files.get(i).rows).reduce(RowRange::with).orElseThrow();
    // A chosen file widens the range, which may then overlap further files.
    boolean widened = true;
    while (widened) {
      widened = false;
      for (int i : below) {
        if (!inputs.contains(i) && rows.overlaps(files.get(i).rows)) {
          inputs.add(i);
          rows = rows.with(files.get(i).rows);
          widened = true;
        }
      }
    }
    return new Pick(inputs, level);
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
