// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Groups the sorted tables of level 0 into runs: neighbours in age that share no row, as those of
 * ascending keys. A reader searches one file of a run, so merging them would save it nothing.
 * Stateless.
 */
public final class SortedRuns {
  private SortedRuns() {}

  /**
   * Returns the runs; each is an unbroken range of the files, in the order of their rows.
   *
   * @param newestFirst files of level 0, in the order of their age
   * @param levelFileBytes size of the files of deeper levels; files of less than half of it are
   *     runs of their own, so that they are merged rather than pile up
   */
  public static List<List<StoreFile>> of(List<StoreFile> newestFirst, long levelFileBytes) {
    List<List<StoreFile>> runs = new ArrayList<>();
    TreeMap<byte[], StoreFile> run = new TreeMap<>(Arrays::compareUnsigned);
    for (StoreFile file : newestFirst) {
      boolean joins = file.bytes() >= levelFileBytes / 2 && !file.showsNoRow();
      if (!run.isEmpty() && !(joins && isDisjoint(run, file))) {
        runs.add(List.copyOf(run.values()));
        run.clear();
      }
      if (joins) {
        run.put(file.firstRow(), file);
      } else {
        runs.add(List.of(file));
      }
    }
    if (!run.isEmpty()) {
      runs.add(List.copyOf(run.values()));
    }
    return runs;
  }

  /** Returns the bytes of each run. */
  public static List<Long> bytesOf(List<List<StoreFile>> runs) {
    return runs.stream().map(StoreFile::bytesOf).toList();
  }

  private static boolean isDisjoint(TreeMap<byte[], StoreFile> run, StoreFile file) {
    Map.Entry<byte[], StoreFile> before = run.floorEntry(file.firstRow());
    Map.Entry<byte[], StoreFile> behind = run.ceilingEntry(file.firstRow());
    return (before == null || before.getValue().endsBefore(file.firstRow()))
        && (behind == null || file.endsBefore(behind.getKey()));
  }
}
