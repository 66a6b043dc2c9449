// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.repair;

import io.accordiondb.RecoveryMode;
import io.accordiondb.encoding.CellComparator;
import io.accordiondb.internal.catalog.StoreOpener;
import io.accordiondb.internal.commit.BatchReader;
import io.accordiondb.internal.commit.LogNote;
import io.accordiondb.internal.commit.LoggedGroup;
import io.accordiondb.internal.commit.MalformedBatchException;
import io.accordiondb.internal.function.IoConsumer;
import io.accordiondb.internal.manifest.FamilyRecord;
import io.accordiondb.internal.manifest.FileOwner;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.RegionRecord;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.region.StoreId;
import io.accordiondb.internal.sstable.SortedTableProperties;
import io.accordiondb.internal.sstable.SortedTableWriter;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.LogReplay;
import io.accordiondb.retention.RangeTombstone;
import io.accordiondb.retention.RangeTombstones;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes the logged cells of regions that a lost manifest named into the regions that now have
 * their rows. No two families share a number, so the number of the family identifies the table.
 * Used once.
 *
 * <p>The cells are written into sorted tables. A replay skips cells that a region already has in
 * files, among them markers that a compaction may have dropped since. If such cells belong to a
 * family whose cells are adopted, they are written again, so that no cell outlives its marker. So
 * are those that a replay would not skip: a range tombstone beside files deletes nothing in memory
 * once it is forgotten, so memory must not be older.
 */
final class LogAdoption {
  /** Cells in memory before they are written. */
  private static final long BYTES_MAX = 32 << 20;

  private final Storage storage;
  private final Map<Integer, TableRecord> tables = new HashMap<>();
  private final Set<StoreId> known = new HashSet<>();
  private final Map<StoreId, List<LoggedCell>> waiting = new HashMap<>();
  private final Set<Integer> affected = new HashSet<>();
  private final OwnerAdoption owners;
  private final Set<String> received = new TreeSet<>();
  private Version version;
  private long waitingBytes;
  private long lastSequence;
  private long adopted;
  private long unknown;

  LogAdoption(Storage storage, Version version, OwnerAdoption owners) {
    this.storage = storage;
    this.version = version;
    this.owners = owners;
    for (TableRecord table : version.tables()) {
      for (FamilyRecord family : table.families()) {
        tables.put(family.familyId(), table);
        for (RegionRecord region : version.regionsOf(table.tableId())) {
          known.add(new StoreId(region.regionId(), family.familyId()));
        }
      }
    }
  }

  /** A cell at offset 0. */
  private record LoggedCell(ByteBuffer bytes, long sequence) {}

  /** Returns the version with the adopted cells; the same one if there were none. */
  Version adopt() throws IOException {
    replay(storage, this::count);
    if (!affected.isEmpty()) {
      replay(storage, this::take);
      write();
      noteTaken();
    }
    return version;
  }

  /** Returns how many cells of unknown regions were adopted. */
  long adopted() {
    return adopted;
  }

  /** Returns how many cells belong to unknown families. */
  long unknown() {
    return unknown;
  }

  /** Returns the names of tables that have received files whose cells the log does not hold. */
  Set<String> received() {
    return received;
  }

  /** Returns the highest number of a region or a family that the log names; 0 if it names none. */
  static long highestNumber(Storage storage) throws IOException {
    long[] highest = {0};
    replay(
        storage,
        group -> {
          StoreId store = group.store();
          highest[0] = Math.max(highest[0], Math.max(store.regionId(), store.familyId()));
        });
    return highest[0];
  }

  private static void replay(Storage storage, IoConsumer<LoggedGroup> consumer) throws IOException {
    new LogReplay(storage, RecoveryMode.SALVAGE)
        .replay(
            (payload, first, count, source) -> {
              try {
                for (LoggedGroup group : BatchReader.read(payload, first, count)) {
                  consumer.accept(group);
                }
              } catch (MalformedBatchException e) {
                throw e.newer(source.file() + ", offset " + source.offset());
              }
            });
  }

  private void count(LoggedGroup group) {
    StoreId store = group.store();
    if (group.isNote()) {
      LogNote note = LogNote.of(group);
      if (note != null && note.kind() == LogNote.Kind.INGESTION) {
        received.add(new String(note.content(), StandardCharsets.UTF_8));
      }
      return;
    }
    if (known.contains(store)) {
      if (group.deletesRanges() && !isReplayed(store, group.firstSequence())) {
        // Only the lost manifest had them beside the files that a replay skips.
        TableRecord table = Objects.requireNonNull(tables.get(store.familyId()));
        group.rangeTombstones().forEach(range -> deleteRange(table, store.familyId(), range));
      }
      return;
    }
    if (tables.containsKey(familyOf(store))) {
      affected.add(familyOf(store));
      adopted += group.cellCount();
    } else {
      unknown += group.cellCount();
    }
  }

  private void take(LoggedGroup group) throws IOException {
    StoreId store = group.store();
    ByteBuffer batch = group.batch();
    long firstSequence = group.firstSequence();
    lastSequence = Math.max(lastSequence, firstSequence + group.cellCount() - 1);
    int familyId = familyOf(store);
    TableRecord table = tables.get(familyId);
    if (table == null || !affected.contains(familyId) || owners.isReplaced(store.familyId())) {
      return;
    }
    if (group.deletesRanges()) {
      group.rangeTombstones().forEach(range -> deleteRange(table, familyId, range));
      return;
    }
    boolean merges = OwnerAdoption.merges(table, familyId);
    int at = group.offset();
    for (int i = 0; i < group.cellCount(); i++) {
      int length = group.format().length(batch, at);
      ByteBuffer cell = ByteBuffer.allocate(length).put(0, batch, at, length);
      StoreId target = new StoreId(regionOf(table, cell).regionId(), familyId);
      if (!merges || !isInFiles(store, target, firstSequence)) {
        waiting
            .computeIfAbsent(target, any -> new ArrayList<>())
            .add(new LoggedCell(cell, firstSequence + i));
        waitingBytes += length;
      }
      at += group.format().step(batch, at);
    }
    if (waitingBytes > BYTES_MAX) {
      write();
    }
  }

  /** Returns the number that the family of logged cells has in the version. */
  private int familyOf(StoreId store) {
    return owners.aliases().getOrDefault(store.familyId(), store.familyId());
  }

  /**
   * Returns whether cells are in files already, so that their operands must not count again: those
   * that a known store has flushed, and those of a region that was replaced, because all its cells
   * were flushed before.
   */
  private boolean isInFiles(StoreId store, StoreId target, long firstSequence) {
    return known.contains(store)
        ? !isReplayed(store, firstSequence)
        : owners.named().contains(store.regionId())
            || (target.regionId() > store.regionId()
                && !owners.fillers().contains(target.regionId()));
  }

  /** Adds a range tombstone to the stores of all regions that now have its rows. */
  private void deleteRange(TableRecord table, int familyId, RangeTombstone range) {
    List<VersionEdit> edits = new ArrayList<>();
    for (RegionRecord region : version.regionsOf(table.tableId())) {
      RangeTombstones part =
          RangeTombstones.of(List.of(range)).within(region.startKey(), region.endKey());
      if (!part.isEmpty()) {
        edits.add(new VersionEdit.AddRangeTombstones(region.regionId(), familyId, part));
      }
    }
    version = version.apply(edits);
  }

  /** Returns whether opening the database replays cells into their store. */
  private boolean isReplayed(StoreId store, long firstSequence) {
    return known.contains(store)
        && firstSequence > version.flushedSequence(store.regionId(), store.familyId());
  }

  /** Notes that a replay skips all cells of the affected families. */
  private void noteTaken() {
    List<VersionEdit> edits = new ArrayList<>();
    for (StoreId store : known) {
      if (affected.contains(store.familyId())) {
        edits.add(
            new VersionEdit.SetFlushedSequence(store.regionId(), store.familyId(), lastSequence));
      }
    }
    version = version.apply(edits);
  }

  private RegionRecord regionOf(TableRecord table, ByteBuffer cell) {
    RegionRecord found = null;
    for (RegionRecord region : version.regionsOf(table.tableId())) {
      if (found == null || CellComparator.compareRow(cell, 0, region.startKey()) >= 0) {
        found = region;
      }
    }
    if (found == null) {
      throw new IllegalStateException("table " + table.name() + " has no region");
    }
    return found;
  }

  /** Writes a sorted table for each store that has received cells. */
  private void write() throws IOException {
    for (Map.Entry<StoreId, List<LoggedCell>> store : waiting.entrySet()) {
      write(store.getKey(), store.getValue());
    }
    storage.syncDirectory(StoreFiles.DIRECTORY);
    waiting.clear();
    waitingBytes = 0;
  }

  private void write(StoreId store, List<LoggedCell> cells) throws IOException {
    cells.sort((a, b) -> CellComparator.compare(a.bytes, 0, a.sequence, b.bytes, 0, b.sequence));
    FileOwner owner = ownerOf(version, store);
    if (owner == null) {
      throw new IllegalStateException(store + " is in no version");
    }
    long number = version.nextNumber();
    SortedTableWriter writer =
        new SortedTableWriter(
            storage,
            StoreFiles.nameOf(number),
            number,
            StoreFiles.optionsOf(StoreOpener.descriptorOf(owner.family())));
    try {
      writer.setOwner(owner.encode());
      for (LoggedCell cell : cells) {
        writer.add(cell.bytes, 0, cell.bytes.capacity(), cell.sequence);
      }
      SortedTableProperties properties = writer.finish();
      version =
          version.apply(
              List.of(
                  new VersionEdit.SetNextNumber(number + 1),
                  new VersionEdit.AddFile(
                      new FileRecord(
                          number,
                          store.regionId(),
                          store.familyId(),
                          properties.fileBytes(),
                          properties.sequenceMin(),
                          properties.sequenceMax()))));
    } finally {
      writer.abandon();
    }
  }

  /**
   * Returns the owner that a sorted table of a store records; null if a version does not have the
   * store.
   */
  static @Nullable FileOwner ownerOf(Version version, StoreId store) {
    RegionRecord region = version.region(store.regionId());
    TableRecord table = region == null ? null : version.table(region.tableId());
    if (region == null || table == null) {
      return null;
    }
    return table.families().stream()
        .filter(family -> family.familyId() == store.familyId())
        .findFirst()
        .map(family -> new FileOwner(table.name(), region, family))
        .orElse(null);
  }
}
