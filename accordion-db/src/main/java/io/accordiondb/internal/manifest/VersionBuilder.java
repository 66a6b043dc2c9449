// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.retention.RangeTombstones;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Applies edits to a copy of a version and checks that they are consistent with it. Not
 * thread-safe; must not be used after an error.
 */
final class VersionBuilder {
  PersistentMap<Long, TableRecord> tables = PersistentMap.empty();
  PersistentMap<String, TableRecord> tablesByName = PersistentMap.empty();
  PersistentMap<Long, RegionRecord> regions = PersistentMap.empty();
  PersistentMap<RowKey, RegionRecord> regionsByRow = PersistentMap.empty();
  PersistentMap<Long, FileRecord> files = PersistentMap.empty();
  PersistentMap<StoreKey, FileRecord> filesByStore = PersistentMap.empty();
  PersistentMap<StoreKey, VersionEdit.SetFlushedSequence> flushed = PersistentMap.empty();
  PersistentMap<StoreKey, RangeTombstones> ranges = PersistentMap.empty();
  PersistentMap<Long, VersionEdit.AddLog> logs = PersistentMap.empty();
  long highestLog;
  long nextNumber = 1;
  long clockFloor;
  long clockCeiling;

  /** Tables that may have lost families. */
  private final Set<Long> altered = new HashSet<>();

  VersionBuilder() {}

  VersionBuilder(Version version) {
    tables = version.tables;
    tablesByName = version.tablesByName;
    regions = version.regions;
    regionsByRow = version.regionsByRow;
    files = version.files;
    filesByStore = version.filesByStore;
    flushed = version.flushed;
    ranges = version.ranges;
    logs = version.logs;
    highestLog = version.highestLog();
    nextNumber = version.nextNumber();
    clockFloor = version.clockFloor();
    clockCeiling = version.clockCeiling();
  }

  /**
   * Returns the version that results.
   *
   * @throws IllegalArgumentException if a family was dropped from a table but its files were not
   */
  Version build() {
    for (long tableId : altered) {
      TableRecord table = tables.get(tableId);
      if (table != null) {
        checkFamilies(table);
      }
    }
    return new Version(this);
  }

  void apply(VersionEdit edit) {
    if (edit instanceof VersionEdit.PutTable put) {
      putTable(put, put.table());
    } else if (edit instanceof VersionEdit.DropTable drop) {
      dropTable(drop);
    } else if (edit instanceof VersionEdit.PutRegion put) {
      putRegion(put, put.region());
    } else if (edit instanceof VersionEdit.DropRegion drop) {
      dropRegion(drop);
    } else if (edit instanceof VersionEdit.AddFile add) {
      addFile(add, add.file());
    } else if (edit instanceof VersionEdit.RemoveFile remove) {
      removeFile(remove);
    } else if (edit instanceof VersionEdit.SetFlushedSequence set) {
      setFlushed(set);
    } else if (edit instanceof VersionEdit.AddRangeTombstones add) {
      checkStore(add.regionId(), add.familyId(), add);
      StoreKey store = StoreKey.of(add.regionId(), add.familyId());
      setRanges(store, rangesOf(store).plus(add.tombstones()));
    } else if (edit instanceof VersionEdit.RemoveRangeTombstones remove) {
      StoreKey store = StoreKey.of(remove.regionId(), remove.familyId());
      setRanges(store, rangesOf(store).minus(remove.tombstones()));
    } else if (edit instanceof VersionEdit.SetNextNumber set) {
      nextNumber = Math.max(nextNumber, set.nextNumber());
    } else if (edit instanceof VersionEdit.SetClockFloor set) {
      clockFloor = Math.max(clockFloor, set.timestamp());
    } else if (edit instanceof VersionEdit.SetClockCeiling set) {
      clockCeiling = Math.max(clockCeiling, set.timestamp());
    } else if (edit instanceof VersionEdit.AddLog add) {
      addLog(add);
    } else if (edit instanceof VersionEdit.RemoveLog remove) {
      there(logs.get(remove.fileNumber()), remove, "log file");
      logs = logs.without(remove.fileNumber());
    } else if (edit instanceof VersionEdit.SetHighestLog set) {
      checkNumber(set.fileNumber(), set);
      highestLog = Math.max(highestLog, set.fileNumber());
    }
  }

  /** Adds a log file, which must come after all earlier ones, or begins a prepared one. */
  private void addLog(VersionEdit.AddLog edit) {
    checkNumber(edit.fileNumber(), edit);
    VersionEdit.AddLog known = logs.get(edit.fileNumber());
    boolean begins = known != null && known.isPrepared() && !edit.isPrepared();
    check(begins || edit.fileNumber() > highestLog, edit, "there was a log file behind it");
    logs = logs.with(edit.fileNumber(), edit);
    highestLog = Math.max(highestLog, edit.fileNumber());
  }

  private RangeTombstones rangesOf(StoreKey store) {
    RangeTombstones found = ranges.get(store);
    return found == null ? RangeTombstones.NONE : found;
  }

  private void setRanges(StoreKey store, RangeTombstones next) {
    ranges = next.isEmpty() ? ranges.without(store) : ranges.with(store, next);
  }

  void forgetLogs() {
    logs = PersistentMap.empty();
    highestLog = 0;
  }

  private void putTable(VersionEdit edit, TableRecord table) {
    checkNumber(table.tableId(), edit);
    TableRecord namesake = tablesByName.get(table.name());
    check(
        namesake == null || namesake.tableId() == table.tableId(),
        edit,
        "another table has that name");
    Set<Integer> familyIds = new HashSet<>();
    Set<String> familyNames = new HashSet<>();
    for (FamilyRecord family : table.families()) {
      check(
          familyIds.add(family.familyId()) && familyNames.add(family.name()),
          edit,
          "two families are the same");
    }
    TableRecord old = tables.get(table.tableId());
    if (old != null) {
      tablesByName = tablesByName.without(old.name());
      altered.add(table.tableId());
      forgetStores(old, familyIds);
    }
    tables = tables.with(table.tableId(), table);
    tablesByName = tablesByName.with(table.name(), table);
  }

  /** Removes the records of stores whose families a table no longer has. */
  private void forgetStores(TableRecord old, Set<Integer> familyIds) {
    for (RegionRecord region : regionsOf(old.tableId())) {
      for (FamilyRecord family : old.families()) {
        if (!familyIds.contains(family.familyId())) {
          forget(StoreKey.of(region.regionId(), family.familyId()));
        }
      }
    }
  }

  private void dropTable(VersionEdit.DropTable edit) {
    TableRecord table = there(tables.get(edit.tableId()), edit, "table");
    check(regionsOf(edit.tableId()).isEmpty(), edit, "it has regions");
    tables = tables.without(edit.tableId());
    tablesByName = tablesByName.without(table.name());
  }

  private void putRegion(VersionEdit edit, RegionRecord region) {
    checkNumber(region.regionId(), edit);
    there(tables.get(region.tableId()), edit, "table");
    check(!regions.contains(region.regionId()), edit, "the region is there already");
    check(
        isOpen(region.endKey()) || Arrays.compareUnsigned(region.startKey(), region.endKey()) < 0,
        edit,
        "it ends before it begins");
    RowKey start = new RowKey(region.tableId(), region.startKey());
    checkOrder(regionsByRow.floor(start), region, edit);
    checkOrder(region, regionsByRow.ceiling(start), edit);
    regions = regions.with(region.regionId(), region);
    regionsByRow = regionsByRow.with(start, region);
  }

  private void dropRegion(VersionEdit.DropRegion edit) {
    RegionRecord region = there(regions.get(edit.regionId()), edit, "region");
    for (FileRecord file : filesOf(edit.regionId())) {
      remove(file);
    }
    TableRecord table = there(tables.get(region.tableId()), edit, "table");
    for (FamilyRecord family : table.families()) {
      forget(StoreKey.of(edit.regionId(), family.familyId()));
    }
    regions = regions.without(edit.regionId());
    regionsByRow = regionsByRow.without(new RowKey(region.tableId(), region.startKey()));
  }

  /** Removes the flush mark and the range tombstones of a store. */
  private void forget(StoreKey store) {
    flushed = flushed.without(store);
    ranges = ranges.without(store);
  }

  private void addFile(VersionEdit edit, FileRecord file) {
    checkNumber(file.fileNumber(), edit);
    checkNumber(file.backingNumber(), edit);
    checkStore(file.regionId(), file.familyId(), edit);
    check(!files.contains(file.fileNumber()), edit, "the file is there already");
    files = files.with(file.fileNumber(), file);
    filesByStore = filesByStore.with(keyOf(file), file);
  }

  private void removeFile(VersionEdit.RemoveFile edit) {
    remove(there(files.get(edit.fileNumber()), edit, "file"));
  }

  private void remove(FileRecord file) {
    files = files.without(file.fileNumber());
    filesByStore = filesByStore.without(keyOf(file));
  }

  private void setFlushed(VersionEdit.SetFlushedSequence edit) {
    checkStore(edit.regionId(), edit.familyId(), edit);
    StoreKey store = StoreKey.of(edit.regionId(), edit.familyId());
    VersionEdit.SetFlushedSequence old = flushed.get(store);
    if (old == null || old.sequence() < edit.sequence()) {
      flushed = flushed.with(store, edit);
    }
  }

  private void checkFamilies(TableRecord table) {
    for (RegionRecord region : regionsOf(table.tableId())) {
      for (FileRecord file : filesOf(region.regionId())) {
        if (!hasFamily(table, file.familyId())) {
          throw new IllegalArgumentException(
              table + " does not fit: " + file + " is of a family that it does not have");
        }
      }
    }
  }

  private void checkStore(long regionId, int familyId, VersionEdit edit) {
    RegionRecord region = there(regions.get(regionId), edit, "region");
    TableRecord table = there(tables.get(region.tableId()), edit, "table");
    check(hasFamily(table, familyId), edit, "there is no such family");
  }

  /**
   * Checks that a number is below the recorded limit, which ensures that no number is allocated
   * twice.
   */
  private void checkNumber(long number, VersionEdit edit) {
    check(number > 0 && number < nextNumber, edit, "its number was never given out");
  }

  private List<RegionRecord> regionsOf(long tableId) {
    return regionsByRow.values(RowKey.firstOf(tableId), RowKey.firstOf(tableId + 1));
  }

  private List<FileRecord> filesOf(long regionId) {
    return filesByStore.values(StoreKey.firstOf(regionId), StoreKey.firstOf(regionId + 1));
  }

  private static StoreKey keyOf(FileRecord file) {
    return new StoreKey(file.regionId(), file.familyId(), file.fileNumber());
  }

  private static boolean hasFamily(TableRecord table, int familyId) {
    return table.families().stream().anyMatch(family -> family.familyId() == familyId);
  }

  private static boolean isOpen(byte[] endKey) {
    return endKey.length == 0;
  }

  private static void checkOrder(
      @Nullable RegionRecord lower, @Nullable RegionRecord upper, VersionEdit edit) {
    if (lower != null
        && upper != null
        && lower.tableId() == upper.tableId()
        && (isOpen(lower.endKey())
            || Arrays.compareUnsigned(lower.endKey(), upper.startKey()) > 0)) {
      throw misfit(edit, lower + " overlaps " + upper);
    }
  }

  private static <T> T there(@Nullable T value, VersionEdit edit, String kind) {
    if (value == null) {
      throw misfit(edit, "there is no such " + kind);
    }
    return value;
  }

  private static void check(boolean fits, VersionEdit edit, String problem) {
    if (!fits) {
      throw misfit(edit, problem);
    }
  }

  private static IllegalArgumentException misfit(VersionEdit edit, String problem) {
    return new IllegalArgumentException(edit + " does not fit: " + problem);
  }
}
