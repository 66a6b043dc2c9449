// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transfer;

import io.accordiondb.Checkpoint;
import io.accordiondb.LogExtent;
import io.accordiondb.internal.catalog.Catalog;
import io.accordiondb.internal.clock.DatabaseClock;
import io.accordiondb.internal.commit.CommitPipeline;
import io.accordiondb.internal.commit.FailureState;
import io.accordiondb.internal.commit.LogNote;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.RegionNames;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.pause.Pause;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreFile;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.KeptLogs;
import io.accordiondb.internal.wal.LogFileNames;
import io.accordiondb.internal.wal.SealedLog;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Copies an open database into another folder by links to its files, while writes continue.
 * Thread-safe.
 *
 * <p>It takes a version and then seals the log, which holds everything up to that moment that the
 * version's files do not hold. The files of both are protected from deletion until they are linked.
 * Neither database ever writes to a linked file again.
 */
public final class Checkpointer {
  private static final long INSTALL_POLL_NANOS = 50_000;

  private final Storage storage;
  private final Manifest manifest;
  private final Catalog catalog;
  private final CommitPipeline pipeline;
  private final WriteAheadLog log;
  private final KeptLogs kept;
  private final Supplier<Supplier<@Nullable LogNote>> lastNote;
  private final FailureState failure;
  private final DatabaseClock clock;

  /**
   * Creates an object that copies a database.
   *
   * @param lastNote supplies a supplier of the note with which the log of a copy ends, or null
   */
  public Checkpointer(
      Storage storage,
      Manifest manifest,
      Catalog catalog,
      CommitPipeline pipeline,
      WriteAheadLog log,
      KeptLogs kept,
      Supplier<Supplier<@Nullable LogNote>> lastNote,
      FailureState failure,
      DatabaseClock clock) {
    this.storage = storage;
    this.manifest = manifest;
    this.catalog = catalog;
    this.pipeline = pipeline;
    this.log = log;
    this.kept = kept;
    this.lastNote = lastNote;
    this.failure = failure;
    this.clock = clock;
  }

  /** The contents of a checkpoint. The files are retained. */
  private record Moment(
      Version version, CommitPipeline.Sealed sealed, Instant time, List<StoreFile> retained) {}

  /**
   * Writes a checkpoint; returns the moment that it holds.
   *
   * @throws DirectoryNotEmptyException if the target holds anything; see {@link CopyTarget}
   */
  public Checkpoint write(Storage target, LogExtent extent) throws IOException {
    return CopyTarget.fill(target, () -> copyTo(target, extent));
  }

  private Checkpoint copyTo(Storage target, LogExtent extent) throws IOException {
    try (Closeable pin = log.pin()) {
      Moment moment = catalog.whileUnchanged(this::take);
      try {
        write(target, moment, extent);
        return new Checkpoint(moment.sealed.lastSequence(), moment.time);
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
      CommitPipeline.Sealed log = pipeline.sealLog(lastNote.get());
      LogNote note = log.lastNote();
      Instant time = Instant.ofEpochMilli(note == null ? clock.millis() : note.timeMillis());
      List<VersionEdit> edits = new ArrayList<>();
      edits.add(new VersionEdit.SetNextNumber(manifest.nextNumber() + 1));
      edits.add(new VersionEdit.SetClockFloor(clock.floor()));
      for (SealedLog sealed : log.files()) {
        edits.add(new VersionEdit.AddLog(sealed.fileNumber(), sealed.previousSequence()));
      }
      Moment moment = new Moment(version.withoutLogs().apply(edits), log, time, retained);
      taken = true;
      return moment;
    } finally {
      if (!taken) {
        Store.release(retained);
      }
    }
  }

  /** Retains at least the files of the version in force, and returns the version. */
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
      // A file that has just been recorded is added to its store an instant later, unless that
      // fails or the database is closed: the caller lets nothing else close a store.
      failure.check();
      for (Store store : catalog.stores()) {
        store.checkOpen();
      }
      Pause.uninterruptibly(INSTALL_POLL_NANOS);
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

  private void write(Storage target, Moment moment, LogExtent extent) throws IOException {
    target.createDirectories(StoreFiles.DIRECTORY);
    target.createDirectories(WriteAheadLog.DIRECTORY);
    Set<Long> linked = new HashSet<>();
    for (FileRecord file : moment.version.files()) {
      if (linked.add(file.backingNumber())) {
        link(StoreFiles.nameOf(file.backingNumber()), target);
      }
    }
    for (SealedLog sealed : moment.sealed.files()) {
      link(LogFileNames.nameOf(sealed.fileNumber()), target);
    }
    target.syncDirectory(StoreFiles.DIRECTORY);
    target.syncDirectory(WriteAheadLog.DIRECTORY);
    if (extent == LogExtent.KEPT) {
      kept.linkTo(target, Long.MAX_VALUE);
      RegionNames.linkTo(storage, target);
    }
    CopyTarget.finish(target, moment.version);
  }

  private void link(String name, Storage target) throws IOException {
    storage.linkTo(name, target, name);
  }
}
