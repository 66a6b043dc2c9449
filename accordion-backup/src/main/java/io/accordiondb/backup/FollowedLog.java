// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.RestorePoint;
import io.accordiondb.RestorePointException;
import io.accordiondb.RollForward;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The log of one generation, and copies of others that follow it. To plan, it copies only the
 * manifest and the log of a generation. Belongs to one thread.
 */
final class FollowedLog {
  private static final String KEPT = "kept/";
  private static final String NEEDED = "wal/";
  private static final String TABLES = "sst/";

  /** Without it, a log that cannot be decrypted would be taken for another one. */
  private static final String ENCRYPTED = "ENCRYPTED";

  private final BackupTarget target;
  private final BackupOptions options;
  private final DatabaseOptions database;
  private final Path copy;
  private final Path log;
  private @Nullable GenerationRecord source;

  /**
   * How a generation follows the log to a moment.
   *
   * @param needsKept whether its copy needs the log that was kept
   */
  record Way(
      GenerationRecord from, RestorePoint to, boolean needsKept, RollForward.Plan toMoment) {}

  /**
   * Creates a log that is not read yet.
   *
   * @param work a folder for the log and the copies, which need not exist
   */
  FollowedLog(BackupTarget target, BackupOptions options, DatabaseOptions database, Path work) {
    this.target = target;
    this.options = options;
    this.database = database;
    this.copy = work.resolve("database");
    this.log = work.resolve("log");
  }

  /** Returns whether a file of a generation belongs to the database, not to the log alone. */
  static boolean isOfDatabase(String name) {
    return !name.startsWith(KEPT);
  }

  /** Returns whether a file of a generation is a part of the log, or says that it is encrypted. */
  private static boolean isOfLog(String name) {
    return name.startsWith(KEPT) || name.startsWith(NEEDED) || name.equals(ENCRYPTED);
  }

  /** Reads the log of a generation, in the place of one that was read before. */
  void read(GenerationRecord generation) throws IOException {
    Folders.delete(log);
    reader(generation).restore(log, FollowedLog::isOfLog);
    source = generation;
  }

  /** Returns the generation whose log was read. */
  GenerationRecord source() {
    return Objects.requireNonNull(source, "source");
  }

  /** Returns the folder of the copy. */
  Path copy() {
    return copy;
  }

  /**
   * Finds out how a generation follows the log.
   *
   * @throws RestorePointException if the log does not lead from it to the moment
   */
  Way plan(GenerationRecord from, RestorePoint to) throws IOException {
    try {
      return plan(from, to, false);
    } catch (RestorePointException e) {
      if (from.files().stream().allMatch(file -> isOfDatabase(file.name()))) {
        throw e;
      }
    }
    // The last note of a backup that a reader has made may be in the log that was kept.
    return plan(from, to, true);
  }

  private Way plan(GenerationRecord from, RestorePoint to, boolean kept) throws IOException {
    Predicate<String> isWanted = name -> !name.startsWith(TABLES) && (kept || isOfDatabase(name));
    Folders.delete(copy);
    reader(from).restore(copy, isWanted);
    return new Way(from, to, kept, RollForward.plan(copy, log, to, database));
  }

  /** Restores a generation and has it follow the log; returns the last sequence number. */
  long apply(Way way) throws IOException {
    Folders.delete(copy);
    reader(way.from).restore(copy, name -> way.needsKept || isOfDatabase(name));
    long end = RollForward.apply(copy, log, way.to, database);
    if (way.needsKept) {
      Folders.delete(copy.resolve(KEPT));
    }
    return end;
  }

  private BackupReader reader(GenerationRecord generation) {
    return new BackupReader(target, generation, options);
  }
}
