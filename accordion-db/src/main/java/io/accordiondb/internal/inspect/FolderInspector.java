// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.inspect;

import io.accordiondb.CorruptionException;
import io.accordiondb.inspect.Damage;
import io.accordiondb.inspect.FileKind;
import io.accordiondb.inspect.FileOutline;
import io.accordiondb.inspect.Inspector;
import io.accordiondb.inspect.LogFileOutline;
import io.accordiondb.inspect.LogVisitor;
import io.accordiondb.inspect.ManifestRecord;
import io.accordiondb.inspect.ManifestVisitor;
import io.accordiondb.inspect.RegionOutline;
import io.accordiondb.inspect.SortedTableVisitor;
import io.accordiondb.inspect.StoreSize;
import io.accordiondb.inspect.TableOutline;
import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.manifest.FamilyRecord;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.ManifestContents;
import io.accordiondb.internal.manifest.ManifestInspection;
import io.accordiondb.internal.manifest.ManifestSalvage;
import io.accordiondb.internal.manifest.RegionRecord;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.sstable.SortedTableInspection;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.KeptLogs;
import io.accordiondb.internal.wal.LogFileNames;
import io.accordiondb.internal.wal.LogInspection;
import io.accordiondb.internal.wal.LogWitness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reports the contents of a database's folder according to its manifest. Belongs to one thread. */
final class FolderInspector implements Inspector {
  /** Attempts to read the manifest, because a writer may change the folder at the same time. */
  private static final int ATTEMPTS = 5;

  private static final Pattern NUMBER =
      Pattern.compile("(?:MANIFEST-)?(\\d{1,18})(?:-\\d+)?(?:\\.sst|\\.log)?");

  private final Storage storage;
  private final Version version;
  private final List<Damage> damage;

  private FolderInspector(Storage storage, Version version, List<Damage> damage) {
    this.storage = storage;
    this.version = version;
    this.damage = damage;
  }

  static FolderInspector open(Storage storage) throws IOException {
    DatabaseFolder.checkBeforeReading(storage);
    for (int attempt = 1; ; attempt++) {
      Version read = null;
      try {
        read = ManifestContents.read(storage).version();
        LogWitness witness = witnessOf(storage, read);
        // Read again: another process may have committed between the manifest and the log.
        ManifestContents contents = ManifestContents.read(storage);
        read = contents.version();
        if (witness != null) {
          witness.check(contents.path(), contents.mark(), read.highestLog());
        }
        if (witness != null || attempt == ATTEMPTS) {
          return new FolderInspector(storage, read, List.of());
        }
      } catch (CorruptionException e) {
        if (attempt == ATTEMPTS) {
          Version sound =
              read == null ? ManifestSalvage.newest(storage, note -> {}).version() : read;
          Damage found = new Damage(e.file(), e.offset(), String.valueOf(e.getMessage()));
          return new FolderInspector(storage, sound, List.of(found));
        }
      }
    }
  }

  /** Returns what the log says of the manifest; null if a file was deleted before it was read. */
  private static @Nullable LogWitness witnessOf(Storage storage, Version version)
      throws IOException {
    try {
      return LogWitness.of(storage, version.highestLog());
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  @Override
  public List<Damage> damage() {
    return damage;
  }

  @Override
  public List<TableOutline> tables() {
    List<TableOutline> tables = new ArrayList<>();
    for (TableRecord table : version.tables()) {
      int files = 0;
      long bytes = 0;
      List<RegionRecord> regions = version.regionsOf(table.tableId());
      for (RegionRecord region : regions) {
        for (FileRecord file : filesOf(table, region)) {
          files++;
          bytes += file.bytes();
        }
      }
      List<TableOutline.Family> families =
          table.families().stream()
              .map(
                  family ->
                      new TableOutline.Family(
                          family.familyId(), family.name(), new TreeMap<>(family.attributes())))
              .toList();
      tables.add(
          new TableOutline(table.tableId(), table.name(), regions.size(), files, bytes, families));
    }
    return tables;
  }

  private List<FileRecord> filesOf(TableRecord table, RegionRecord region) {
    List<FileRecord> files = new ArrayList<>();
    for (FamilyRecord family : table.families()) {
      files.addAll(version.filesOf(region.regionId(), family.familyId()));
    }
    return files;
  }

  @Override
  public List<RegionOutline> regions() {
    List<RegionOutline> regions = new ArrayList<>();
    for (TableRecord table : version.tables()) {
      for (RegionRecord region : version.regionsOf(table.tableId())) {
        List<FileRecord> files = filesOf(table, region);
        regions.add(
            new RegionOutline(
                region.regionId(),
                table.name(),
                region.startKey(),
                region.endKey(),
                files.size(),
                files.stream().mapToLong(FileRecord::bytes).sum(),
                table.families().stream()
                    .mapToLong(
                        family -> version.flushedSequence(region.regionId(), family.familyId()))
                    .min()
                    .orElse(0)));
      }
    }
    return regions;
  }

  @Override
  public List<FileOutline> files() throws IOException {
    Set<String> present = new HashSet<>();
    if (storage.isDirectory(StoreFiles.DIRECTORY)) {
      storage
          .list(StoreFiles.DIRECTORY)
          .forEach(name -> present.add(StoreFiles.DIRECTORY + "/" + name));
    }
    StoreNames names = new StoreNames(version);
    List<FileOutline> files = new ArrayList<>();
    for (FileRecord file : version.files()) {
      String name = StoreFiles.nameOf(file.backingNumber());
      files.add(
          new FileOutline(
              file.fileNumber(),
              name,
              names.table(file.regionId()),
              file.regionId(),
              names.family(file.regionId(), file.familyId()),
              file.level(),
              file.bytes(),
              file.minSequence(),
              file.maxSequence(),
              file.view() != null,
              present.contains(name)));
    }
    return files;
  }

  @Override
  public List<LogFileOutline> logFiles() throws IOException {
    Set<Long> live = new HashSet<>();
    version.logs().forEach(log -> live.add(log.fileNumber()));
    List<LogFileOutline> files = new ArrayList<>();
    KeptLogs kept = KeptLogs.asTheyAre(storage);
    for (long number : kept.numbers()) {
      String name = kept.nameOf(number);
      if (name != null) {
        addTo(files, number, name, false);
      }
    }
    for (long number : LogFileNames.list(storage)) {
      addTo(files, number, LogFileNames.nameOf(number), isLive(live, number));
    }
    return files;
  }

  /** Adds a log file, unless the database has deleted it since it was listed. */
  private void addTo(List<LogFileOutline> files, long number, String name, boolean isLive)
      throws IOException {
    try {
      files.add(new LogFileOutline(number, name, storage.size(name), isLive));
    } catch (NoSuchFileException e) {
      // No data needs it any more.
    }
  }

  /** The manifest does not name log files that an older version of this software has written. */
  private boolean isLive(Set<Long> live, long number) {
    return live.contains(number) || version.highestLog() == 0;
  }

  @Override
  public List<String> manifestFiles() throws IOException {
    return ManifestInspection.files(storage);
  }

  @Override
  public @Nullable String find(FileKind kind, String text) throws IOException {
    String name = text.substring(text.lastIndexOf('/') + 1);
    Matcher matcher = NUMBER.matcher(name);
    if (!matcher.matches()) {
      return null;
    }
    long number = Long.parseLong(matcher.group(1));
    List<String> candidates = new ArrayList<>();
    switch (kind) {
      case SORTED_TABLE -> candidates.add(StoreFiles.nameOf(number));
      case MANIFEST -> candidates.add(ManifestInspection.nameOf(number));
      case LOG -> {
        candidates.add(LogFileNames.nameOf(number));
        String kept = KeptLogs.asTheyAre(storage).nameOf(number);
        if (kept != null) {
          candidates.add(kept);
        }
      }
    }
    for (String candidate : candidates) {
      if (storage.exists(candidate) && isNamed(text, candidate)) {
        return candidate;
      }
    }
    return null;
  }

  /** Returns whether a text without folders, or one that leads to this very file, names it. */
  private boolean isNamed(String text, String candidate) throws IOException {
    if (text.indexOf('/') < 0 || text.equals(candidate)) {
      return true;
    }
    Path file = Path.of(storage.path(candidate));
    Path below = Path.of(storage.path("")).resolve(text);
    return isSame(file, Path.of(text)) || isSame(file, below);
  }

  private static boolean isSame(Path file, Path named) throws IOException {
    return Files.exists(named) && Files.isSameFile(file, named);
  }

  @Override
  public void readTable(String name, SortedTableVisitor visitor) throws IOException {
    SortedTableInspection.read(storage, name, new SortedTableView(storage.path(name), visitor));
  }

  @Override
  public void readLog(String name, LogVisitor visitor) throws IOException {
    Matcher matcher = NUMBER.matcher(name.substring(name.lastIndexOf('/') + 1));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(name + " is not the name of a log file");
    }
    LogInspection.read(
        storage,
        name,
        Long.parseLong(matcher.group(1)),
        new LogView(storage.path(name), new StoreNames(version), visitor));
  }

  @Override
  public void readManifest(String name, ManifestVisitor visitor) throws IOException {
    String path = storage.path(name);
    ManifestInspection.read(
        storage,
        name,
        new ManifestInspection.Visitor() {
          @Override
          public void record(
              long offset,
              long bytes,
              ManifestRecord.Kind kind,
              long number,
              List<VersionEdit> edits)
              throws IOException {
            visitor.record(
                new ManifestRecord(
                    offset, bytes, kind, number, edits.stream().map(EditWords::of).toList()));
          }

          @Override
          public void tornTail(long offset, long bytes) throws IOException {
            visitor.tornTail(offset, bytes);
          }

          @Override
          public void damage(long offset, IOException cause) throws IOException {
            visitor.damage(new Damage(path, offset, String.valueOf(cause.getMessage())));
          }
        });
  }

  @Override
  public void measureStores(
      boolean exact, long nowMillis, Consumer<StoreSize> progress, Consumer<Damage> found)
      throws IOException {
    try (StoreMeasurement measurement = new StoreMeasurement(storage, exact, nowMillis, found)) {
      for (TableRecord table : version.tables()) {
        for (RegionRecord region : version.regionsOf(table.tableId())) {
          for (FamilyRecord family : table.families()) {
            progress.accept(
                measurement.measure(
                    table.name(),
                    region.regionId(),
                    family,
                    version.filesOf(region.regionId(), family.familyId()),
                    version.rangeTombstones(region.regionId(), family.familyId())));
          }
        }
      }
    }
  }
}
