// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.repair;

import io.accordiondb.FormatVersionException;
import io.accordiondb.VerificationReport.Problem;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.manifest.FileOwner;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.FileView;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.region.StoreId;
import io.accordiondb.internal.sstable.SortedTable;
import io.accordiondb.internal.sstable.SortedTableProperties;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks the sorted tables of a database that is repaired, and copies the sound part of each
 * damaged one into a new one. Used once.
 *
 * <p>A damaged table gets a second name in the folder of lost files at once. Its first name is
 * removed only when the manifest no longer names it, so no crash loses it.
 */
final class TableRepair {
  private static final String LOST = DatabaseFolder.LOST;
  private static final Pattern TABLE_FILE = Pattern.compile("(\\d{12})\\.sst");

  private final Storage storage;
  private final List<Problem> lost;
  private final BlockCache noCache = new BlockCache(0);
  private final Map<Long, Sound> unknown = new TreeMap<>();
  private final Map<Long, FileOwner> owners = new TreeMap<>();

  /** Numbers of the tables with the sound part of damaged ones, by those of the damaged ones. */
  private final Map<Long, Long> salvagedAs = new TreeMap<>();

  private final List<Long> aside = new ArrayList<>();
  private final boolean isManifestWhole;
  private Version version;

  /**
   * Creates a repair.
   *
   * @param version the version of the manifest, whose next number must be above those of all files
   * @param isManifestWhole whether tables that the manifest does not name can be ignored
   * @param lost receives a description of each damaged table
   */
  TableRepair(Storage storage, Version version, boolean isManifestWhole, List<Problem> lost) {
    this.storage = storage;
    this.version = version;
    this.isManifestWhole = isManifestWhole;
    this.lost = lost;
  }

  /** A sound sorted table; the owner is null if the table does not record it. */
  record Sound(long number, SortedTableProperties properties, @Nullable FileOwner owner) {}

  /** Returns the version with sound tables only; the same one if all are. */
  Version repair() throws IOException {
    Map<Long, List<FileRecord>> records = new LinkedHashMap<>();
    for (FileRecord file : version.files()) {
      records.computeIfAbsent(file.backingNumber(), number -> new ArrayList<>()).add(file);
    }
    Map<Long, List<FileRecord>> missing = new HashMap<>(records);
    for (long number : numbers(storage)) {
      missing.remove(number);
      List<FileRecord> known = records.get(number);
      if (known == null) {
        checkUnknown(number);
      } else {
        checkKnown(number, known);
      }
    }
    for (Map.Entry<Long, List<FileRecord>> gone : missing.entrySet()) {
      gone.getValue().forEach(file -> apply(new VersionEdit.RemoveFile(file.fileNumber())));
      lost.add(new Problem(pathOf(gone.getKey()), "it is missing"));
    }
    return version;
  }

  /** Returns the numbers of all sorted tables in the folder. */
  static List<Long> numbers(Storage storage) throws IOException {
    List<Long> numbers = new ArrayList<>();
    for (String name : storage.list(StoreFiles.DIRECTORY)) {
      Matcher matcher = TABLE_FILE.matcher(name);
      if (matcher.matches()) {
        numbers.add(Long.parseLong(matcher.group(1)));
      }
    }
    return numbers;
  }

  /** Returns the sound tables that the version does not name. */
  Collection<Sound> unknown() {
    return unknown.values();
  }

  /**
   * Returns the owners that the sound tables record, by the numbers of the tables. Among the merged
   * files they also name what was salvaged of one.
   */
  Map<Long, FileOwner> owners() {
    Map<Long, FileOwner> named = new TreeMap<>(owners);
    named.replaceAll((number, owner) -> withSalvaged(owner));
    return named;
  }

  private FileOwner withSalvaged(FileOwner owner) {
    Set<Long> merged = new TreeSet<>(owner.merged());
    for (long number : owner.merged()) {
      Long part = salvagedAs.get(number);
      if (part != null) {
        merged.add(part);
      }
    }
    return owner.at(owner.flushedSequence(), merged);
  }

  /** Moves a table from the database to the folder of lost files. */
  void lose(long number, String why) throws IOException {
    lost.add(new Problem(pathOf(number), why + "; it is kept as " + keep(number)));
  }

  /** Returns the name of a table in the folder of lost files. */
  static String lostNameOf(long number) {
    String name = StoreFiles.nameOf(number);
    return LOST + name.substring(name.indexOf('/'));
  }

  /** Removes damaged tables from the database. The manifest must not name them any more. */
  void removeDamaged() throws IOException {
    for (long number : aside) {
      storage.delete(StoreFiles.nameOf(number));
    }
    if (!aside.isEmpty()) {
      storage.syncDirectory(StoreFiles.DIRECTORY);
    }
  }

  private void checkUnknown(long number) throws IOException {
    if (isManifestWhole) {
      // A crash has left it, and the next opening deletes it.
      return;
    }
    try {
      unknown.put(number, read(number, number));
    } catch (IOException e) {
      throwUnlessDamage(e);
      Sound foreign = foreign(number);
      if (foreign != null) {
        unknown.put(number, foreign);
      } else {
        String why = String.valueOf(e.getMessage());
        TableSalvager salvager = new TableSalvager(storage, number, number);
        long newNumber = version.nextNumber();
        if (salvager.salvage(newNumber, null)) {
          apply(new VersionEdit.SetNextNumber(newNumber + 1));
          salvagedAs.put(number, newNumber);
          unknown.put(newNumber, read(newNumber, newNumber));
          lose(number, why + salvager.description());
        } else {
          ReadFailures.throwUnlessDamage(e);
          lose(number, why);
        }
      }
    }
  }

  /** Returns a bulk-loaded table; null if it is not one, or is damaged. */
  private @Nullable Sound foreign(long number) throws IOException {
    try {
      return read(number, FileView.FOREIGN_NUMBER);
    } catch (IOException e) {
      throwUnlessDamage(e);
      return null;
    }
  }

  private void checkKnown(long number, List<FileRecord> records) throws IOException {
    long numberInFile = records.get(0).numberInFile();
    try {
      read(number, numberInFile);
    } catch (IOException e) {
      throwUnlessDamage(e);
      String why = String.valueOf(e.getMessage());
      long newNumber = version.nextNumber();
      TableSalvager salvager = new TableSalvager(storage, number, numberInFile);
      boolean salvaged =
          salvager.salvage(newNumber, LogAdoption.ownerOf(version, storeOf(records.get(0))));
      records.forEach(file -> apply(new VersionEdit.RemoveFile(file.fileNumber())));
      if (salvaged) {
        apply(new VersionEdit.SetNextNumber(newNumber + 1));
        salvagedAs.put(number, newNumber);
        long newNumberInFile = numberInFile == number ? newNumber : numberInFile;
        SortedTableProperties properties = read(newNumber, newNumberInFile).properties;
        records.forEach(file -> apply(replaced(file, newNumber, properties)));
        why += salvager.description();
      } else {
        ReadFailures.throwUnlessDamage(e);
      }
      lose(number, why);
    }
  }

  private static StoreId storeOf(FileRecord file) {
    return new StoreId(file.regionId(), file.familyId());
  }

  private static VersionEdit replaced(
      FileRecord file, long newNumber, SortedTableProperties properties) {
    FileView view = file.view();
    boolean isOwn = view == null || view.sequence() == 0;
    return new VersionEdit.AddFile(
        new FileRecord(
            file.fileNumber() == file.backingNumber() ? newNumber : file.fileNumber(),
            file.regionId(),
            file.familyId(),
            view == null ? properties.fileBytes() : file.bytes(),
            isOwn ? properties.sequenceMin() : file.minSequence(),
            isOwn ? properties.sequenceMax() : file.maxSequence(),
            file.level(),
            view == null
                ? null
                : new FileView(newNumber, view.startKey(), view.endKey(), view.sequence())));
  }

  /**
   * Throws a failure that is no damage. An unknown version may be one, because it is under no
   * checksum: then all cells can be read as those of a known one.
   */
  private static void throwUnlessDamage(IOException failure) throws IOException {
    if (!(failure instanceof FormatVersionException)) {
      ReadFailures.throwUnlessDamage(failure);
    }
  }

  /** Reads a whole table. */
  private Sound read(long number, long numberInFile) throws IOException {
    SortedTable table = SortedTable.open(storage, StoreFiles.nameOf(number), numberInFile, noCache);
    try {
      table.verify();
      SortedTableProperties properties = table.properties();
      FileOwner owner = FileOwner.decode(properties.owner(), pathOf(number));
      if (owner != null) {
        owners.put(number, owner);
      }
      return new Sound(number, properties, owner);
    } finally {
      table.release();
    }
  }

  private String keep(long number) throws IOException {
    String name = StoreFiles.nameOf(number);
    String kept = lostNameOf(number);
    storage.createDirectories(LOST);
    storage.syncDirectory("");
    // A repair that crashed may have left a part of a copy.
    if (storage.exists(kept) && storage.size(kept) != storage.size(name)) {
      storage.delete(kept);
    }
    if (!storage.exists(kept)) {
      storage.linkTo(name, storage, kept);
    }
    storage.syncDirectory(LOST);
    aside.add(number);
    return kept;
  }

  private String pathOf(long number) {
    return storage.path(StoreFiles.nameOf(number));
  }

  private void apply(VersionEdit edit) {
    version = version.apply(List.of(edit));
  }
}
