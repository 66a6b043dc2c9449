// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.retention.RangeTombstones;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tables, regions and files of the database after a number of edits. Immutable; it shares its
 * unchanged parts with the version before.
 */
public final class Version {
  /** The version of a new database. */
  public static final Version EMPTY = new VersionBuilder().build();

  final PersistentMap<Long, TableRecord> tables;
  final PersistentMap<String, TableRecord> tablesByName;
  final PersistentMap<Long, RegionRecord> regions;
  final PersistentMap<RowKey, RegionRecord> regionsByRow;
  final PersistentMap<Long, FileRecord> files;
  final PersistentMap<StoreKey, FileRecord> filesByStore;
  final PersistentMap<StoreKey, VersionEdit.SetFlushedSequence> flushed;
  final PersistentMap<StoreKey, RangeTombstones> ranges;
  final PersistentMap<Long, VersionEdit.AddLog> logs;
  private final long highestLog;
  private final long nextNumber;
  private final long clockFloor;
  private final long clockCeiling;

  Version(VersionBuilder builder) {
    this.tables = builder.tables;
    this.tablesByName = builder.tablesByName;
    this.regions = builder.regions;
    this.regionsByRow = builder.regionsByRow;
    this.files = builder.files;
    this.filesByStore = builder.filesByStore;
    this.flushed = builder.flushed;
    this.ranges = builder.ranges;
    this.logs = builder.logs;
    this.highestLog = builder.highestLog;
    this.nextNumber = builder.nextNumber;
    this.clockFloor = builder.clockFloor;
    this.clockCeiling = builder.clockCeiling;
  }

  /** Returns all tables in the order of their ids. */
  public Collection<TableRecord> tables() {
    return tables.values();
  }

  /** Returns a table by its id, or null. */
  public @Nullable TableRecord table(long tableId) {
    return tables.get(tableId);
  }

  /** Returns a table by its name, or null. */
  public @Nullable TableRecord table(String name) {
    return tablesByName.get(name);
  }

  /** Returns a region by its id, or null. */
  public @Nullable RegionRecord region(long regionId) {
    return regions.get(regionId);
  }

  /** Returns the regions of a table in the order of their rows. */
  public List<RegionRecord> regionsOf(long tableId) {
    return regionsByRow.values(RowKey.firstOf(tableId), RowKey.firstOf(tableId + 1));
  }

  /** Returns all files in the order of their numbers. */
  public Collection<FileRecord> files() {
    return files.values();
  }

  /** Returns the files of a store in the order of their numbers. */
  public List<FileRecord> filesOf(long regionId, int familyId) {
    return filesByStore.values(
        StoreKey.of(regionId, familyId), StoreKey.behind(regionId, familyId));
  }

  /**
   * Returns whether any store sees the file with a number. It takes time proportional to the number
   * of all files.
   */
  public boolean hasBacking(long number) {
    return files.values().stream().anyMatch(file -> file.backingNumber() == number);
  }

  /** Returns the sequence number up to which all cells of a store are in its files; 0 for none. */
  public long flushedSequence(long regionId, int familyId) {
    VersionEdit.SetFlushedSequence mark = flushed.get(StoreKey.of(regionId, familyId));
    return mark == null ? 0 : mark.sequence();
  }

  /** Returns the range tombstones that delete from the files of a store. */
  public RangeTombstones rangeTombstones(long regionId, int familyId) {
    RangeTombstones found = ranges.get(StoreKey.of(regionId, familyId));
    return found == null ? RangeTombstones.NONE : found;
  }

  /** Returns the highest sequence number that any store has in files. */
  public long lastFlushedSequence() {
    return flushed.values().stream()
        .mapToLong(VersionEdit.SetFlushedSequence::sequence)
        .max()
        .orElse(0);
  }

  /** Returns the files of which the log consists, oldest first. */
  public Collection<VersionEdit.AddLog> logs() {
    return logs.values();
  }

  /**
   * Returns the highest number of a file that was ever part of the log; 0 if that is not known,
   * because an older version of this software has written the manifest, or because it was repaired.
   */
  public long highestLog() {
    return highestLog;
  }

  /** Returns the same version without the records of the log. */
  public Version withoutLogs() {
    VersionBuilder builder = new VersionBuilder(this);
    builder.forgetLogs();
    return builder.build();
  }

  /** Returns the number below which all numbers were allocated, or may have been. */
  public long nextNumber() {
    return nextNumber;
  }

  /** Returns the highest timestamp that the clock may have given to a write. */
  public long clockFloor() {
    return clockFloor;
  }

  /** Returns a time above the timestamps that the clock has given to writes; 0 if none is known. */
  public long clockCeiling() {
    return clockCeiling;
  }

  /**
   * Returns the version after edits, applied one after another.
   *
   * @throws IllegalArgumentException if one does not fit the version
   */
  public Version apply(List<VersionEdit> edits) {
    VersionBuilder builder = new VersionBuilder(this);
    edits.forEach(builder::apply);
    return builder.build();
  }

  /** Returns edits that lead from the empty version to this one. */
  List<VersionEdit> asEdits() {
    List<VersionEdit> edits = new ArrayList<>();
    edits.add(new VersionEdit.SetNextNumber(nextNumber));
    edits.add(new VersionEdit.SetClockFloor(clockFloor));
    if (clockCeiling > 0) {
      edits.add(new VersionEdit.SetClockCeiling(clockCeiling));
    }
    tables.forEach((id, table) -> edits.add(new VersionEdit.PutTable(table)));
    regions.forEach((id, region) -> edits.add(new VersionEdit.PutRegion(region)));
    files.forEach((number, file) -> edits.add(new VersionEdit.AddFile(file)));
    flushed.forEach((store, mark) -> edits.add(mark));
    ranges.forEach(
        (store, tombstones) ->
            edits.addAll(
                VersionEdit.AddRangeTombstones.parts(
                    store.regionId(), store.familyId(), tombstones)));
    logs.forEach((number, log) -> edits.add(log));
    if (highestLog > 0) {
      edits.add(new VersionEdit.SetHighestLog(highestLog));
    }
    return edits;
  }
}
