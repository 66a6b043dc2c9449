// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.FamilyDescriptor;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

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
   * @param joins whether a file may be in a run with others
   */
  public static List<List<StoreFile>> of(List<StoreFile> newestFirst, Predicate<StoreFile> joins) {
    List<List<StoreFile>> runs = new ArrayList<>();
    TreeMap<byte[], StoreFile> run = new TreeMap<>(Arrays::compareUnsigned);
    for (StoreFile file : newestFirst) {
      boolean joinsRun = !file.showsNoRow() && joins.test(file);
      if (!run.isEmpty() && !(joinsRun && isDisjoint(run, file))) {
        runs.add(List.copyOf(run.values()));
        run.clear();
      }
      if (joinsRun) {
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

  /**
   * Returns whether nobody gains by merging a file with files that share no row with it. Small
   * files are merged, so that they do not pile up, and those of which a merge may drop something.
   *
   * @param levelFileBytes size of the files of deeper levels; less than half of it is small
   */
  public static boolean mayJoin(StoreFile file, FamilyDescriptor family, long levelFileBytes) {
    return file.bytes() >= levelFileBytes / 2 && !file.hasMarkers() && !mayDropAlone(family);
  }

  /**
   * Returns whether cells of a family can become useless without a newer cell of their row, other
   * than whole files that expire.
   */
  private static boolean mayDropAlone(FamilyDescriptor family) {
    return family.compactionFilter() != null
        || (family.versionRules().ttlMillis() != VersionRules.FOREVER && mayKeepExpired(family));
  }

  /** Returns whether cells of a family may be kept although their time to live has passed. */
  public static boolean mayKeepExpired(FamilyDescriptor family) {
    VersionRules rules = family.versionRules();
    return rules.minVersions() > 0
        || rules.keepDeleted() != KeepDeletedCells.FALSE
        || family.mergeOperator() != null;
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
