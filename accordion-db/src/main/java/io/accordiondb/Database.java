// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An embedded database in a folder, or in memory ({@link #inMemory()}). Thread-safe. Only one
 * instance at a time, in one process, can have a folder open for writing.
 *
 * <p>The methods of {@link Administration} create, change and split tables, flush, compact and copy
 * them, change options, and return statistics.
 */
public interface Database extends Administration, Closeable {
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
   * @throws NotADatabaseException if the folder holds other things, if it is empty and {@link
   *     DatabaseOptions#createIfMissing} is false, or if the path leads to a file or over one
   * @throws DatabaseLockedException if the database is open already, in this process or another
   * @throws IllegalArgumentException if the process lacks the memory, or in other file systems
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
   * and changes nothing, so the folder may be read-only. Damage is reported, not thrown.
   *
   * @param path the folder of the database
   * @return what was found
   * @throws NotADatabaseException if the folder does not hold a database
   * @throws DatabaseLockedException if it is open
   * @throws KeyUnavailableException if it is encrypted
   * @throws FormatVersionException if a newer version has written its manifest or its log
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
   * @param progress receives the bytes of each sorted table that was read, on the calling thread
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
   * @throws FormatVersionException if a newer version has written a file; then nothing is lost
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
   *     unless the provider failed after the repair had begun, which can be repeated
   */
  static RepairReport repair(Path path, KeyProvider keys) throws IOException {
    return DatabaseProvider.find().repair(path, Objects.requireNonNull(keys, "keys"));
  }

  /**
   * {@return how many files of a database are encrypted under each key, by the name of the key;
   * plain files count under an empty name, and empty files do not count} No keys are needed, and
   * the database may be open. A key without files is no longer needed.
   *
   * @param path the folder of the database
   * @throws NotADatabaseException if the folder does not exist
   */
  static SortedMap<String, Integer> filesByKey(Path path) throws IOException {
    return DatabaseProvider.find().filesByKey(path);
  }

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
   * @param name the name of the store, or of a table with {@link KeyValueStore#FAMILY}
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
   * database.writeAsync(order, Durability.FSYNC).thenRun(this::acknowledge); // On the device.
   * }</pre>
   *
   * <p><b>Order.</b> Batches that one thread submits become visible in the order of submission. A
   * {@link #write} does not wait for earlier ones: wait for their stages if it must come later.
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
   * that is less; for the thread that completes stages, committed ones do not count. Beyond that
   * the call waits, unless there is no other batch, and where {@link #write} would be slowed down
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
   * @param fromSequence the lowest sequence number to deliver, at least 0; 0 for all ever written
   * @param tables names of tables; none for all tables
   * @return the feed
   * @throws ChangesLostException if the log begins later, or ends before the preceding number
   * @throws TableNotFoundException if one of the tables does not exist
   */
  ChangeFeed changes(long fromSequence, String... tables) throws IOException;

  /**
   * Opens a change feed that continues at the position of another feed of this database.
   *
   * @param token a token of {@link ChangeFeed#token}
   * @param tables names of tables; none for all tables
   * @return the feed
   * @throws IllegalArgumentException if this is not a token
   * @throws ChangesLostException if the log no longer has the record that the feed had passed last,
   *     as it is too old, of another database (unless it is the very first), or undone by a crash
   * @throws TableNotFoundException if one of the tables does not exist
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

  /** {@return the folder of the database; empty if it is in memory} */
  Optional<Path> folder();

  /**
   * Flushes all memory to disk and releases all resources, even if it throws. Idempotent. It waits
   * until the stages of all asynchronous writes are complete and dependent actions have run, unless
   * such an action calls it or takes longer than ten seconds. Calls of other threads that are
   * running take effect before it returns, or throw {@link DatabaseClosedException}.
   *
   * @throws IOException if a part could not be written: then writes of {@link Durability#SKIP} may
   *     be lost; the others are in the log
   * @throws DatabaseFailedException if the log or the manifest failed before: then writes that were
   *     not durable may be lost
   */
  @Override
  void close() throws IOException;
}
