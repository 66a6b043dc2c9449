// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.folder;

import io.accordiondb.CorruptionException;
import io.accordiondb.KeyProvider;
import io.accordiondb.NotADatabaseException;
import io.accordiondb.internal.crypt.EncryptedStorage;
import io.accordiondb.internal.manifest.CurrentFile;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.ManifestContents;
import io.accordiondb.internal.manifest.ManifestFile;
import io.accordiondb.internal.manifest.ManifestSalvage;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.storage.FileStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.LogWitness;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Names and checks the contents of a database's folder. */
public final class DatabaseFolder {
  /** The file that carries the lock. */
  public static final String LOCK = "LOCK";

  /** The folder into which a repair moves files that are not sound. */
  public static final String LOST = "lost";

  /** The file that marks a copy of a database that is not complete. */
  public static final String UNFINISHED = "COPY.unfinished";

  /** The names of journals of interrupted imports. */
  private static final Pattern IMPORT_JOURNAL = Pattern.compile("import-[0-9a-f]{1,8}");

  private DatabaseFolder() {}

  /**
   * Returns the files of a folder, as they are.
   *
   * @throws NotADatabaseException if there is no such folder
   */
  public static FileStorage existing(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      throw new NotADatabaseException(folder.toString(), "the folder does not exist");
    }
    return new FileStorage(folder);
  }

  /**
   * Returns the files of a folder as if they were plain; see {@link #deciphered}.
   *
   * @throws NotADatabaseException if there is no such folder
   */
  public static Storage existing(Path folder, @Nullable KeyProvider keys) throws IOException {
    Storage storage = deciphered(existing(folder), keys);
    if (storage instanceof EncryptedStorage encrypted) {
      // A file that cannot be decrypted must not be reported as damaged.
      encrypted.checkKeys();
    }
    return storage;
  }

  /**
   * Returns a storage in which the files of a database are read and written as if they were plain.
   *
   * @param keys under which they are encrypted, or null
   * @throws io.accordiondb.KeyUnavailableException if there are encrypted files but no keys
   */
  public static Storage deciphered(Storage storage, @Nullable KeyProvider keys) throws IOException {
    return EncryptedStorage.over(
        storage, keys, name -> name.startsWith(StoreFiles.DIRECTORY + "/"));
  }

  /**
   * Checks that a folder holds a database or, if one may be created, nothing except what a crash
   * during the creation leaves.
   */
  public static void checkBeforeOpening(Storage storage, boolean mayBegin) throws IOException {
    if (Manifest.exists(storage)) {
      return;
    }
    checkFinished(storage);
    if (!mayBegin) {
      if (!ManifestSalvage.numbers(storage).isEmpty()) {
        // Throws an exception that says what to do.
        Manifest.read(storage);
      }
      throw new NotADatabaseException(storage.path(""), "it has no file CURRENT");
    }
    for (String name : storage.list("")) {
      // A crash during the creation of a database leaves some of these files, all of them empty.
      boolean ours =
          name.equals(LOCK)
              || name.equals(EncryptedStorage.MARKER)
              || name.equals(WriteAheadLog.DIRECTORY)
              || name.equals(StoreFiles.DIRECTORY)
              || name.startsWith(ManifestFile.PREFIX)
              || name.equals(CurrentFile.NEW_NAME);
      if (!ours) {
        throw new NotADatabaseException(
            storage.path(""), "it has no file CURRENT, but holds \"" + name + "\"");
      }
    }
    if (!ManifestSalvage.newest(storage, note -> {}).version().tables().isEmpty()) {
      throw new NotADatabaseException(
          storage.path(""), "it has no file CURRENT, but a manifest; repair the database");
    }
    for (String directory : List.of(WriteAheadLog.DIRECTORY, StoreFiles.DIRECTORY)) {
      if (storage.exists(directory) && !storage.list(directory).isEmpty()) {
        throw new NotADatabaseException(
            storage.path(""),
            "it has no file CURRENT, but files in " + directory + "; if it was one, repair it");
      }
    }
  }

  /**
   * Reads the manifest, and checks that neither it nor the log is older than the other.
   *
   * @throws CorruptionException if the manifest is damaged or has lost its end
   */
  public static ManifestContents readWhole(Storage storage) throws IOException {
    ManifestContents contents = ManifestContents.read(storage);
    checkAgainstLog(storage, contents);
    return contents;
  }

  /**
   * Checks that all sorted tables of a version exist.
   *
   * @throws CorruptionException if one is missing
   */
  public static void checkTables(Storage storage, Version version) throws IOException {
    Set<String> present = Set.copyOf(storage.list(StoreFiles.DIRECTORY));
    for (FileRecord file : version.files()) {
      String name = StoreFiles.nameOf(file.backingNumber());
      if (!present.contains(name.substring(name.indexOf('/') + 1))) {
        throw new CorruptionException(
            storage.path(name),
            0,
            "a sorted table, which the manifest names",
            "no file; repair the database");
      }
    }
  }

  /**
   * Checks that a manifest is not older than the log.
   *
   * @throws CorruptionException if it is
   */
  public static void checkAgainstLog(Storage storage, ManifestContents contents)
      throws IOException {
    long highestLog = contents.version().highestLog();
    LogWitness.of(storage, highestLog).check(contents.path(), contents.mark(), highestLog);
  }

  /**
   * Checks that a copy of a database is to lie outside of its folder, where it would be taken for a
   * part of the database, and be lost with it.
   *
   * @param target where the copy is to be; may be missing
   */
  public static void checkOutside(Path folder, Path target) throws IOException {
    Path there = target.toAbsolutePath();
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    if (there != null
        && Files.exists(folder)
        && there.toRealPath().startsWith(folder.toRealPath())) {
      throw new IOException(
          target + " is in the folder of the database, " + folder + "; give another folder");
    }
  }

  /**
   * Deletes the journals of interrupted imports, which say what the database holds, because it may
   * have lost some of that.
   */
  public static void deleteImportJournals(Storage storage) throws IOException {
    for (String name : storage.list("")) {
      if (IMPORT_JOURNAL.matcher(name).matches()) {
        storage.delete(name);
      }
    }
    storage.syncDirectory("");
  }

  /** Checks that a folder holds a database, or remains of one. */
  public static void checkBeforeReading(Storage storage) throws IOException {
    if (Manifest.exists(storage)) {
      return;
    }
    checkFinished(storage);
    if (!storage.isDirectory(StoreFiles.DIRECTORY) && ManifestSalvage.numbers(storage).isEmpty()) {
      throw new NotADatabaseException(storage.path(""), "it has neither CURRENT nor sorted tables");
    }
  }

  private static void checkFinished(Storage storage) throws IOException {
    if (storage.exists(UNFINISHED)) {
      throw new NotADatabaseException(
          storage.path(""),
          "it is a copy that was not completed; make it again, into this folder, or delete "
              + UNFINISHED
              + " and repair what is there");
    }
  }
}
