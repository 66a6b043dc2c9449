// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.CorruptionException;
import io.accordiondb.internal.record.RecordFileHeader;
import io.accordiondb.internal.record.RecordReader;
import io.accordiondb.internal.record.RecordWriter;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps the regions and families in the log to the names of their tables and families, including
 * dropped ones. Kept log files need the mapping after a restart, so it is then stored in a file.
 * Thread-safe.
 *
 * <p>No number of a family is given twice, so it also identifies the table. A region that is gone
 * is only remembered if other tables have families with the same numbers: each split and merge
 * makes new regions, and would otherwise write the names of all earlier ones.
 */
public final class RegionNames {
  private static final String DIRECTORY = "kept";

  /** The name of the file. */
  public static final String NAME = DIRECTORY + "/names";

  private static final String NEW_NAME = NAME + ".tmp";

  /** "ACCNAMES" as ASCII. */
  private static final long MAGIC = 0x4143_434E_414D_4553L;

  private static final RecordFileHeader HEADER =
      new RecordFileHeader(MAGIC, 0, RecordFileHeader.GROWING);

  private static final Logger LOG = LoggerFactory.getLogger(RegionNames.class);

  private final Storage storage;

  @GuardedBy("this")
  private final Map<Long, RegionRecord> regions = new TreeMap<>();

  @GuardedBy("this")
  private final Map<Long, String> tables = new TreeMap<>();

  @GuardedBy("this")
  private final Map<Long, Map<Integer, FamilyRecord>> families = new TreeMap<>();

  /** Whether there are names that the file does not have. */
  @GuardedBy("this")
  private boolean changed;

  private RegionNames(Storage storage) {
    this.storage = storage;
  }

  /** The table and the family to which the cells of a store belong. */
  public record Name(String table, String family) {}

  /**
   * Returns the names in the file of a database, if it exists, and in a version. The next {@link
   * #save} writes all of them again, because the file may be encrypted under a key that is to go.
   *
   * @throws io.accordiondb.FormatVersionException if a newer version of this software has written
   *     the file; a damaged one is only warned of
   */
  public static RegionNames open(Storage storage, Version version) throws IOException {
    RegionNames names = new RegionNames(storage);
    try {
      names.add(read(storage));
    } catch (CorruptionException e) {
      // The database can be opened all the same: only names of dropped objects are missing.
      LOG.warn("change feeds do not know all names of tables that are gone: {}", e.getMessage());
    }
    List<VersionEdit> edits = new ArrayList<>();
    for (TableRecord table : version.tables()) {
      edits.add(new VersionEdit.PutTable(table));
      version.regionsOf(table.tableId()).forEach(r -> edits.add(new VersionEdit.PutRegion(r)));
    }
    names.add(edits);
    names.forgetExcept(version);
    return names;
  }

  private synchronized void forgetExcept(Version version) {
    for (RegionRecord region : List.copyOf(regions.values())) {
      if (version.region(region.regionId()) == null) {
        forgetIfNeedless(region);
      }
    }
  }

  /** Forgets a region if each family of its table is found without the region. */
  @GuardedBy("this")
  private void forgetIfNeedless(RegionRecord region) {
    for (int familyId : families.getOrDefault(region.tableId(), Map.of()).keySet()) {
      if (tableOf(familyId) == null) {
        return;
      }
    }
    regions.remove(region.regionId());
  }

  /**
   * Reads the file, if there is one.
   *
   * @throws CorruptionException if it is damaged
   */
  public static void verify(Storage storage) throws IOException {
    read(storage);
  }

  private static List<VersionEdit> read(Storage storage) throws IOException {
    if (!areStored(storage)) {
      return List.of();
    }
    String path = storage.path(NAME);
    try (RecordReader reader = RecordReader.open(storage, NAME, HEADER)) {
      if (reader == null || !reader.next()) {
        throw new CorruptionException(path, 0, "names of tables and families", "none");
      }
      return EditCodec.decode(reader.payload(), path, RecordFileHeader.BYTES);
    }
  }

  /** Adds the tables and regions of edits of the manifest. Cells of dropped ones stay known. */
  public synchronized void add(List<VersionEdit> edits) {
    for (VersionEdit edit : edits) {
      if (edit instanceof VersionEdit.PutRegion put) {
        changed |= regions.put(put.region().regionId(), put.region()) == null;
      } else if (edit instanceof VersionEdit.PutTable put) {
        add(put.table());
      } else if (edit instanceof VersionEdit.DropRegion drop) {
        RegionRecord region = regions.get(drop.regionId());
        if (region != null) {
          forgetIfNeedless(region);
        }
      }
    }
  }

  /**
   * Saves new names. If that fails, a later call saves them: no log file is kept or deleted before
   * the names are saved. It never throws, because the commits that have the names are in force.
   */
  public void trySave() {
    try {
      save();
    } catch (IOException | RuntimeException | Error e) {
      warn(e);
    }
  }

  private static void warn(Throwable failure) {
    try {
      LOG.warn(
          "the names of tables could not be kept; no log file is deleted before they are", failure);
    } catch (OutOfMemoryError e) {
      // There is no memory left to log it.
    }
  }

  @GuardedBy("this")
  private void add(TableRecord table) {
    changed |= !table.name().equals(tables.put(table.tableId(), table.name()));
    Map<Integer, FamilyRecord> known =
        families.computeIfAbsent(table.tableId(), id -> new HashMap<>());
    for (FamilyRecord family : table.families()) {
      changed |= known.put(family.familyId(), family) == null;
    }
  }

  /** Returns the table and family of a store; null if they are unknown. */
  public synchronized @Nullable Name of(long regionId, int familyId) {
    RegionRecord region = regions.get(regionId);
    Long tableId = region == null ? tableOf(familyId) : Long.valueOf(region.tableId());
    String table = tableId == null ? null : tables.get(tableId);
    if (tableId == null || table == null) {
      return null;
    }
    FamilyRecord family = families.getOrDefault(tableId, Map.of()).get(familyId);
    return family == null ? null : new Name(table, family.name());
  }

  /**
   * Returns the table of a family whose region is unknown, because it is gone; null if that is not
   * certain.
   */
  @GuardedBy("this")
  private @Nullable Long tableOf(int familyId) {
    Long found = null;
    for (Map.Entry<Long, Map<Integer, FamilyRecord>> table : families.entrySet()) {
      if (table.getValue().containsKey(familyId)) {
        if (found != null) {
          return null;
        }
        found = table.getKey();
      }
    }
    return found;
  }

  /** Returns whether there is a file with names. */
  public boolean areStored() throws IOException {
    return areStored(storage);
  }

  private static boolean areStored(Storage storage) throws IOException {
    return storage.isDirectory(DIRECTORY) && storage.exists(NAME);
  }

  /**
   * Links the file into another storage, if there is one. Call this after the kept log files are
   * linked: it has the names for all of them.
   */
  public static void linkTo(Storage storage, Storage target) throws IOException {
    if (areStored(storage)) {
      target.createDirectories(DIRECTORY);
      storage.linkTo(NAME, target, NAME);
      target.syncDirectory(DIRECTORY);
    }
  }

  /** Writes the file durably if it lacks any name. */
  public synchronized void save() throws IOException {
    if (!changed) {
      return;
    }
    List<VersionEdit> edits = new ArrayList<>();
    tables.forEach(
        (id, name) ->
            edits.add(
                new VersionEdit.PutTable(
                    new TableRecord(
                        id, name, List.copyOf(families.getOrDefault(id, Map.of()).values())))));
    regions.values().forEach(region -> edits.add(new VersionEdit.PutRegion(region)));
    ByteBuffer encoded = EditCodec.encode(edits);
    CRC32C crc = new CRC32C();
    crc.update(encoded.duplicate());
    storage.createDirectories(DIRECTORY);
    // Even if the folder is there, because an earlier call may have failed to force its name.
    storage.syncDirectory("");
    if (storage.exists(NEW_NAME)) {
      storage.delete(NEW_NAME);
    }
    // Not in one, because a writer that finds no memory for its buffer does not own the file.
    try (StorageWriter file = storage.create(NEW_NAME)) {
      RecordWriter writer = new RecordWriter(file, HEADER);
      writer.append(encoded, (int) crc.getValue(), 0, 0);
      writer.sync();
    }
    storage.rename(NEW_NAME, NAME);
    storage.syncDirectory(DIRECTORY);
    saved();
  }

  private synchronized void saved() {
    changed = false;
  }
}
