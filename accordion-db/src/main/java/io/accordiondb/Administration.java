// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Administers a database: creates and changes tables, splits and merges their regions, flushes and
 * compacts them, ingests files, copies the database, changes options, and returns statistics. Each
 * {@link Database} has these methods. Thread-safe.
 *
 * <p>The database flushes, compacts and splits regions by itself when they are due. Call the
 * methods for that only to choose the moment yourself.
 */
public interface Administration {
  /**
   * Creates a table.
   *
   * @param splitKeys rows at which a further region begins; none for a single region
   * @param descriptor name and families of the table
   * @throws TableExistsException if there is a table with this name
   */
  void createTable(TableDescriptor descriptor, byte[]... splitKeys) throws IOException;

  /**
   * Changes the families of a table: creates those that do not exist, drops those that the
   * descriptor does not have, and gives the others the attributes of the descriptor. Block size,
   * compression and Bloom filter apply to sorted tables that are written from then on; {@link
   * #majorCompact} rewrites the others. The memory of families that keep fewer versions than before
   * is flushed first; readers and writers of these wait for a moment.
   *
   * @param descriptor the name of the table, and the families that it should have
   * @throws IllegalArgumentException if a family would get another merge operator, or names an
   *     operator or a filter that the database does not know
   * @throws IOException if the storage fails
   */
  void alterTable(TableDescriptor descriptor) throws IOException;

  /**
   * Creates a table that holds what another one holds at one moment during this call: all cells
   * with their versions, timestamps and delete markers, in the same regions. No data is copied: the
   * tables share files until compactions rewrite them, and a file is deleted when no table uses it.
   * Readers and writers of the original wait for a moment.
   *
   * <p>A snapshot from before the copy finds the cells of that time in it, but not those that the
   * original had lost since by a truncation or with a family, and no exception says so.
   *
   * <p>A change feed does not deliver the cells of the copy, and a restore to a moment after the
   * copy needs a backup that has it, as after {@link #ingest}.
   *
   * @param original the name of the table to copy
   * @param copy the name of the copy, and the families of the original, whose attributes may differ
   * @throws TableExistsException if there is a table with the name of the copy
   * @throws IllegalArgumentException if the copy has other families than the original
   */
  void copyTable(String original, TableDescriptor copy) throws IOException;

  /**
   * Drops a table and all its cells.
   *
   * @param name the name of the table
   * @throws IOException if the storage fails
   */
  void dropTable(String name) throws IOException;

  /**
   * Drops all cells of a table; its families and regions stay. Reads of earlier snapshots, and
   * scans that are in progress, throw {@link HistoryLostException} when they need the cells.
   *
   * @param name the name of the table
   * @throws IOException if the storage fails
   */
  void truncateTable(String name) throws IOException;

  /**
   * {@return the descriptors of all tables in the order of their names}
   *
   * @throws IOException if the storage fails
   */
  List<TableDescriptor> tables() throws IOException;

  /**
   * {@return the descriptor of a table}
   *
   * @param name the name of the table
   * @throws IOException if the storage fails
   */
  TableDescriptor describe(String name) throws IOException;

  /**
   * {@return whether a table with this name exists}
   *
   * @param name the name of the table
   * @throws IOException if the storage fails
   */
  boolean exists(String name) throws IOException;

  /**
   * {@return the first row of each region of a table, in order; the first one is empty}
   *
   * @param table the name of the table
   * @throws IOException if the storage fails
   */
  List<byte[]> regionStarts(String table) throws IOException;

  /**
   * {@return the regions of a table, in order; they cover all rows}
   *
   * @param table the name of the table
   * @throws IOException if the storage fails
   */
  List<TableRegion> regions(String table) throws IOException;

  /**
   * Flushes a table, and splits the region of a row near the middle of its data.
   *
   * @param table the name of the table
   * @param row the row
   * @return false if the region has no row to split at, or was being changed
   * @throws IOException if the storage fails
   */
  boolean splitRegionAtMiddle(String table, byte[] row) throws IOException;

  /**
   * Splits the region of a row into two; the upper one begins with the row. No data is copied;
   * readers and writers of the region wait for a moment.
   *
   * @param table the name of the table
   * @param row the first row of the upper region, 1 to 32,767 bytes
   * @return false if a region begins with the row already, or the region was being changed
   * @throws IOException if the storage fails
   */
  boolean splitRegion(String table, byte[] row) throws IOException;

  /**
   * Merges the region of a row with the next one. No data is copied; readers and writers of both
   * wait for a moment.
   *
   * @param table the name of the table
   * @param row any row of the lower region
   * @return false if it is the last region, or one of the two was being changed
   * @throws IOException if the storage fails
   */
  boolean mergeRegions(String table, byte[] row) throws IOException;

  /**
   * Writes the memory of all tables to disk. When this returns, everything that was written before
   * the call is in files, including writes of {@link Durability#SKIP}.
   *
   * @throws IOException if a part could not be written; it stays in memory and readable, and the
   *     next flush tries again
   */
  void flush() throws IOException;

  /**
   * Writes the memory of a table to disk, as {@link #flush()} does for all tables.
   *
   * @param table the name of the table
   * @throws IOException if the storage fails
   */
  void flush(String table) throws IOException;

  /**
   * Seals the active segments of a table, which then move through the pipeline.
   *
   * @param table the name of the table
   * @throws IOException if the storage fails
   */
  void flushInMemory(String table) throws IOException;

  /**
   * Runs the compactions of a table that the compaction style of its families suggests.
   *
   * @param table the name of the table
   * @throws IOException if the storage fails
   */
  void compact(String table) throws IOException;

  /**
   * Merges all sorted tables of each store of a table, and drops delete markers that no longer hide
   * anything.
   *
   * @param table the name of the table
   * @throws IOException if the storage fails
   */
  void majorCompact(String table) throws IOException;

  /**
   * Cancels the compactions that are running, in the background and in {@link #compact}. Files stay
   * as they are; due compactions start again later.
   *
   * @throws IOException if the storage fails
   */
  void cancelCompactions() throws IOException;

  /**
   * Adds sorted files to a family of a table, atomically and durably, as the newest writes of their
   * cells. If several files have the same cell, that of the last file counts. Each file is read
   * once to verify it. If the file system supports it, the files are linked; do not change them
   * afterwards. An encrypted database copies and encrypts plain files, and accepts files that are
   * encrypted under its keys, such as those that a repair has put aside.
   *
   * @param files written by {@link SortedFileWriter}
   * @param table the name of the table
   * @param family the name of the family
   * @throws CorruptionException if a file is damaged; then none is added
   * @throws KeyUnavailableException if a file is encrypted, and its key is missing; then none is
   *     added
   * @throws IllegalArgumentException if a file has a cell that a {@link Put} would refuse, because
   *     of its lengths, its timestamp or its type; then none is added
   */
  void ingest(String table, String family, List<Path> files) throws IOException;

  /**
   * Writes a copy of the database, as of one moment during this call, to another folder, while
   * writes continue. If the file system supports it, sorted tables and log files are hard links.
   * Writes of {@link Durability#SKIP} are in the copy only if they were flushed.
   *
   * <p>A read-only database copies the present contents of its folder, which may be newer than what
   * it has read, even while another process writes there: sorted tables are linked, the log is
   * copied, and nothing in the folder changes. It refuses a log that it would refuse to open.
   *
   * <p>If the call fails, it deletes the files of the copy, and can be repeated with the same
   * folder. If the process is killed, the next call with the same folder deletes them.
   *
   * @param target an empty folder, which is created if it does not exist
   * @return the moment that the copy holds
   * @throws java.nio.file.DirectoryNotEmptyException if the folder is not empty
   * @throws IOException if the folder is in that of the database, or the storage fails
   */
  default Checkpoint checkpoint(Path target) throws IOException {
    return checkpoint(target, LogExtent.NEEDED);
  }

  /**
   * Same as {@link #checkpoint(Path)}, with the given extent of the log.
   *
   * @param target an empty folder, which is created if it does not exist
   * @param extent how much of the log is copied
   * @return the moment that the copy holds
   * @throws java.nio.file.DirectoryNotEmptyException if the folder is not empty
   * @throws IOException if the folder is in that of the database, or the storage fails
   */
  Checkpoint checkpoint(Path target, LogExtent extent) throws IOException;

  /**
   * {@return the present options}
   *
   * @throws IOException if the storage fails
   */
  DatabaseOptions options() throws IOException;

  /**
   * Changes options while reads and writes continue:
   *
   * <pre>{@code
   * database.reconfigure(options -> options.memoryBytes(64 << 20).compactionThreads(2));
   * }</pre>
   *
   * If the memory shrinks, it is freed by flushes and by the garbage collector; writers wait for
   * that as they do whenever memory is short. The memory can grow up to 12.8 GiB, or, if it was
   * larger at opening, up to the next of 25.6, 51.2, 102.4 and 200 GiB. A cache whose size changes
   * drops its single columns. Families without a policy of their own follow a new policy from the
   * next step of their memory store.
   *
   * @param change receives a builder with the present options and returns it, or another one
   * @throws IllegalArgumentException if an option has a value that is not allowed, or cannot change
   *     while the database is open: createIfMissing, readOnly, clock, recoveryMode,
   *     recoveryListener, logWriting, logFileBytes, asyncLogDelay, fileReading, openFilesMax,
   *     encryption, mergeOperator, compactionFilter, eventListener, jmx, experiment; then nothing
   *     changes
   * @throws IOException if the storage fails
   */
  void reconfigure(UnaryOperator<DatabaseOptions.Builder> change) throws IOException;

  /**
   * {@return what the database has done since it was opened, and its present state}
   *
   * @throws IOException if the storage fails
   */
  DatabaseStatistics statistics() throws IOException;

  /**
   * Resumes writes after a {@link WritesSuspendedException}. Otherwise they resume by themselves
   * within a second or two after the cause has passed. Does nothing if writes are not suspended.
   *
   * @throws WritesSuspendedException if the cause has not passed
   * @throws DatabaseFailedException if the database must be closed and opened again
   */
  void resume() throws IOException;
}
