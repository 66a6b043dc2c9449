// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

import io.accordiondb.KeyProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Shows the contents of the folder of a database, as of the manifest when {@link #open} was called.
 * An inspector changes nothing and takes no lock, so the database may be open, in this process or
 * in another one; files that it deletes in the meantime are reported as missing. No file is open
 * between calls. An inspector belongs to one thread.
 *
 * <p>Damage does not cause exceptions: methods report it and continue with what is sound.
 */
public interface Inspector {
  /**
   * Reads the manifest of a database. If it is damaged, or the log shows that it has lost its end,
   * the tables and files are those of the part that is sound, and {@link #damage} says so.
   *
   * @param folder the folder of the database
   * @return the inspector
   * @throws io.accordiondb.NotADatabaseException if the folder holds no database
   * @throws io.accordiondb.KeyUnavailableException if it is encrypted
   */
  static Inspector open(Path folder) throws IOException {
    return InspectorProvider.find().open(Objects.requireNonNull(folder, "folder"), null);
  }

  /**
   * Same as {@link #open(Path)}, for a database that is or may be encrypted.
   *
   * @param folder the folder of the database
   * @param keys the provider of the keys; null for none
   * @return the inspector
   * @throws io.accordiondb.KeyUnavailableException if the provider does not have a key
   */
  static Inspector open(Path folder, KeyProvider keys) throws IOException {
    return InspectorProvider.find().open(folder, Objects.requireNonNull(keys, "keys"));
  }

  /**
   * Returns the number of the process in which a database is open for writing. A process of another
   * host, of another container or from before the last boot does not count, nor does one that got
   * the number of a process that has ended.
   *
   * @param folder the folder of the database
   * @return the number; empty if no process is known to have the database open
   * @throws IOException if the storage fails
   */
  static OptionalLong owner(Path folder) throws IOException {
    return InspectorProvider.find().owner(Objects.requireNonNull(folder, "folder"));
  }

  /** {@return what is wrong with the manifest; empty if it is sound} */
  List<Damage> damage();

  /** {@return all tables in the order of their identities} */
  List<TableOutline> tables();

  /** {@return all regions, table by table, in the order of their rows} */
  List<RegionOutline> regions();

  /**
   * {@return the sorted tables of all stores in the order of their numbers}
   *
   * @throws IOException if the storage fails
   */
  List<FileOutline> files() throws IOException;

  /**
   * {@return the existing log files, oldest first, including those that are kept for change feeds}
   *
   * @throws IOException if the storage fails
   */
  List<LogFileOutline> logFiles() throws IOException;

  /**
   * {@return the existing manifest files, oldest first, as paths relative to the folder}
   *
   * @throws IOException if the storage fails
   */
  List<String> manifestFiles() throws IOException;

  /**
   * Reads a sorted table, block by block.
   *
   * @param name relative to the folder, such as {@code sst/000000000012.sst}; it need not be in the
   *     manifest
   * @param visitor receives the contents, on the calling thread
   * @throws java.nio.file.NoSuchFileException if there is no such file
   */
  void readTable(String name, SortedTableVisitor visitor) throws IOException;

  /**
   * Reads the records of a log file.
   *
   * @param name relative to the folder, such as {@code wal/000000000003.log}
   * @param visitor receives the contents, on the calling thread
   * @throws java.nio.file.NoSuchFileException if there is no such file
   */
  void readLog(String name, LogVisitor visitor) throws IOException;

  /**
   * Reads the records of a manifest file, up to the first that is damaged.
   *
   * @param name relative to the folder, such as {@code MANIFEST-000000000001}
   * @param visitor receives the contents, on the calling thread
   * @throws java.nio.file.NoSuchFileException if there is no such file
   */
  void readManifest(String name, ManifestVisitor visitor) throws IOException;

  /**
   * Returns how much each store has in files, with an estimate of how much of that is live, that
   * is, of what a major compaction would keep. The estimate samples ranges of rows that are spread
   * evenly over the largest file of the store, or reads the whole store if it is small. Cells in
   * memory and in the log do not count.
   *
   * @param exact whether every cell is read instead, which takes as long as a compaction without
   *     its writes
   * @param nowMillis the time against which the time to live counts, in milliseconds since 1970
   * @param progress receives each store as soon as it is measured
   * @param damage receives the damage of files, which do not count
   * @throws IOException if the storage fails
   */
  void measureStores(
      boolean exact, long nowMillis, Consumer<StoreSize> progress, Consumer<Damage> damage)
      throws IOException;

  /**
   * {@return the name, relative to the folder, of the sorted table, log or manifest file that a
   * text names by its path, name or number; null if there is none}
   *
   * @param kind the kind of the file
   * @param text a path, a name or a number
   * @throws IOException if the storage fails
   */
  @Nullable String find(FileKind kind, String text) throws IOException;
}
