// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.compaction;

import java.util.List;

/**
 * Chooses the files of a minor compaction by the ratio of their sizes, as HBase's exploring policy
 * does. Of all unbroken runs of files in which no file is much larger than the others together, it
 * chooses the one with the most files, and among equals the one with the fewest bytes. Pure.
 *
 * <p>Runs are unbroken because a compaction can drop more cells if it leaves out no file between
 * its oldest and its newest one.
 *
 * @param filesMin fewest files worth a compaction, at least 2
 * @param filesMax most files of one compaction
 * @param ratio the size of a file relative to all others of the run together, at most
 * @param smallBytes files of up to this many bytes are chosen whatever the ratio
 * @param filesTooMany with this number of files or more, the cheapest run is chosen even if no
 *     ratio fits
 */
public record CompactionPicker(
    int filesMin, int filesMax, double ratio, long smallBytes, int filesTooMany) {

  /** A run of files: those at positions {@code from} (inclusive) to {@code to} (exclusive). */
  public record Run(int from, int to) {
    /** The run without files. */
    public static final Run NONE = new Run(0, 0);

    /** Returns whether there is nothing to compact. */
    public boolean isEmpty() {
      return from == to;
    }
  }

  /**
   * Returns a picker of five to ten files of about one size: in no run is a file longer than two
   * fifths of the others together. So a byte is rewritten once for each fivefold growth, and not
   * each time that there are a few young files and an old one.
   */
  public static CompactionPicker withDefaults(long smallBytes) {
    return new CompactionPicker(5, 10, 0.4, smallBytes, 12);
  }

  /**
   * Returns a picker for a database that is not written to, so that readers find few files: of two
   * files or more, none is longer than twice the others together. So a byte is written again at
   * most once for each growth by half.
   */
  public static CompactionPicker whileIdle(long smallBytes) {
    return new CompactionPicker(2, 64, 2, smallBytes, Integer.MAX_VALUE);
  }

  /**
   * Chooses a run.
   *
   * @param fileBytes the sizes of all files in the order of their age
   */
  public Run pick(List<Long> fileBytes) {
    return pick(fileBytes, Long.MAX_VALUE);
  }

  /**
   * Chooses a run of a size.
   *
   * @param fileBytes the sizes of all files in the order of their age
   * @param bytesMax most bytes of the run
   */
  public Run pick(List<Long> fileBytes, long bytesMax) {
    Run best = explore(fileBytes, bytesMax, true);
    return best.isEmpty() && fileBytes.size() >= filesTooMany
        ? explore(fileBytes, bytesMax, false)
        : best;
  }

  private Run explore(List<Long> fileBytes, long bytesMax, boolean needsRatio) {
    Run best = Run.NONE;
    long bestBytes = Long.MAX_VALUE;
    for (int from = 0; from + filesMin <= fileBytes.size(); from++) {
      int last = Math.min(fileBytes.size(), from + filesMax);
      for (int to = from + filesMin; to <= last; to++) {
        List<Long> run = fileBytes.subList(from, to);
        long bytes = sum(run);
        if (bytes > bytesMax || (needsRatio && !isInRatio(run))) {
          continue;
        }
        int files = to - from;
        int bestFiles = best.to() - best.from();
        boolean isBetter =
            needsRatio
                ? files > bestFiles || (files == bestFiles && bytes < bestBytes)
                : bytes < bestBytes;
        if (isBetter) {
          best = new Run(from, to);
          bestBytes = bytes;
        }
      }
    }
    return best;
  }

  private boolean isInRatio(List<Long> run) {
    long total = sum(run);
    for (long bytes : run) {
      if (bytes > smallBytes && bytes > ratio * (total - bytes)) {
        return false;
      }
    }
    return true;
  }

  private static long sum(List<Long> run) {
    return run.stream().mapToLong(Long::longValue).sum();
  }
}
