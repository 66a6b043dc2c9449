// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.NotADatabaseException;
import io.accordiondb.internal.crypt.EncryptedStorage;
import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.folder.ManifestLogRegister;
import io.accordiondb.internal.folder.ReadOnlyFolder;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.ManifestContents;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.record.RecordMark;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.storage.OverlayStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.KnownLogs;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.function.Function;

/**
 * Opens the folder of a database: takes the lock, reads the manifest, and lets {@link
 * EngineBuilder} build the rest.
 *
 * <p>A folder holds LOCK, CURRENT and a manifest, the log in wal/ and the sorted tables in sst/.
 */
final class DatabaseOpener {
  private DatabaseOpener() {}

  /** Opens the database of a storage, or creates one there. */
  static Database open(Storage files, DatabaseOptions options) throws IOException {
    Storage storage = DatabaseFolder.deciphered(files, options.encryption().orElse(null));
    Telemetry telemetry = new Telemetry(storage.path(""), options);
    Database opened = null;
    try {
      opened = open(storage, options, telemetry);
      return opened;
    } finally {
      if (opened == null) {
        telemetry.close();
      }
    }
  }

  private static Database open(Storage storage, DatabaseOptions options, Telemetry telemetry)
      throws IOException {
    ProcessMemory.ofThisProcess().check(options);
    return options.readOnly()
        ? openReadOnly(
            storage,
            options,
            telemetry,
            opened -> new DatabaseEngine(new Generations(storage, opened)))
        : openLocked(storage, options, telemetry, DatabaseOpener::replayed);
  }

  private static Database replayed(Opened opened) {
    opened.parts.clock().startDropping();
    return new DatabaseEngine(opened.parts);
  }

  /**
   * Opens the database of a storage, which decrypts if needed, for writing what the log of another
   * one holds. Its tables may name functions that the options lack. Nothing that has expired is
   * dropped, because the log may go on with what deletes it.
   */
  static DatabaseEngine openToWrite(Storage storage, DatabaseOptions options) throws IOException {
    ProcessMemory.ofThisProcess().check(options);
    Telemetry telemetry = new Telemetry(storage.path(""), options);
    DatabaseEngine opened = null;
    try {
      opened =
          openLocked(
              storage,
              options,
              telemetry,
              database -> {
                database.parts.functions().allowMissing();
                return new DatabaseEngine(database.parts);
              });
      return opened;
    } finally {
      if (opened == null) {
        telemetry.close();
      }
    }
  }

  /**
   * An opened database.
   *
   * @param mark how far its manifest was
   */
  record Opened(EngineParts parts, RecordMark mark) {}

  /**
   * Opens the newest state of a folder for reading.
   *
   * @param whole creates what closes the database; if it throws, the database is closed
   */
  static <T> T openReadOnly(
      Storage storage, DatabaseOptions options, Telemetry telemetry, Function<Opened, T> whole)
      throws IOException {
    // Another process that writes to the folder may delete a file just before it is opened here. If
    // so, the manifest has changed.
    ReadOnlyFolder.Attempts attempts = new ReadOnlyFolder.Attempts(storage);
    while (true) {
      OverlayStorage overlay = new OverlayStorage(storage);
      try {
        return openLocked(overlay, options, telemetry, whole);
      } catch (NoSuchFileException | CorruptionException e) {
        attempts.failed(e);
      } finally {
        overlay.release();
      }
    }
  }

  private static <T> T openLocked(
      Storage storage, DatabaseOptions options, Telemetry telemetry, Function<Opened, T> whole)
      throws IOException {
    boolean mayBegin = options.createIfMissing() && !options.readOnly();
    DatabaseFolder.checkBeforeOpening(storage, mayBegin);
    boolean hadLock = storage.exists(DatabaseFolder.LOCK);
    Closeable lock = storage.lock(DatabaseFolder.LOCK);
    boolean opened = false;
    try {
      checkAgain(storage, mayBegin, hadLock);
      if (storage instanceof EncryptedStorage encrypted) {
        encrypted.unmarkIfPlain();
      }
      storage.createDirectories(WriteAheadLog.DIRECTORY);
      storage.createDirectories(StoreFiles.DIRECTORY);
      storage.syncDirectory("");
      T database = build(storage, options, lock, telemetry, whole);
      opened = true;
      return database;
    } finally {
      if (!opened) {
        lock.close();
      }
    }
  }

  /**
   * Checks the folder again, because a restore may have begun to fill it; from here on it would
   * find the lock. If it has, the folder is left as it was.
   */
  private static void checkAgain(Storage storage, boolean mayBegin, boolean hadLock)
      throws IOException {
    try {
      DatabaseFolder.checkBeforeOpening(storage, mayBegin);
    } catch (NotADatabaseException e) {
      if (!hadLock) {
        deleteLock(storage, e);
      }
      throw e;
    }
  }

  private static void deleteLock(Storage storage, NotADatabaseException reason) {
    try {
      storage.delete(DatabaseFolder.LOCK);
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  private static <T> T build(
      Storage storage,
      DatabaseOptions options,
      Closeable lock,
      Telemetry telemetry,
      Function<Opened, T> whole)
      throws IOException {
    if (!Manifest.exists(storage)) {
      Manifest manifest = Manifest.create(storage);
      EngineBuilder builder = null;
      try {
        builder = new EngineBuilder(storage, options, lock, manifest, KnownLogs.NONE, telemetry);
      } finally {
        if (builder == null) {
          manifest.close();
        }
      }
      return builder.build(parts -> whole.apply(new Opened(parts, RecordMark.NONE)));
    }
    ManifestContents contents;
    KnownLogs logs;
    if (storage instanceof OverlayStorage overlay) {
      contents = ReadOnlyFolder.hold(overlay).forReader();
      logs = ManifestLogRegister.logsOf(contents).until(contents.mark());
    } else {
      contents = DatabaseFolder.readWhole(storage);
      logs = ManifestLogRegister.logsOf(contents);
    }
    DatabaseFolder.checkTables(storage, contents.version());
    Manifest manifest = Manifest.open(storage, contents);
    return new EngineBuilder(storage, options, lock, manifest, logs, telemetry)
        .build(parts -> whole.apply(new Opened(parts, contents.mark())));
  }
}
