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
 * ascending keys. A reader searches one file of a run, so merging them would save it nothing, but
 * may drop cells. Stateless.
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
   * Returns the runs among which readers search, and by which files count as piled up. Small files
   * are runs of their own, so that they are merged.
   *
   * @param levelFileBytes size of the files of deeper levels; less than half of it is small
   */
  static List<List<StoreFile>> ofReads(List<StoreFile> newestFirst, long levelFileBytes) {
    return of(newestFirst, file -> isLarge(file, levelFileBytes));
  }

  /**
   * Returns the runs among which compactions choose. Files of which a merge may drop something are
   * runs of their own, too, whatever rows they have.
   *
   * @param levelFileBytes size of the files of deeper levels; less than half of it is small
   */
  public static List<List<StoreFile>> ofMerges(
      List<StoreFile> newestFirst, FamilyDescriptor family, long levelFileBytes) {
    boolean mayDrop = mayDropAlone(family);
    return of(newestFirst, file -> isLarge(file, levelFileBytes) && !mayDrop && !file.hasMarkers());
  }

  private static boolean isLarge(StoreFile file, long levelFileBytes) {
    return file.bytes() >= levelFileBytes / 2;
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
