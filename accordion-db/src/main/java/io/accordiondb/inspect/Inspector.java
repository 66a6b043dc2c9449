// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

import io.accordiondb.KeyProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Shows what the folder of a database holds, as its manifest said when {@link #open} was called.
 * Changes nothing, and takes no lock, so the database may be open in this process or another; files
 * that it deletes meanwhile are told as missing. Holds no file open between calls. Belongs to one
 * thread.
 *
 * <p>Damage is no exception: methods tell it and go on with what is sound.
 */
public interface Inspector {
  /**
   * Reads the manifest of a database. If it is damaged, the tables and files are those of the part
   * that is sound, and {@link #damage} says so.
   *
   * @throws io.accordiondb.NotADatabaseException if the folder holds none
   * @throws io.accordiondb.KeyUnavailableException if it is encrypted
   */
  static Inspector open(Path folder) throws IOException {
    return InspectorProvider.find().open(Objects.requireNonNull(folder, "folder"), null);
  }

  /**
   * Same as {@link #open(Path)}, for a database that is or may be encrypted.
   *
   * @throws io.accordiondb.KeyUnavailableException if the provider does not have a key
   */
  static Inspector open(Path folder, KeyProvider keys) throws IOException {
    return InspectorProvider.find().open(folder, Objects.requireNonNull(keys, "keys"));
  }

  /** Returns what is wrong with the manifest; empty if it is sound. */
  List<Damage> damage();

  /** Returns all tables in the order of their identities. */
  List<TableOutline> tables();

  /** Returns all regions, table by table, in the order of their rows. */
  List<RegionOutline> regions();

  /** Returns the sorted tables of all stores in the order of their numbers. */
  List<FileOutline> files() throws IOException;

  /**
   * Returns the log files that are there, oldest first, those that are kept for change feeds too.
   */
  List<LogFileOutline> logFiles() throws IOException;

  /** Returns the manifest files that are there, oldest first, as paths below the folder. */
  List<String> manifestFiles() throws IOException;

  /**
   * Reads a sorted table, block by block.
   *
   * @param name below the folder, as {@code sst/000000000012.sst}; need not be in the manifest
   * @throws java.nio.file.NoSuchFileException if there is no such file
   */
  void readTable(String name, SortedTableVisitor visitor) throws IOException;

  /**
   * Reads the records of a log file.
   *
   * @param name below the folder, as {@code wal/000000000003.log}
   * @throws java.nio.file.NoSuchFileException if there is no such file
   */
  void readLog(String name, LogVisitor visitor) throws IOException;

  /**
   * Reads the records of a manifest file, up to the first that is damaged.
   *
   * @param name below the folder, as {@code MANIFEST-000000000001}
   * @throws java.nio.file.NoSuchFileException if there is no such file
   */
  void readManifest(String name, ManifestVisitor visitor) throws IOException;

  /**
   * Returns how much each store has in files and about how much of that is live: what a major
   * compaction would keep. The share is measured on ranges of rows that are spread evenly over the
   * largest file of the store, or over the whole store if that is small. Cells in memory and in the
   * log do not count.
   *
   * @param exact whether every cell is read instead, which takes as long as a compaction without
   *     its writes
   * @param nowMillis the time against which the time to live counts, in milliseconds since 1970
   * @param progress is given each store as soon as it is measured
   * @param damage is told of files that are damaged, which do not count
   */
  void measureStores(
      boolean exact, long nowMillis, Consumer<StoreSize> progress, Consumer<Damage> damage)
      throws IOException;

  /**
   * Returns the name below the folder of the sorted table, log or manifest file that a text names
   * by its path, its name or its number; null if there is none.
   */
  @Nullable String find(FileKind kind, String text) throws IOException;
}
