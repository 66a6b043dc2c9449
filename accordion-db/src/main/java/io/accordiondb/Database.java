// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An embedded database in a folder, or in memory ({@link #inMemory()}). Thread-safe. Only one
 * instance at a time, in one process, can have a folder open for writing.
 *
 * <p>Longer than 400 lines because it is one thing: all that can be done with a database is
 * described here, once.
 */
public interface Database extends Closeable {
  /**
   * Opens the database in a folder with all defaults, and creates it if it does not exist.
   *
   * @param path the folder; created if it does not exist and {@link
   *     DatabaseOptions#createIfMissing} is true
   * @return the database
   * @throws IOException if the storage fails
   */
  static Database open(Path path) throws IOException {
    return open(path, DatabaseOptions.defaults());
  }

  /**
   * Opens the database in a folder.
   *
   * @param path the folder; created if it does not exist and {@link
   *     DatabaseOptions#createIfMissing} is true
   * @param options the options of the database
   * @return the database
   * @throws NotADatabaseException if the folder holds other things, or if it is empty and {@link
   *     DatabaseOptions#createIfMissing} is false
   * @throws DatabaseLockedException if the database is open already, in this process or in another
   *     one
   * @throws IllegalArgumentException if the memory of the options exceeds what the process can have
   * @throws CorruptionException if a file is damaged
   */
  static Database open(Path path, DatabaseOptions options) throws IOException {
    return DatabaseProvider.find().open(path, options);
  }

  /**
   * Creates an empty database in memory with all defaults; see {@link #inMemory(DatabaseOptions)}.
   *
   * @return the database
   * @throws IOException if the storage fails
   */
  static Database inMemory() throws IOException {
    return inMemory(DatabaseOptions.defaults());
  }

  /**
   * Creates an empty database in memory, for tests and for data that may be lost. It is the same
   * engine, with flushes and compactions in the background, but without a folder, a file or a lock.
   * Each call creates another database. It ends with the process or with {@link #close}, which
   * writes nothing and frees all memory.
   *
   * <pre>{@code
   * try (Database database = Database.inMemory()) {
   *   database.keyValueStore("sessions").put(key, value);
   *   database.checkpoint(Path.of("kept")); // A copy in a folder, which Database.open opens.
   * }
   * }</pre>
   *
   * <p>All data counts against the heap ({@code -Xmx}): sorted tables, compressed as on disk, and
   * the log, which is kept as short as {@link DatabaseOptions#memoryBytes} even if {@link
   * DatabaseOptions#logBytesMax} allows more. Memory stores and block cache are where they are for
   * a database on disk. If the heap is full, flushes fail and writers get an {@link IOException} or
   * an {@link OutOfMemoryError}.
   *
   * <p>Each {@link Durability} is accepted and has no effect, except that a {@link #checkpoint}
   * holds writes of {@link Durability#SKIP} only if they were flushed.
   *
   * @param options the options of the database
   * @return the database
   * @throws IllegalArgumentException if the options are read-only, or their memory exceeds what the
   *     process can have
   * @throws IOException if the storage fails
   */
  static Database inMemory(DatabaseOptions options) throws IOException {
    return DatabaseProvider.find().inMemory(Objects.requireNonNull(options, "options"));
  }

  /**
   * Verifies a database that is not open: reads every byte of its manifest, sorted tables and log,
   * and changes nothing. Damage is reported, not thrown.
   *
   * @param path the folder of the database
   * @return what was found
   * @throws NotADatabaseException if the folder does not hold a database
   * @throws DatabaseLockedException if it is open
   * @throws KeyUnavailableException if it is encrypted
   */
  static VerificationReport verify(Path path) throws IOException {
    return verify(path, null, bytes -> {});
  }

  /**
   * Same as {@link #verify(Path)}, for a database that is or may be encrypted.
   *
   * @param path the folder of the database
   * @param keys the provider of the keys
   * @return what was found
   * @throws KeyUnavailableException if the provider does not have a key
   */
  static VerificationReport verify(Path path, KeyProvider keys) throws IOException {
    return verify(path, Objects.requireNonNull(keys, "keys"), bytes -> {});
  }

  /**
   * Same as {@link #verify(Path, KeyProvider)}, and reports its progress.
   *
   * @param keys null for a database that is not encrypted
   * @param progress receives the bytes of each sorted table after it has been read, on the calling
   *     thread
   * @param path the folder of the database
   * @return what was found
   * @throws IOException if the storage fails
   */
  static VerificationReport verify(Path path, @Nullable KeyProvider keys, LongConsumer progress)
      throws IOException {
    return DatabaseProvider.find().verify(path, keys, Objects.requireNonNull(progress, "progress"));
  }

  /**
   * Repairs a damaged database so that it opens. It keeps the sound parts of the manifest, of the
   * sorted tables, block by block, and of the log, and moves everything else to the folder "lost".
   * A sound database stays as it is. Try it on a copy first.
   *
   * @param path the folder of the database
   * @return what was done
   * @throws NotADatabaseException if the folder does not hold a database
   * @throws DatabaseLockedException if it is open
   * @throws KeyUnavailableException if it is encrypted
   */
  static RepairReport repair(Path path) throws IOException {
    return DatabaseProvider.find().repair(path, null);
  }

  /**
   * Same as {@link #repair(Path)}, for a database that is or may be encrypted.
   *
   * @param path the folder of the database
   * @param keys the provider of the keys
   * @return what was done
   * @throws KeyUnavailableException if the provider does not have a key; then nothing was changed
   */
  static RepairReport repair(Path path, KeyProvider keys) throws IOException {
    return DatabaseProvider.find().repair(path, Objects.requireNonNull(keys, "keys"));
  }

  /**
   * {@return how many files of a database are encrypted under each key, by the name of the key;
   * plain files are counted under an empty name} No keys are needed, and the database may be open.
   * A key without files is no longer needed.
   *
   * @param path the folder of the database
   * @throws NotADatabaseException if the folder does not exist
   */
  static SortedMap<String, Integer> filesByKey(Path path) throws IOException {
    return DatabaseProvider.find().filesByKey(path);
  }

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
   * that as they do whenever memory is short. A cache whose size changes drops its single columns.
   * Families without a policy of their own follow a new policy from the next step of their memory
   * store.
   *
   * @param change receives a builder with the present options and returns it, or another one
   * @throws IllegalArgumentException if an option has a value that is not allowed, or cannot change
   *     while the database is open: createIfMissing, readOnly, clock, recoveryMode,
   *     recoveryListener, logWriting, logFileBytes, asyncLogDelay, fileReading, openFilesMax,
   *     experiment; then nothing changes
   * @throws IOException if the storage fails
   */
  void reconfigure(UnaryOperator<DatabaseOptions.Builder> change) throws IOException;

  /**
   * {@return the table with this name}
   *
   * @param name the name of the table
   * @throws IOException if the storage fails
   */
  Table table(String name) throws IOException;

  /**
   * Opens the key-value store with this name, and creates it if it does not exist.
   *
   * @param name the name of the store
   * @return the store
   * @throws IOException if the storage fails
   */
  KeyValueStore keyValueStore(String name) throws IOException;

  /**
   * Opens the key-value store with this name, and creates it with these options if it does not
   * exist. The options of an existing store do not change.
   *
   * @param options options of the family {@link KeyValueStore#FAMILY}
   * @param name the name of the store
   * @return the store
   * @throws IllegalArgumentException if the options are those of a family with another name
   * @throws IOException if the storage fails
   */
  KeyValueStore keyValueStore(String name, FamilyDescriptor options) throws IOException;

  /**
   * Creates a table.
   *
   * @param splitKeys rows at which a further region begins; none for a single region
   * @param descriptor name and families of the table
   * @throws TableExistsException if there is a table with this name
   */
  void createTable(TableDescriptor descriptor, byte[]... splitKeys) throws IOException;

  /**
   * Changes the families of a table: creates those that do not exist, and drops those that the
   * descriptor does not have.
   *
   * @param descriptor the name of the table, and the families that it should have
   * @throws IOException if the storage fails
   */
  void alterTable(TableDescriptor descriptor) throws IOException;

  /**
   * Creates a table that holds what another one holds at one moment during this call: all cells
   * with their versions, timestamps and delete markers, in the same regions. No data is copied: the
   * tables share files until compactions rewrite them, and a file is deleted when no table uses it.
   * Readers and writers of the original wait for a moment.
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
   * Writes a batch atomically, with the strongest durability that any of its changes has.
   *
   * @param batch the changes; not modified
   * @throws IOException if the storage fails
   */
  void write(WriteBatch batch) throws IOException;

  /**
   * Writes a batch atomically, with a durability.
   *
   * @param batch the changes; not modified
   * @param durability what is guaranteed when the call returns
   * @throws IOException if the storage fails
   */
  void write(WriteBatch batch, Durability durability) throws IOException;

  /**
   * Submits a batch and returns without waiting for the device. The batch has the strongest
   * durability that any of its changes has. The stage completes when the batch is visible and that
   * durable. One force of the log may serve many batches.
   *
   * <pre>{@code
   * database
   *     .writeAsync(new WriteBatch().put(orders, key, value), Durability.FSYNC)
   *     .thenRun(() -> acknowledge(key)); // The batch is on the device.
   * }</pre>
   *
   * <p><b>Order.</b> Batches that one thread submits become visible in the order of submission. A
   * {@link #write} does not wait for batches that were submitted before it: wait for their stages
   * if it must come later. The batch is copied: the caller may change or clear it after the call.
   *
   * <p><b>Errors.</b> Errors that are known at the call are thrown by the call: a closed, read-only
   * or failed database, an unknown table or family, a batch that is too large. Later errors
   * complete the stage with the exception that {@link #write} would have thrown. After a failure of
   * the log, all batches in flight fail, each with a {@link DatabaseFailedException}.
   *
   * <p><b>Threads.</b> One thread of the database completes all stages, in the order in which the
   * batches became visible, and runs the actions that depend on them. Slow actions delay later
   * stages, but not commits; use the {@code Async} methods of {@link CompletionStage} for long
   * work. Completing or cancelling the stage does not stop the write.
   *
   * <p><b>Limits.</b> The batches whose stages are not complete take at most {@link
   * DatabaseOptions#batchBytesMax} bytes, or a sixteenth of {@link DatabaseOptions#memoryBytes} if
   * that is less. Beyond that the call waits, as it does where {@link #write} would be slowed down
   * for lack of memory. It also waits if the batch deletes the newest version of a column, which
   * must be read first: then it writes the batch before it returns.
   *
   * @param batch the changes; copied, so the caller may change or clear it after the call
   * @return a stage that completes when the batch is visible and durable
   * @throws IOException if the storage fails
   */
  CompletionStage<@Nullable Void> writeAsync(WriteBatch batch) throws IOException;

  /**
   * Submits a batch with a durability, as {@link #writeAsync(WriteBatch)} does.
   *
   * @param batch the changes; copied, so the caller may change or clear it after the call
   * @param durability what is guaranteed when the stage completes
   * @return a stage that completes when the batch is visible and durable
   * @throws IOException if the storage fails
   */
  CompletionStage<@Nullable Void> writeAsync(WriteBatch batch, Durability durability)
      throws IOException;

  /**
   * Begins a transaction at {@link Isolation#SNAPSHOT}. The caller must end it.
   *
   * @return the transaction
   * @throws IOException if the storage fails
   */
  default Transaction beginTransaction() throws IOException {
    return beginTransaction(Isolation.SNAPSHOT);
  }

  /**
   * Begins a transaction. The caller must end it.
   *
   * @param isolation which conflicts the commit detects
   * @return the transaction
   * @throws IOException if the storage fails
   */
  Transaction beginTransaction(Isolation isolation) throws IOException;

  /**
   * Runs a body in a transaction at {@link Isolation#SNAPSHOT}, and commits.
   *
   * @param <T> the type of the result
   * @param body the reads and writes; it may run several times
   * @return the result of the body
   * @throws IOException if the storage fails
   */
  default <T extends @Nullable Object> T transact(Transaction.Body<T> body) throws IOException {
    return transact(Isolation.SNAPSHOT, body);
  }

  /**
   * Runs a body in a transaction, commits, and returns the result of the body. After a {@link
   * TransactionConflictException}, or if a table was truncated during the transaction, it waits for
   * a short random time, which grows with each attempt, and runs the body again in a new
   * transaction. It gives up after 100 attempts or 10 seconds, whichever comes first.
   *
   * @param <T> the type of the result
   * @param body must neither end the transaction nor pass it on; if it throws, the transaction is
   *     rolled back
   * @param isolation which conflicts the commit detects
   * @return the result of the body
   * @throws TransactionConflictException if the last attempt failed with it
   * @throws HistoryLostException if the last attempt failed with it
   */
  <T extends @Nullable Object> T transact(Isolation isolation, Transaction.Body<T> body)
      throws IOException;

  /**
   * Takes a snapshot of the whole database. The caller must close it.
   *
   * @return the snapshot
   * @throws IOException if the storage fails
   */
  Snapshot snapshot() throws IOException;

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
   * Adds sorted files to a family of a table, atomically and durably, as the newest writes of their
   * cells. Each file is read once to verify it. If the file system supports it, the files are
   * linked; do not change them afterwards.
   *
   * @param files written by {@link SortedFileWriter}
   * @param table the name of the table
   * @param family the name of the family
   * @throws CorruptionException if a file is damaged; then none is added
   * @throws IllegalArgumentException if a file has a cell that a {@link Put} would refuse, because
   *     of its lengths, its timestamp or its type; then none is added
   */
  void ingest(String table, String family, List<Path> files) throws IOException;

  /**
   * Cancels the compactions that are running, in the background and in {@link #compact}. Files stay
   * as they are; due compactions start again later.
   *
   * @throws IOException if the storage fails
   */
  void cancelCompactions() throws IOException;

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
   * Writes a copy of the database, as of one moment during this call, to another folder, while
   * writes continue. If the file system supports it, sorted tables and log files are hard links.
   * Writes of {@link Durability#SKIP} are in the copy only if they were flushed.
   *
   * <p>A read-only database copies the present contents of its folder, which may be newer than what
   * it has read, even while another process writes there: sorted tables are linked, the log is
   * copied, and nothing in the folder changes.
   *
   * @param target an empty folder, which is created if it does not exist
   * @return the moment that the copy holds
   * @throws java.nio.file.DirectoryNotEmptyException if the folder is not empty
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
   * @throws IOException if the storage fails
   */
  Checkpoint checkpoint(Path target, LogExtent extent) throws IOException;

  /**
   * Opens a change feed of what is written from now on.
   *
   * @param tables names of tables; none for all tables, including those that are created later
   * @return the feed
   * @throws TableNotFoundException if one of the tables does not exist
   * @throws ReadOnlyDatabaseException if the database is read-only
   */
  ChangeFeed changes(String... tables) throws IOException;

  /**
   * Opens a change feed that begins at a sequence number.
   *
   * @param fromSequence the lowest sequence number to deliver, at least 0; 0 for everything that
   *     was ever written
   * @param tables names of tables; none for all tables
   * @return the feed
   * @throws ChangesLostException if the log does not go back that far
   */
  ChangeFeed changes(long fromSequence, String... tables) throws IOException;

  /**
   * Opens a change feed that continues at the position of another feed of this database.
   *
   * @param token a token of {@link ChangeFeed#token}
   * @param tables names of tables; none for all tables
   * @return the feed
   * @throws IllegalArgumentException if this is not a token
   * @throws ChangesLostException if the log does not go back that far, if the token is of another
   *     database, or if a loss of power has undone the change
   */
  ChangeFeed changesAfter(String token, String... tables) throws IOException;

  /**
   * Moves a read-only database to the present contents of its folder, which another process may be
   * writing to. Tables and stores that were obtained before read the new state from then on. Open
   * scanners, cursors and snapshots keep the old one; a later refresh frees its files and memory
   * after they have been closed.
   *
   * <pre>{@code
   * try (Database reader =
   *     Database.open(folder, DatabaseOptions.builder().readOnly(true).build())) {
   *   KeyValueStore carts = reader.keyValueStore("carts");
   *   carts.get(key);          // As of the opening.
   *   if (reader.refresh()) {
   *     carts.get(key);        // As of the refresh.
   *   }
   * }
   * }</pre>
   *
   * <p>This takes as long as opening, because it replays the log. While it runs, memory and caches
   * exist twice; the new caches are empty. If nothing was written, it returns at once. If it fails,
   * reads continue with the old state.
   *
   * @return whether there is a new state; false for a database that is open for writing, which
   *     always sees the newest state
   * @throws IOException if the storage fails
   */
  boolean refresh() throws IOException;

  /**
   * Resumes writes after a {@link WritesSuspendedException}. Otherwise they resume by themselves
   * within a second or two after the cause has passed. Does nothing if writes are not suspended.
   *
   * @throws WritesSuspendedException if the cause has not passed
   * @throws DatabaseFailedException if the database must be closed and opened again
   */
  void resume() throws IOException;

  /** {@return the folder of the database; empty if it is in memory} */
  Optional<Path> folder();

  /**
   * {@return what the database has done since it was opened, and its present state}
   *
   * @throws IOException if the storage fails
   */
  DatabaseStatistics statistics() throws IOException;

  /**
   * Flushes all memory to disk and releases all resources, even if it throws. Idempotent. It waits
   * until the stages of all asynchronous writes are complete and dependent actions have run, unless
   * such an action calls it.
   *
   * @throws IOException if a part could not be written: then writes of {@link Durability#SKIP} may
   *     be lost; the others are in the log
   * @throws DatabaseFailedException if the log or the manifest failed before: then writes that were
   *     not durable may be lost
   */
  @Override
  void close() throws IOException;
}
