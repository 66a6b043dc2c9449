// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the database consists of after a number of edits. Not thread-safe; the manifest owns it, and
 * readers work on what they were given when the database was opened.
 */
public final class Version {
  private record StoreKey(long regionId, int familyId) {}

  private final Map<Long, TableRecord> tables = new TreeMap<>();
  private final Map<Long, RegionRecord> regions = new TreeMap<>();
  private final Map<Long, FileRecord> files = new TreeMap<>();
  private final Map<StoreKey, Long> flushedSequences = new HashMap<>();
  private long nextNumber = 1;
  private long clockFloor;

  /** Returns all tables. */
  public Collection<TableRecord> tables() {
    return Collections.unmodifiableCollection(tables.values());
  }

  /** Returns the regions of a table. */
  public List<RegionRecord> regionsOf(long tableId) {
    return regions.values().stream().filter(region -> region.tableId() == tableId).toList();
  }

  /** Returns all files. */
  public Collection<FileRecord> files() {
    return Collections.unmodifiableCollection(files.values());
  }

  /** Returns up to which sequence number all cells of a store are in its files; 0 for none. */
  public long flushedSequence(long regionId, int familyId) {
    return flushedSequences.getOrDefault(new StoreKey(regionId, familyId), 0L);
  }

  /** Returns the highest sequence number that any store has in files. */
  public long lastFlushedSequence() {
    return flushedSequences.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** Returns the next number to give out. */
  public long nextNumber() {
    return nextNumber;
  }

  /** Returns the highest timestamp that the clock may have given out. */
  public long clockFloor() {
    return clockFloor;
  }

  /**
   * Applies an edit.
   *
   * @throws IllegalArgumentException if it does not fit what is there; then nothing has changed
   */
  void apply(VersionEdit edit) {
    if (edit instanceof VersionEdit.PutTable put) {
      tables.put(put.table().tableId(), put.table());
    } else if (edit instanceof VersionEdit.DropTable drop) {
      check(tables.containsKey(drop.tableId()), edit, "there is no such table");
      check(regionsOf(drop.tableId()).isEmpty(), edit, "it still has regions");
      tables.remove(drop.tableId());
    } else if (edit instanceof VersionEdit.PutRegion put) {
      check(tables.containsKey(put.region().tableId()), edit, "there is no such table");
      regions.put(put.region().regionId(), put.region());
    } else if (edit instanceof VersionEdit.DropRegion drop) {
      check(regions.remove(drop.regionId()) != null, edit, "there is no such region");
      files.values().removeIf(file -> file.regionId() == drop.regionId());
      flushedSequences.keySet().removeIf(key -> key.regionId() == drop.regionId());
    } else if (edit instanceof VersionEdit.AddFile add) {
      check(regions.containsKey(add.file().regionId()), edit, "there is no such region");
      check(!files.containsKey(add.file().fileNumber()), edit, "the file is there already");
      files.put(add.file().fileNumber(), add.file());
    } else if (edit instanceof VersionEdit.RemoveFile remove) {
      check(files.remove(remove.fileNumber()) != null, edit, "there is no such file");
    } else if (edit instanceof VersionEdit.SetFlushedSequence set) {
      check(regions.containsKey(set.regionId()), edit, "there is no such region");
      flushedSequences.merge(
          new StoreKey(set.regionId(), set.familyId()), set.sequence(), Math::max);
    } else if (edit instanceof VersionEdit.SetNextNumber set) {
      nextNumber = Math.max(nextNumber, set.nextNumber());
    } else if (edit instanceof VersionEdit.SetClockFloor set) {
      clockFloor = Math.max(clockFloor, set.timestamp());
    }
  }

  /** Returns edits that lead from nothing to this version. */
  List<VersionEdit> asEdits() {
    List<VersionEdit> edits = new ArrayList<>();
    tables.values().forEach(table -> edits.add(new VersionEdit.PutTable(table)));
    regions.values().forEach(region -> edits.add(new VersionEdit.PutRegion(region)));
    files.values().forEach(file -> edits.add(new VersionEdit.AddFile(file)));
    flushedSequences.forEach(
        (store, sequence) ->
            edits.add(
                new VersionEdit.SetFlushedSequence(store.regionId(), store.familyId(), sequence)));
    edits.add(new VersionEdit.SetNextNumber(nextNumber));
    edits.add(new VersionEdit.SetClockFloor(clockFloor));
    return edits;
  }

  private static void check(boolean fits, VersionEdit edit, String problem) {
    if (!fits) {
      throw new IllegalArgumentException(edit + " does not fit: " + problem);
    }
  }
}
