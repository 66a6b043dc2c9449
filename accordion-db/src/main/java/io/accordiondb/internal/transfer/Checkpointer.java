// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transfer;

import io.accordiondb.internal.catalog.Catalog;
import io.accordiondb.internal.commit.CommitPipeline;
import io.accordiondb.internal.commit.FailureState;
import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreFile;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.LogFileNames;
import io.accordiondb.internal.wal.SealedLog;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Copies an open database into another folder, by links to its files, while writes go on.
 * Thread-safe.
 *
 * <p>A version is taken, then the log is sealed; the log holds all that the version's files do not,
 * up to that moment. Files of both are kept from being deleted until they are linked. No file that
 * is linked is ever written to again, by neither database.
 */
public final class Checkpointer {
  private static final long INSTALL_POLL_NANOS = 50_000;

  private final Storage storage;
  private final Manifest manifest;
  private final Catalog catalog;
  private final CommitPipeline pipeline;
  private final WriteAheadLog log;
  private final FailureState failure;
  private final LongSupplier clockFloor;

  public Checkpointer(
      Storage storage,
      Manifest manifest,
      Catalog catalog,
      CommitPipeline pipeline,
      WriteAheadLog log,
      FailureState failure,
      LongSupplier clockFloor) {
    this.storage = storage;
    this.manifest = manifest;
    this.catalog = catalog;
    this.pipeline = pipeline;
    this.log = log;
    this.failure = failure;
    this.clockFloor = clockFloor;
  }

  /** What a checkpoint consists of. The files are retained. */
  private record Moment(Version version, List<SealedLog> logs, List<StoreFile> retained) {}

  /**
   * Writes a checkpoint.
   *
   * @throws DirectoryNotEmptyException if the target holds anything
   */
  public void write(Storage target) throws IOException {
    if (!target.list("").isEmpty()) {
      throw new DirectoryNotEmptyException(target.path(""));
    }
    try (Closeable lock = target.lock(DatabaseFolder.LOCK);
        Closeable pin = log.pin()) {
      Moment moment = catalog.whileUnchanged(this::take);
      try {
        write(target, moment);
      } finally {
        Store.release(moment.retained);
      }
    }
  }

  private Moment take() throws IOException {
    List<StoreFile> retained = new ArrayList<>();
    boolean taken = false;
    try {
      Version version = retainVersion(retained);
      List<SealedLog> logs = pipeline.sealLog();
      List<VersionEdit> edits = new ArrayList<>();
      edits.add(new VersionEdit.SetNextNumber(manifest.nextNumber() + 1));
      edits.add(new VersionEdit.SetClockFloor(clockFloor.getAsLong()));
      for (SealedLog sealed : logs) {
        edits.add(new VersionEdit.AddLog(sealed.fileNumber(), sealed.previousSequence()));
      }
      Moment moment = new Moment(version.withoutLogs().apply(edits), logs, retained);
      taken = true;
      return moment;
    } finally {
      if (!taken) {
        Store.release(retained);
      }
    }
  }

  /** Retains the files of the version in force, at least, and returns the version. */
  private Version retainVersion(List<StoreFile> retained) throws IOException {
    while (true) {
      Version version = manifest.version();
      catalog.stores().forEach(store -> retained.addAll(store.retainedFiles()));
      if (numbersOf(retained).containsAll(numbersOf(version))) {
        return version;
      }
      List<StoreFile> released = List.copyOf(retained);
      retained.clear();
      Store.release(released);
      // A file that has just been recorded is in its store an instant later, unless that failed.
      failure.check();
      LockSupport.parkNanos(INSTALL_POLL_NANOS);
    }
  }

  private static Set<Long> numbersOf(List<StoreFile> files) {
    Set<Long> numbers = new HashSet<>();
    files.forEach(file -> numbers.add(file.fileNumber()));
    return numbers;
  }

  private static Set<Long> numbersOf(Version version) {
    Set<Long> numbers = new HashSet<>();
    version.files().forEach(file -> numbers.add(file.fileNumber()));
    return numbers;
  }

  private void write(Storage target, Moment moment) throws IOException {
    target.createDirectories(StoreFiles.DIRECTORY);
    target.createDirectories(WriteAheadLog.DIRECTORY);
    Set<Long> linked = new HashSet<>();
    for (FileRecord file : moment.version.files()) {
      if (linked.add(file.backingNumber())) {
        link(StoreFiles.nameOf(file.backingNumber()), target);
      }
    }
    for (SealedLog sealed : moment.logs) {
      link(LogFileNames.nameOf(sealed.fileNumber()), target);
    }
    target.syncDirectory(StoreFiles.DIRECTORY);
    target.syncDirectory(WriteAheadLog.DIRECTORY);
    // Last, so that what a crash leaves is no database.
    Manifest.write(target, moment.version);
  }

  private void link(String name, Storage target) throws IOException {
    storage.linkTo(name, target, name);
  }
}
