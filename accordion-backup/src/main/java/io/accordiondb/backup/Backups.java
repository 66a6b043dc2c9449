// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.RestorePoint;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The backups of a database: many generations in one target, which share their common files.
 * Thread-safe. Only one backup or deletion at a time can run on a target, even among processes.
 *
 * <pre>{@code
 * Backups backups = Backups.at(BackupTarget.folder(Path.of("/backups/carts")));
 * Generation made = backups.create(database);           // While writes go on.
 * backups.keepNewest(7);
 * backups.restore(made.number(), Path.of("/restored")); // A folder that Database.open opens.
 * }</pre>
 *
 * <p>With {@link DatabaseOptions#logRetention} a backup also has the log that is kept, and {@link
 * #restore(RestorePoint, Path, DatabaseOptions, BackupOptions)} restores any moment between two
 * generations.
 *
 * <p>A backup holds the database as of one moment during the call, as a {@link Database#checkpoint}
 * does. An interrupted backup leaves no generation; the next one uses the files that it has copied.
 */
public final class Backups {
  private static final Logger LOG = LoggerFactory.getLogger(Backups.class);

  private final BackupTarget target;

  /** The contents of locks that could not be released. */
  private final Set<String> unreleased;

  private Backups(BackupTarget target) {
    this.target = target;
    this.unreleased =
        target instanceof FolderTarget folder ? folder.unreleased() : ConcurrentHashMap.newKeySet();
  }

  /**
   * {@return the backups of a target, which may be empty}
   *
   * @param target where the backups are kept
   */
  public static Backups at(BackupTarget target) {
    return new Backups(Objects.requireNonNull(target, "target"));
  }

  /**
   * Makes a backup with {@link BackupOptions#DEFAULTS}.
   *
   * @param database the open database to back up
   * @return the new generation
   * @throws IOException if the storage fails
   */
  public Generation create(Database database) throws IOException {
    return create(database, BackupOptions.DEFAULTS);
  }

  /**
   * Makes a backup. Files that the newest generation has are neither read nor copied again.
   *
   * @param database the open database to back up
   * @param options the speed limit, staging folder and progress listener
   * @return the new generation
   * @throws BackupLockedException if another backup or deletion is running
   * @throws IOException if the target is a folder of the database or of other things, or the folder
   *     for links holds other things, or a file could not be read or copied; then there is no new
   *     generation. Also if the backup could not delete its links to the files or release its lock;
   *     then there is one, which {@link #generations} shows
   */
  public Generation create(Database database, BackupOptions options) throws IOException {
    Objects.requireNonNull(database, "database");
    Objects.requireNonNull(options, "options");
    if (target instanceof FolderTarget folder) {
      folder.checkPlace(database.folder(), options.staging());
      Staging.checkApart(database, folder, options);
    }
    try (BackupLock lock = BackupLock.take(target, unreleased)) {
      Instant created = Instant.now();
      List<Long> numbers = numbers();
      long number = numbers.isEmpty() ? 1 : numbers.get(numbers.size() - 1) + 1;
      GenerationRecord last = newestReadable(numbers);
      try (Staging staging = Staging.of(database, target, options)) {
        BackupWriter writer = new BackupWriter(target, lock, staging, options, last);
        return writer.write(number, created).generation();
      }
    }
  }

  private @Nullable GenerationRecord newestReadable(List<Long> numbers) throws IOException {
    for (int i = numbers.size() - 1; i >= 0; i--) {
      try {
        return GenerationRecord.read(target, numbers.get(i));
      } catch (BackupDamagedException e) {
        LOG.warn("a generation is left aside: {}", e.getMessage());
      }
    }
    return null;
  }

  /**
   * {@return all generations that can be read, from the oldest to the newest}
   *
   * @throws IOException if the storage fails
   */
  public List<Generation> generations() throws IOException {
    return readable().stream().map(GenerationRecord::generation).toList();
  }

  /**
   * {@return what is wrong with the generations that {@link #generations} leaves out, because their
   * records are damaged; empty if there are none}
   *
   * @throws IOException if the storage fails
   */
  public List<String> problems() throws IOException {
    List<String> problems = new ArrayList<>();
    readAll(problems::add);
    return problems;
  }

  private List<GenerationRecord> readable() throws IOException {
    return readAll(damage -> LOG.warn("a generation is left out: {}", damage));
  }

  /** Reads all records, and passes on the message of each that is damaged. */
  private List<GenerationRecord> readAll(Consumer<String> damaged) throws IOException {
    List<GenerationRecord> records = new ArrayList<>();
    for (long number : numbers()) {
      try {
        records.add(GenerationRecord.read(target, number));
      } catch (NoSuchFileException e) {
        // Deleted since it was listed: this is called without the lock, too.
      } catch (BackupDamagedException e) {
        damaged.accept(String.valueOf(e.getMessage()));
      }
    }
    return records;
  }

  private List<Long> numbers() throws IOException {
    return NumberedObjects.numbers(target, GenerationRecord.OBJECTS);
  }

  /**
   * Restores a generation with {@link BackupOptions#DEFAULTS}.
   *
   * @param generation the number of the generation
   * @param folder an empty or missing folder
   * @throws IOException if the storage fails
   */
  public void restore(long generation, Path folder) throws IOException {
    restore(generation, folder, BackupOptions.DEFAULTS);
  }

  /**
   * Restores the database of a generation to a folder. Each file is compared with its SHA-256. If
   * anything fails, the folder is left empty.
   *
   * @param folder an empty or missing folder
   * @param generation the number of the generation
   * @param options the speed limit, staging folder and progress listener
   * @throws java.nio.file.DirectoryNotEmptyException if the folder holds anything
   * @throws GenerationNotFoundException if there is no such generation, or it is deleted while it
   *     is read
   * @throws BackupDamagedException if the target has lost or changed an object
   */
  public void restore(long generation, Path folder, BackupOptions options) throws IOException {
    Objects.requireNonNull(folder, "folder");
    Objects.requireNonNull(options, "options");
    checkOutside(folder);
    new BackupReader(target, read(generation), options).restore(folder, FollowedLog::isOfDatabase);
  }

  /**
   * Restores the database as it was at a moment between two generations. The database must have
   * been open with {@link DatabaseOptions#logRetention} when they were made. The earlier generation
   * is restored, and the log of the later one is applied to it. {@link io.accordiondb.RollForward}
   * says what the log does not hold. If a file of the earlier generation is damaged, a generation
   * before it is restored, and more of the log is applied. If the log is damaged, the log of a
   * later generation is applied. If anything else fails, or no other generations lead to the
   * moment, the folder is left empty.
   *
   * <p>If a database was restored from an earlier generation and went on, moments of it are
   * restored from its own beginning on. A time before that, but behind the last generation of the
   * database that it replaced, is refused. If the replaced database has no generation behind the
   * restored one, nothing in the target shows its later writes. Such a time then restores the
   * restored generation. A sequence number that both databases have is refused, too, as far as the
   * logs show both, unless two generations of the newest one lie around it, or it is that of a
   * generation, which may then be restored; a time tells them apart.
   *
   * <pre>{@code
   * backups.restore(
   *     RestorePoint.time(Instant.parse("2026-01-31T11:59:00Z")),
   *     Path.of("/restored"),
   *     DatabaseOptions.defaults(),
   *     BackupOptions.DEFAULTS);
   * }</pre>
   *
   * @param folder an empty or missing folder
   * @param database options for opening the database, with the keys that it needs; merge operators
   *     and compaction filters may be missing
   * @param point the moment to restore
   * @param options the speed limit, staging folder and progress listener
   * @return the last sequence number of the original database that the restored one holds
   * @throws java.nio.file.DirectoryNotEmptyException if the folder holds anything
   * @throws io.accordiondb.RestorePointException if the backups do not lead to that moment
   * @throws BackupDamagedException if the target has lost or changed an object, and no other
   *     generations lead to that moment
   */
  public long restore(
      RestorePoint point, Path folder, DatabaseOptions database, BackupOptions options)
      throws IOException {
    Objects.requireNonNull(point, "point");
    Objects.requireNonNull(folder, "folder");
    Objects.requireNonNull(database, "database");
    Objects.requireNonNull(options, "options");
    checkOutside(folder);
    return new PointRestore(target, readable(), point).into(folder, database, options);
  }

  /** Checks that a folder is not among the backups, where it would be in the way of later ones. */
  private void checkOutside(Path folder) throws IOException {
    if (target instanceof FolderTarget backups && Folders.isWithin(folder, backups.folder())) {
      throw new IOException(
          folder + " is in the folder of the backups; give a folder outside of it");
    }
  }

  /**
   * Reads each file of a generation and compares it with its SHA-256.
   *
   * @param generation the number of the generation
   * @param options the speed limit, staging folder and progress listener
   * @return what is wrong; empty if the generation can be restored
   * @throws GenerationNotFoundException if there is no such generation, or it is deleted while it
   *     is read
   * @throws BackupDamagedException if its record is damaged, which names the files
   */
  public List<String> verify(long generation, BackupOptions options) throws IOException {
    Objects.requireNonNull(options, "options");
    return new BackupReader(target, read(generation), options).problems();
  }

  private GenerationRecord read(long generation) throws IOException {
    try {
      return GenerationRecord.read(target, generation);
    } catch (NoSuchFileException e) {
      GenerationNotFoundException missing =
          new GenerationNotFoundException(target, generation, numbers());
      missing.initCause(e);
      throw missing;
    }
  }

  /**
   * Deletes a generation, and the files that no other generation needs. If it was the newest one,
   * the next backup has its number again.
   *
   * @param generation the number of the generation
   * @return how many bytes of files were deleted
   * @throws GenerationNotFoundException if there is no such generation
   * @throws BackupLockedException if a backup or another deletion is running
   */
  public long delete(long generation) throws IOException {
    try (BackupLock lock = BackupLock.take(target, unreleased)) {
      if (!numbers().contains(generation)) {
        read(generation);
      }
      target.delete(GenerationRecord.objectOf(generation));
      return deleteUnused(lock);
    }
  }

  /**
   * Deletes all generations but the newest ones. One whose record is damaged, or from a newer
   * version, does not count, so it never takes the place of one that can be restored. It stays, and
   * so do all files, until {@link #delete} removes it.
   *
   * @param count how many generations to keep, at least 1
   * @return how many bytes of files were deleted
   * @throws BackupLockedException if a backup or another deletion is running
   */
  public long keepNewest(int count) throws IOException {
    if (count < 1) {
      throw new IllegalArgumentException("count is " + count + ", expected at least 1");
    }
    try (BackupLock lock = BackupLock.take(target, unreleased)) {
      List<GenerationRecord> readable = readable();
      for (int i = 0; i < readable.size() - count; i++) {
        target.delete(GenerationRecord.objectOf(readable.get(i).number()));
      }
      return deleteUnused(lock);
    }
  }

  /**
   * Deletes the files of no generation; none while a generation cannot be read, and none that no
   * backup has written.
   */
  private long deleteUnused(BackupLock lock) throws IOException {
    Set<String> used = new HashSet<>();
    for (long number : numbers()) {
      try {
        GenerationRecord.read(target, number).files().forEach(file -> used.add(file.object()));
      } catch (BackupDamagedException e) {
        LOG.warn("no file is deleted, because the files of generation {} are unknown", number, e);
        return 0;
      }
    }
    long deleted = 0;
    // Files that no generation names yet may be those of another writer.
    lock.check();
    for (var object : target.list(FileEntry.OBJECTS).entrySet()) {
      if (FileEntry.isObject(object.getKey()) && !used.contains(object.getKey())) {
        target.delete(object.getKey());
        deleted += object.getValue();
      }
    }
    return deleted;
  }

  /**
   * Removes the lock of a backup that was killed on another machine. Do not call this while that
   * backup is running: it fails then.
   *
   * @throws IOException if the storage fails
   */
  public void breakLock() throws IOException {
    BackupLock.breakIn(target);
  }
}
