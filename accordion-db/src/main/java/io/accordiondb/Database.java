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
 * process, and one instance in it, has a folder open.
 *
 * <p>Longer than 400 lines because it is one thing: all that can be done with a database is
 * described here, once.
 */
public interface Database extends Closeable {
  /** Opens the database in a folder, which is created if it is missing, with all defaults. */
  static Database open(Path path) throws IOException {
    return open(path, DatabaseOptions.defaults());
  }

  /**
   * Opens the database in a folder.
   *
   * @throws NotADatabaseException if the folder holds other things, or nothing and none is to be
   *     created
   * @throws DatabaseLockedException if it is open already, in this process or another
   * @throws IllegalArgumentException if the process cannot have the memory that the options ask for
   * @throws CorruptionException if a file does not hold what it must
   */
  static Database open(Path path, DatabaseOptions options) throws IOException {
    return DatabaseProvider.find().open(path, options);
  }

  /** Begins an empty database in memory, with all defaults: {@link #inMemory(DatabaseOptions)}. */
  static Database inMemory() throws IOException {
    return inMemory(DatabaseOptions.defaults());
  }

  /**
   * Begins an empty database in memory, for tests and for data that may be lost: the same engine,
   * with flushes and compactions in the background, but without a folder, a file or a lock file.
   * Each call begins a database of its own. It ends with the process or with {@link #close}, which
   * writes nothing and gives back all memory.
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
   * DatabaseOptions#logBytesMax} allows more. Memory stores and block cache lie where they lie for
   * a database on disk. When the heap is full, flushes fail and writers get an {@link IOException}
   * or an {@link OutOfMemoryError}.
   *
   * <p>Each {@link Durability} is accepted and says nothing. Only {@link #checkpoint} tells them
   * apart: a write of {@link Durability#SKIP} is in the copy if it was flushed.
   *
   * @throws IllegalArgumentException if the options ask for a read-only database, or for memory
   *     that the process cannot have
   */
  static Database inMemory(DatabaseOptions options) throws IOException {
    return DatabaseProvider.find().inMemory(Objects.requireNonNull(options, "options"));
  }

  /**
   * Reads every byte of a database that is not open, and changes none: manifest, sorted tables and
   * log. Damage is reported, not thrown.
   *
   * @throws NotADatabaseException if the folder holds none
   * @throws DatabaseLockedException if it is open
   * @throws KeyUnavailableException if it is encrypted
   */
  static VerificationReport verify(Path path) throws IOException {
    return verify(path, null, bytes -> {});
  }

  /**
   * Same as {@link #verify(Path)}, for a database that is or may be encrypted.
   *
   * @throws KeyUnavailableException if the provider does not have a key
   */
  static VerificationReport verify(Path path, KeyProvider keys) throws IOException {
    return verify(path, Objects.requireNonNull(keys, "keys"), bytes -> {});
  }

  /**
   * Same as {@link #verify(Path, KeyProvider)}, and tells how far it is.
   *
   * @param keys null for a database that is not encrypted
   * @param progress is given the bytes of each sorted table that was read, on the calling thread
   */
  static VerificationReport verify(Path path, @Nullable KeyProvider keys, LongConsumer progress)
      throws IOException {
    return DatabaseProvider.find().verify(path, keys, Objects.requireNonNull(progress, "progress"));
  }

  /**
   * Makes a damaged database one that opens: takes the manifest, the sorted tables, block by block,
   * and the log as far as they are sound, and puts what is not into the folder "lost". A sound
   * database stays as it is. Try it on a copy first.
   *
   * @throws NotADatabaseException if the folder holds none
   * @throws DatabaseLockedException if it is open
   * @throws KeyUnavailableException if it is encrypted
   */
  static RepairReport repair(Path path) throws IOException {
    return DatabaseProvider.find().repair(path, null);
  }

  /**
   * Same as {@link #repair(Path)}, for a database that is or may be encrypted.
   *
   * @throws KeyUnavailableException if the provider does not have a key; then nothing was changed
   */
  static RepairReport repair(Path path, KeyProvider keys) throws IOException {
    return DatabaseProvider.find().repair(path, Objects.requireNonNull(keys, "keys"));
  }

  /**
   * Returns how many files of a database are encrypted under each key, by its name, in order; those
   * that are plain have an empty name. Needs no keys; the database may be open. A key that has no
   * file is not needed any more.
   *
   * @throws NotADatabaseException if the folder does not exist
   */
  static SortedMap<String, Integer> filesByKey(Path path) throws IOException {
    return DatabaseProvider.find().filesByKey(path);
  }

  /** Returns the options as they are now. */
  DatabaseOptions options() throws IOException;

  /**
   * Changes options while reads and writes go on:
   *
   * <pre>{@code
   * database.reconfigure(options -> options.memoryBytes(64 << 20).compactionThreads(2));
   * }</pre>
   *
   * Less memory is given back as flushes and the garbage collector free it; writers wait for that
   * as they do whenever memory is short. A changed cache begins without single columns. What tables
   * without a policy of their own have in memory follows a new policy from its next step on.
   *
   * @param change gets a builder with the present options and returns it, or another one
   * @throws IllegalArgumentException if an option has a value that it cannot have, or is one that
   *     has its effect at opening: createIfMissing, readOnly, clock, recoveryMode,
   *     recoveryListener, logWriting, logFileBytes, asyncLogDelay, fileReading, openFilesMax,
   *     experiment; then nothing has changed
   */
  void reconfigure(UnaryOperator<DatabaseOptions.Builder> change) throws IOException;

  /** Returns a table by its name. */
  Table table(String name) throws IOException;

  /** Opens the key-value store with this name, and creates it if it does not exist. */
  KeyValueStore keyValueStore(String name) throws IOException;

  /**
   * Returns a table without columns by its name, which is created with options of its own if it is
   * missing. One that is there stays as it is.
   *
   * @param options of the family {@link KeyValueStore#FAMILY}
   * @throws IllegalArgumentException if they are of a family of another name
   */
  KeyValueStore keyValueStore(String name, FamilyDescriptor options) throws IOException;

  /**
   * Creates a table.
   *
   * @param splitKeys rows at which a new region begins; none for one region
   * @throws TableExistsException if there is a table of this name
   */
  void createTable(TableDescriptor descriptor, byte[]... splitKeys) throws IOException;

  /** Changes a table's families: those missing are created, those left out dropped. */
  void alterTable(TableDescriptor descriptor) throws IOException;

  /** Drops a table and all its cells. */
  void dropTable(String name) throws IOException;

  /**
   * Drops all cells of a table; its families and regions stay. A snapshot that was taken before, or
   * a scan under way, then throws {@link HistoryLostException} when it needs the cells.
   */
  void truncateTable(String name) throws IOException;

  /** Returns all tables in the order of their names. */
  List<TableDescriptor> tables() throws IOException;

  /** Returns a table's configuration. */
  TableDescriptor describe(String name) throws IOException;

  /** Returns whether there is a table of a name. */
  boolean exists(String name) throws IOException;

  /** Writes a batch atomically, with the strongest durability that any of its changes asks for. */
  void write(WriteBatch batch) throws IOException;

  /** Writes a batch atomically, with a durability. */
  void write(WriteBatch batch, Durability durability) throws IOException;

  /**
   * Submits a batch and returns without waiting for the device. The batch has the strongest
   * durability that any of its changes asks for. The stage completes when the batch is visible and
   * that durable. One force of the log may serve many batches.
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
   * <p><b>Errors.</b> What is known at the call is thrown by the call: a closed, read-only or
   * failed database, an unknown table or family, a batch that is too large. What happens later
   * completes the stage with the exception that {@link #write} would have thrown. After a failure
   * of the log, all batches in flight fail, each with a {@link DatabaseFailedException}.
   *
   * <p><b>Threads.</b> One thread of the database completes all stages, in the order in which the
   * batches became visible, and runs what depends on them. If that is slow, later stages wait for
   * it, but commits do not; use the {@code Async} methods of {@link CompletionStage} for long work.
   * Completing or cancelling the stage does not stop the write.
   *
   * <p><b>Limits.</b> The batches whose stages are not complete take at most {@link
   * DatabaseOptions#batchBytesMax} bytes, or a sixteenth of {@link DatabaseOptions#memoryBytes} if
   * that is less. Beyond that the call waits, as it does where {@link #write} would be slowed down
   * for lack of memory. It also waits if the batch deletes the newest version of a column, which
   * must be read first: then it writes the batch before it returns.
   */
  CompletionStage<@Nullable Void> writeAsync(WriteBatch batch) throws IOException;

  /** Submits a batch with a durability, as {@link #writeAsync(WriteBatch)} does. */
  CompletionStage<@Nullable Void> writeAsync(WriteBatch batch, Durability durability)
      throws IOException;

  /** Begins a transaction at {@link Isolation#SNAPSHOT}. The caller must end it. */
  default Transaction beginTransaction() throws IOException {
    return beginTransaction(Isolation.SNAPSHOT);
  }

  /** Begins a transaction. The caller must end it. */
  Transaction beginTransaction(Isolation isolation) throws IOException;

  /** Runs a body in a transaction at {@link Isolation#SNAPSHOT}, and commits. */
  default <T extends @Nullable Object> T transact(Transaction.Body<T> body) throws IOException {
    return transact(Isolation.SNAPSHOT, body);
  }

  /**
   * Runs a body in a transaction, commits, and returns what the body has returned. After a {@link
   * TransactionConflictException}, or if a table was truncated meanwhile, it waits for a short
   * random time, longer from one attempt to the next, and runs the body again in a new transaction.
   * It gives up after 100 attempts or 10 seconds, whichever comes first.
   *
   * @param body must not end the transaction, nor let it out; if it throws, the transaction is
   *     rolled back
   * @throws TransactionConflictException the last one, when it gives up
   * @throws HistoryLostException the last one, likewise
   */
  <T extends @Nullable Object> T transact(Isolation isolation, Transaction.Body<T> body)
      throws IOException;

  /** Takes a snapshot of the whole database. The caller must close it. */
  Snapshot snapshot() throws IOException;

  /**
   * Writes the memory of all tables to disk. When this returns, all that was written before the
   * call is in files, also what was written with {@link Durability#SKIP}.
   *
   * @throws IOException if not all of it could be written; the rest stays in memory, readable, and
   *     is tried again by the next flush
   */
  void flush() throws IOException;

  /** Writes the memory of a table to disk, as {@link #flush()} does for all tables. */
  void flush(String table) throws IOException;

  /** Seals the active segments of a table, which then move through the pipeline. */
  void flushInMemory(String table) throws IOException;

  /** Merges those sorted tables of a table that the style of its families suggests. */
  void compact(String table) throws IOException;

  /** Merges all sorted tables of a table, and drops the delete markers that hide nothing more. */
  void majorCompact(String table) throws IOException;

  /**
   * Takes sorted files into a family of a table as they are, all in one step and durably, as the
   * newest writes of their cells. Each is read once, to verify it. Where the file system can, the
   * files are linked, and must not be changed afterwards.
   *
   * @param files written by {@link SortedFileWriter}
   * @throws CorruptionException if one is damaged; then none is taken
   * @throws IllegalArgumentException if one has a cell that a {@link Put} would refuse, by its
   *     lengths, its timestamp or its type; then none is taken
   */
  void ingest(String table, String family, List<Path> files) throws IOException;

  /**
   * Gives up the compactions that are running, in the background and in {@link #compact}; files
   * stay as they are. What is due is begun again later.
   */
  void cancelCompactions() throws IOException;

  /** Returns the first rows of a table's regions, in order; that of the first one is empty. */
  List<byte[]> regionStarts(String table) throws IOException;

  /**
   * Splits the region that has a row in two, of which the upper one begins with the row. No data is
   * copied; readers and writers of the region wait for a moment.
   *
   * @return false if a region begins with the row already, or the region was changed just then
   */
  boolean splitRegion(String table, byte[] row) throws IOException;

  /**
   * Merges the region that has a row with the next one. No data is copied; readers and writers of
   * both wait for a moment.
   *
   * @return false if it is the last one, or one of them was changed just then
   */
  boolean mergeRegions(String table, byte[] row) throws IOException;

  /**
   * Writes a copy of the database, as it is at one moment of this call, into another folder, while
   * writes go on. Where the file system can, sorted tables and log files are hard links. What was
   * written with {@link Durability#SKIP} is in it only as far as it was flushed.
   *
   * <p>A database that is open for reading only copies what its folder holds now, which may be
   * newer than what it has read, while another process writes there: sorted tables are linked, the
   * log is copied, and nothing is changed in the folder.
   *
   * @param target an empty folder, which is created if it is missing
   * @return the moment that the copy holds
   * @throws java.nio.file.DirectoryNotEmptyException if it holds anything
   */
  default Checkpoint checkpoint(Path target) throws IOException {
    return checkpoint(target, LogExtent.NEEDED);
  }

  /** Same as {@link #checkpoint(Path)}, with as much of the log as is wanted. */
  Checkpoint checkpoint(Path target, LogExtent extent) throws IOException;

  /**
   * Follows what is written from now on.
   *
   * @param tables their names; none for all tables, also those that are created later
   * @throws TableNotFoundException if there is no such table
   * @throws ReadOnlyDatabaseException if the database was opened for reading only
   */
  ChangeFeed changes(String... tables) throws IOException;

  /**
   * Follows what was written with sequence numbers at or above one, and what is written from now
   * on.
   *
   * @param fromSequence at least 0; 0 for all that was ever written
   * @param tables their names; none for all tables
   * @throws ChangesLostException if the log does not go back that far
   */
  ChangeFeed changes(long fromSequence, String... tables) throws IOException;

  /**
   * Follows what was written behind the change to which a feed had come, of this database.
   *
   * @param token of {@link ChangeFeed#token}
   * @param tables their names; none for all tables
   * @throws IllegalArgumentException if that is no token
   * @throws ChangesLostException if the log does not go back that far, if the token is of another
   *     database, or if a loss of power has undone the change
   */
  ChangeFeed changesAfter(String token, String... tables) throws IOException;

  /**
   * Has a database that is open for reading only see what the folder holds now, while another
   * process writes to it. Tables and stores obtained before read the new state from then on;
   * scanners, cursors and snapshots that are open keep the old one, whose files and memory are
   * given back by a later refresh once they are closed.
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
   * <p>Takes as long as opening, because it replays the log; while it runs, memory and caches are
   * there twice, and the caches begin empty. If nothing was written, it returns at once. If it
   * fails, the old state is read as before.
   *
   * @return whether there is something new; false for a database that is open for writing, which
   *     always sees the newest state
   */
  boolean refresh() throws IOException;

  /**
   * Lets writes in again after a {@link WritesSuspendedException}, which otherwise happens by
   * itself within a second or two of its cause having passed. Does nothing if writes are taken.
   *
   * @throws WritesSuspendedException if the cause has not passed
   * @throws DatabaseFailedException if the database must be closed and opened again
   */
  void resume() throws IOException;

  /** Returns the folder of the database; empty if it is in memory. */
  Optional<Path> folder();

  /** Returns what the database has done since it was opened, and how it stands. */
  DatabaseStatistics statistics() throws IOException;

  /**
   * Writes everything to disk and gives back all resources, also if it throws. Idempotent. It waits
   * until the stages of all asynchronous writes are complete and what depends on them has run,
   * unless it is called by what depends on one.
   *
   * @throws IOException if not all could be written: then writes of {@link Durability#SKIP} may be
   *     lost; the others are in the log
   * @throws DatabaseFailedException if log or manifest have failed before: then writes that were
   *     not durable may be lost
   */
  @Override
  void close() throws IOException;
}
