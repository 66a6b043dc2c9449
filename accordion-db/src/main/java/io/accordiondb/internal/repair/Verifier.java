// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.repair;

import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import io.accordiondb.RecoveryMode;
import io.accordiondb.VerificationReport;
import io.accordiondb.VerificationReport.Problem;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.catalog.StoreOpener;
import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.folder.ManifestLogRegister;
import io.accordiondb.internal.manifest.CurrentFile;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.FileView;
import io.accordiondb.internal.manifest.ManifestContents;
import io.accordiondb.internal.manifest.RegionNames;
import io.accordiondb.internal.manifest.RegionRecord;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.sstable.SortedTable;
import io.accordiondb.internal.sstable.SortedTableProperties;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.KeptLogs;
import io.accordiondb.internal.wal.KeptLogsVerifier;
import io.accordiondb.internal.wal.KnownLogs;
import io.accordiondb.internal.wal.LogReplay;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Verifies a database that is not open, by reading every byte of it, and changes nothing. It checks
 * whether the entries of the manifest are consistent, every block of every sorted table, the order
 * of all cells and whether they are where the manifest says, and every record of the log. Used
 * once.
 */
public final class Verifier {
  private final Storage storage;
  private final LongConsumer progress;
  private final BlockCache noCache = new BlockCache(0);
  private final List<Problem> problems = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private long sortedTables;
  private long cells;
  private long bytes;
  private long logRecords;

  /** Creates a verifier of the database below a storage. */
  public Verifier(Storage storage) {
    this(storage, bytes -> {});
  }

  /** Same as above; {@code progress} is given the bytes of each sorted table that was read. */
  public Verifier(Storage storage, LongConsumer progress) {
    this.storage = storage;
    this.progress = progress;
  }

  /**
   * Verifies the database.
   *
   * @throws io.accordiondb.DatabaseLockedException if it is open
   * @throws FormatVersionException if a newer version of this software has written the manifest or
   *     the log
   */
  public VerificationReport verify() throws IOException {
    DatabaseFolder.checkBeforeReading(storage);
    try (Closeable lock = storage.lockToRead(DatabaseFolder.LOCK)) {
      KnownLogs logs = KnownLogs.NONE;
      ManifestContents contents = readManifest();
      if (contents != null) {
        StoreOpener.checkKnown(contents.version().tables(), contents.path());
        verify(contents.version());
        logs = ManifestLogRegister.logsOf(contents);
      }
      verifyLog(logs);
      verifyKeptLogs();
    }
    return new VerificationReport(sortedTables, logRecords, cells, bytes, problems, notes);
  }

  private @Nullable ManifestContents readManifest() throws IOException {
    try {
      return DatabaseFolder.readWhole(storage);
    } catch (CorruptionException e) {
      problems.add(new Problem(e.file(), String.valueOf(e.getMessage())));
    } catch (IOException e) {
      ReadFailures.throwUnlessDamage(e);
      problem(CurrentFile.NAME, e);
    }
    return null;
  }

  private void verify(Version version) throws IOException {
    for (TableRecord table : version.tables()) {
      verifyRanges(table, version.regionsOf(table.tableId()));
    }
    Set<String> known = new HashSet<>();
    for (FileRecord file : version.files()) {
      String name = StoreFiles.nameOf(file.backingNumber());
      verifyTable(name, file, version, known.add(name));
    }
    if (storage.isDirectory(StoreFiles.DIRECTORY)) {
      for (String name : storage.list(StoreFiles.DIRECTORY)) {
        if (!known.contains(StoreFiles.DIRECTORY + "/" + name)) {
          notes.add(storage.path(StoreFiles.DIRECTORY + "/" + name) + " is in no version");
        }
      }
    }
  }

  /** Verifies that the regions of a table follow each other from the first row to the last. */
  private void verifyRanges(TableRecord table, List<RegionRecord> regions) {
    byte[] expected = {};
    for (int i = 0; i < regions.size(); i++) {
      RegionRecord region = regions.get(i);
      boolean last = i == regions.size() - 1;
      if (!Arrays.equals(region.startKey(), expected) || last != (region.endKey().length == 0)) {
        problem(CurrentFile.NAME, region + " does not follow the one before it in " + table.name());
      }
      expected = region.endKey();
    }
    if (regions.isEmpty()) {
      problem(CurrentFile.NAME, "table " + table.name() + " has no region");
    }
  }

  /** Verifies that a store may see a file, and, the first time, the file itself. */
  private void verifyTable(String name, FileRecord file, Version version, boolean isNew)
      throws IOException {
    try {
      SortedTable table = SortedTable.open(storage, name, file.numberInFile(), noCache);
      try {
        SortedTableProperties found = table.properties();
        if (isNew) {
          table.verify();
          sortedTables++;
          cells += found.cellCount();
          bytes += found.fileBytes();
          progress.accept(found.fileBytes());
        }
        verifyRecord(name, file, version, found);
      } finally {
        table.release();
      }
    } catch (FormatVersionException e) {
      // Its version is under no checksum.
      if (isNew) {
        problem(name, e.getMessage() + ", or repair if its version is damaged");
      }
    } catch (IOException e) {
      ReadFailures.throwUnlessDamage(e);
      if (isNew) {
        problem(name, e);
      }
    }
  }

  private void verifyRecord(
      String name, FileRecord file, Version version, SortedTableProperties found) {
    FileView view = file.view();
    RegionRecord region = version.region(file.regionId());
    if (region == null) {
      problem(name, file + " belongs to no region");
    } else if (view == null) {
      compare(name, "length", file.bytes(), found.fileBytes());
      verifyRows(name, region, found.firstRow(), found.lastRow());
    } else if (!view.within(region.startKey(), region.endKey()).equals(view)) {
      problem(name, file + " shows rows outside of " + region);
    }
    if (view == null || view.sequence() == 0) {
      compare(name, "lowest sequence number", file.minSequence(), found.sequenceMin());
      compare(name, "highest sequence number", file.maxSequence(), found.sequenceMax());
    }
  }

  private void verifyRows(String name, RegionRecord region, byte[] first, byte[] last) {
    boolean before = Arrays.compareUnsigned(first, region.startKey()) < 0;
    boolean behind =
        region.endKey().length > 0 && Arrays.compareUnsigned(last, region.endKey()) >= 0;
    if (before || behind) {
      problem(name, "it has rows outside of " + region);
    }
  }

  private void compare(String name, String field, long expected, long found) {
    if (expected != found) {
      problem(name, "the manifest says " + field + " " + expected + ", the file " + found);
    }
  }

  private void verifyLog(KnownLogs logs) throws IOException {
    LogReplay log = new LogReplay(storage, RecoveryMode.TOLERATE_TORN_TAIL, logs);
    try {
      log.replay(NewerLogs::check);
      if (log.droppedBytes() > 0) {
        notes.add(
            log.droppedBytes() + " bytes of the log are part of writes that a crash interrupted");
      }
      Problem leftOut = LeftOutBatches.find(storage, logs, log);
      if (leftOut != null) {
        problems.add(leftOut);
      }
    } catch (CorruptionException e) {
      problems.add(new Problem(e.file(), String.valueOf(e.getMessage())));
    } catch (IOException e) {
      ReadFailures.throwUnlessDamage(e);
      problem(WriteAheadLog.DIRECTORY, e);
    }
    bytes += log.bytes();
    logRecords = log.records();
  }

  private void verifyKeptLogs() throws IOException {
    try {
      KeptLogs kept = KeptLogs.asTheyAre(storage);
      KeptLogsVerifier verifier = new KeptLogsVerifier(storage, kept);
      verifier
          .problems(
              reader -> {
                NewerLogs.check(reader);
                logRecords++;
              })
          .forEach(e -> problems.add(new Problem(e.file(), String.valueOf(e.getMessage()))));
      notes.addAll(verifier.gaps());
      bytes += kept.totalBytes();
      RegionNames.verify(storage);
    } catch (CorruptionException e) {
      problems.add(new Problem(e.file(), String.valueOf(e.getMessage())));
    } catch (IOException e) {
      ReadFailures.throwUnlessDamage(e);
      problem(KeptLogs.DIRECTORY, e);
    }
  }

  private void problem(String name, IOException e) {
    if (e instanceof NoSuchFileException missing) {
      problem(name, missing.getFile() + " is missing");
    } else {
      problem(name, e.getMessage() == null ? e.toString() : e.getMessage());
    }
  }

  private void problem(String name, String message) {
    problems.add(new Problem(storage.path(name), message));
  }
}
