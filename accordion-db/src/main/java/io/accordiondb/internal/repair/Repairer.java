// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.repair;

import io.accordiondb.CorruptionException;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.FormatVersionException;
import io.accordiondb.RecoveryMode;
import io.accordiondb.RepairReport;
import io.accordiondb.VerificationReport.Problem;
import io.accordiondb.internal.catalog.StoreOpener;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.folder.ManifestLogRegister;
import io.accordiondb.internal.manifest.CurrentFile;
import io.accordiondb.internal.manifest.FileOwner;
import io.accordiondb.internal.manifest.ManifestContents;
import io.accordiondb.internal.manifest.ManifestSalvage;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.KnownLogs;
import io.accordiondb.internal.wal.LogFileNames;
import io.accordiondb.internal.wal.LogReplay;
import io.accordiondb.internal.wal.LogWitness;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Repairs a damaged database so that it opens again: it keeps what is sound, moves the rest to a
 * folder of its own, and reports it. Used once.
 *
 * <p>It uses the manifest as far as it is sound, and keeps the sound blocks of damaged sorted
 * tables ({@link TableRepair}). If the manifest is damaged, it also adds sorted tables that the
 * manifest does not name, by the owner that each file records; a sound manifest names all tables
 * that matter. A damaged log is salvaged. Damaged files of the kept log are put aside ({@link
 * KeptLogRepair}).
 */
public final class Repairer {
  private static final String LOST = DatabaseFolder.LOST;

  /** A repair deletes no kept log file. */
  private static final Duration KEPT_LOGS = Duration.ofDays(3650);

  /**
   * The highest number behind which there are enough for what a repair writes, and for the database
   * afterwards: the names of files have twelve digits.
   */
  private static final long NUMBER_MAX = 990_000_000_000L;

  private final Storage storage;
  private final List<Problem> lost = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private KnownLogs logs = KnownLogs.NONE;

  /** Creates a repairer of the database below a storage. */
  public Repairer(Storage storage) {
    this.storage = storage;
  }

  /**
   * Repairs the database.
   *
   * @throws io.accordiondb.DatabaseLockedException if it is open
   * @throws FormatVersionException if a newer version of this software has written a file; the
   *     database stays as it is, unless the log is damaged and that file is of the log
   */
  public RepairReport repair() throws IOException {
    DatabaseFolder.checkBeforeReading(storage);
    Version version;
    try (Closeable lock = storage.lock(DatabaseFolder.LOCK)) {
      storage.createDirectories(StoreFiles.DIRECTORY);
      storage.createDirectories(WriteAheadLog.DIRECTORY);
      version = repairManifest();
    }
    if (isLogDamaged()) {
      notes.add("the log was salvaged; batches that were damaged are missing");
      DatabaseOptions options =
          DatabaseOptions.builder()
              .recoveryMode(RecoveryMode.SALVAGE)
              .logRetention(KEPT_LOGS)
              .logRetentionBytesMax(Long.MAX_VALUE)
              .build();
      DatabaseEngine.open(storage, options).close();
    }
    try (Closeable lock = storage.lock(DatabaseFolder.LOCK)) {
      new KeptLogRepair(storage, lost, notes).repair();
    }
    return new RepairReport(version.tables().size(), version.files().size(), lost, notes);
  }

  private Version repairManifest() throws IOException {
    ManifestContents contents;
    boolean whole = true;
    try {
      contents = DatabaseFolder.readWhole(storage);
    } catch (IOException e) {
      ReadFailures.throwUnlessDamage(e);
      String file =
          e instanceof CorruptionException damage ? damage.file() : path(CurrentFile.NAME);
      lost.add(new Problem(file, String.valueOf(e.getMessage())));
      whole = false;
      contents = salvageManifest();
    }
    Version version = contents.version();
    StoreOpener.checkKnown(version.tables(), contents.path());
    logs = ManifestLogRegister.logsOf(contents);
    NewerLogs.refuse(storage, logs);
    long firstFree = firstFree(version);
    if (!whole) {
      // Stores that a lost manifest named may have cells in the log.
      firstFree = Math.max(firstFree, LogAdoption.highestNumber(storage) + 1);
    }
    Version numbered = version.apply(List.of(new VersionEdit.SetNextNumber(firstFree)));
    TableRepair tables = new TableRepair(storage, numbered, whole, lost);
    Version checked = tables.repair();
    if (!whole) {
      OwnerAdoption owners = new OwnerAdoption(checked, notes::add);
      Version adopted = owners.adopt(adoptees(tables));
      checked = MergedFiles.hide(adopted, tables.owners());
      loseMerged(adopted, checked, tables);
      loseIngested(checked, tables);
      checked = adoptLog(checked, owners);
    }
    if (!whole || checked != numbered) {
      DatabaseFolder.deleteImportJournals(storage);
      ManifestContents.write(storage, checked);
    }
    tables.removeDamaged();
    return checked;
  }

  /** Returns a number above those of all files. */
  private long firstFree(Version version) throws IOException {
    // The log may name manifests that no longer exist. The next number must be above theirs as
    // well.
    long highest =
        Math.max(version.nextNumber() - 1, LogWitness.of(storage, 0).manifest().fileNumber());
    for (long number : ManifestSalvage.numbers(storage)) {
      highest = Math.max(highest, number);
    }
    for (long number : LogFileNames.list(storage)) {
      highest = Math.max(highest, number);
    }
    for (long number : TableRepair.numbers(storage)) {
      highest = Math.max(highest, number);
    }
    if (highest >= NUMBER_MAX) {
      throw new IOException(
          path("")
              + " has a file with the number "
              + highest
              + ", behind which there is none for new files; move it out of the folder, and repair"
              + " again");
    }
    return highest + 1;
  }

  private String path(String name) {
    return storage.path(name);
  }

  /**
   * Returns the readable part of the manifests, with their knowledge of the log only if the log is
   * not newer.
   */
  private ManifestContents salvageManifest() throws IOException {
    ManifestContents contents = ManifestSalvage.newest(storage, notes::add);
    try {
      DatabaseFolder.checkAgainstLog(storage, contents);
      return contents;
    } catch (CorruptionException e) {
      return new ManifestContents(
          contents.version().withoutLogs(), contents.mark(), contents.path(), 0);
    }
  }

  private List<OwnerAdoption.Adoptee> adoptees(TableRepair tables) throws FormatVersionException {
    List<OwnerAdoption.Adoptee> adoptees = new ArrayList<>();
    for (TableRepair.Sound file : tables.unknown()) {
      FileOwner owner = file.owner();
      if (owner != null) {
        String path = path(StoreFiles.nameOf(file.number()));
        StoreOpener.checkKnown(owner, path);
        adoptees.add(new OwnerAdoption.Adoptee(file.number(), file.properties(), owner));
      }
    }
    return adoptees;
  }

  /** Puts files aside of which nothing is shown, because their cells are in others. */
  private void loseMerged(Version before, Version after, TableRepair tables) throws IOException {
    for (TableRepair.Sound file : List.copyOf(tables.unknown())) {
      if (before.hasBacking(file.number()) && !after.hasBacking(file.number())) {
        tables.lose(file.number(), "it is sound, but its cells are in other tables, too");
      }
    }
  }

  /** Reports how to recover bulk-loaded files, whose table only the manifest knew. */
  private void loseIngested(Version version, TableRepair tables) throws IOException {
    for (TableRepair.Sound file : tables.unknown()) {
      if (file.owner() == null) {
        String command =
            "accordion store ingest %s %s %s"
                .formatted(
                    path(""), familyOptions(version), path(TableRepair.lostNameOf(file.number())));
        tables.lose(
            file.number(),
            "it is sound, but it was ingested, and only the manifest said into which table; \""
                + command
                + "\" takes it in again");
      }
    }
  }

  /** Returns command-line options that name a table and a family, if there is only one of each. */
  private static String familyOptions(Version version) {
    List<TableRecord> tables = List.copyOf(version.tables());
    boolean isOnly = tables.size() == 1 && tables.get(0).families().size() == 1;
    String table = isOnly ? tables.get(0).name() : "TABLE";
    String family = isOnly ? tables.get(0).families().get(0).name() : "FAMILY";
    return "--table " + table + " --family " + family;
  }

  /**
   * Returns whether a replay refuses the log or leaves out sound batches; if so, keeps a copy of
   * the log.
   */
  private boolean isLogDamaged() throws IOException {
    Problem damage;
    try {
      LogReplay replay = new LogReplay(storage, RecoveryMode.TOLERATE_TORN_TAIL, logs);
      replay.replay((payload, first, count, source) -> {});
      damage = LeftOutBatches.find(storage, logs, replay);
    } catch (CorruptionException e) {
      damage = new Problem(e.file(), String.valueOf(e.getMessage()));
    }
    if (damage == null) {
      return false;
    }
    lost.add(damage);
    keepLog();
    return true;
  }

  /** Adopts log cells of unknown regions, as far as their table can be determined. */
  private Version adoptLog(Version version, OwnerAdoption owners) throws IOException {
    LogAdoption log = new LogAdoption(storage, version, owners);
    Version adopted = log.adopt();
    if (log.adopted() > 0) {
      notes.add(
          log.adopted()
              + " cells of the log were taken into the regions that have their rows, as their own"
              + " regions are named nowhere; if their table was truncated since, they are back");
    }
    for (String table : log.received()) {
      notes.add(
          "table "
              + table
              + " was copied from another one, or files were ingested into it; only the manifest"
              + " said which, so cells of it may be missing, or be in the original alone");
    }
    if (log.unknown() > 0) {
      keepLog();
      lost.add(
          new Problem(
              path(WriteAheadLog.DIRECTORY),
              log.unknown()
                  + " cells of families that neither a manifest nor a sorted table names; the log"
                  + " is kept in "
                  + LOST));
    }
    return adopted;
  }

  private void createLost() throws IOException {
    storage.createDirectories(LOST);
    storage.syncDirectory("");
  }

  private void keepLog() throws IOException {
    createLost();
    for (String name : storage.list(WriteAheadLog.DIRECTORY)) {
      String log = WriteAheadLog.DIRECTORY + "/" + name;
      String kept = LOST + "/" + name;
      // A repair that crashed may have left a part of a copy.
      if (storage.exists(kept) && storage.size(kept) < storage.size(log)) {
        storage.delete(kept);
      }
      if (!storage.exists(kept)) {
        storage.linkTo(log, storage, kept);
      }
    }
    storage.syncDirectory(LOST);
  }
}
