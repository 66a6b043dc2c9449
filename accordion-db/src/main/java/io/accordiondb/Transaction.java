// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes over any tables and stores that take effect together or not at all. Not
 * thread-safe: one thread at a time uses a transaction and the tables, stores and scanners that it
 * has given out.
 *
 * <p>Reads see the database as of the transaction's beginning, and the transaction's own writes.
 * Writes are kept in memory until the commit, which checks that no other write has come between, as
 * the {@link Isolation} demands, and then writes them as one batch. No lock is held before. A
 * transaction that conflicts fails with {@link TransactionConflictException}; conflicts are found
 * by row. Others never see a transaction in part.
 *
 * <pre>{@code
 * database.transact(
 *     transaction -> {
 *       KeyValueStore accounts = transaction.keyValueStore("accounts");
 *       accounts.increment(from, -amount);
 *       return accounts.increment(to, amount);
 *     });
 * }</pre>
 *
 * <p>A write that names no timestamp gets the time of the commit; until then the transaction sees
 * it at the time of its first write. Limits of rows, values and batches are checked when a write is
 * added; a write that is refused leaves the transaction as it was. All writes together may be as
 * long as one batch, {@link DatabaseOptions#batchBytesMax}.
 *
 * <p>A transaction keeps old versions from being dropped, as a {@link Snapshot} does, so end it
 * soon. Once it has ended, it and all that it has given out throw {@link ClosedException}. One that
 * is open when the database is closed is rolled back, and a warning is logged.
 */
public interface Transaction extends Closeable {
  /**
   * What {@link Database#transact} runs.
   *
   * @param <T> what it returns
   */
  @FunctionalInterface
  interface Body<T extends @Nullable Object> {
    /** Reads and writes; may be run several times, each time in a new transaction. */
    T run(Transaction transaction) throws IOException;
  }

  /**
   * Returns a table, bound to this transaction. Its reads refuse a snapshot by {@link
   * IllegalArgumentException}.
   *
   * @throws TableNotFoundException if there is none of this name
   */
  Table table(String name) throws IOException;

  /**
   * Returns a key-value store, bound to this transaction; it must exist already.
   *
   * @throws TableNotFoundException if there is none of this name
   * @throws FamilyNotFoundException if it is a table of other families
   */
  KeyValueStore keyValueStore(String name) throws IOException;

  /** Reads a row of a table; the commit checks the row as if the transaction had written it. */
  Result getForUpdate(String table, Get get) throws IOException;

  /**
   * Reads the value of a key, or null; the commit checks the key as if the transaction had written
   * it.
   *
   * @param store the name of a key-value store
   */
  byte @Nullable [] getForUpdate(String store, byte[] key) throws IOException;

  /** Returns the present point, to which {@link #rollbackTo} can return. */
  Savepoint savepoint();

  /**
   * Takes back the writes since a savepoint. The savepoint can be used again; those made after it
   * cannot. What was read stays read: the commit checks it as before.
   *
   * @throws IllegalArgumentException if the savepoint is of another transaction, or was made after
   *     one to which this transaction has been rolled back
   */
  void rollbackTo(Savepoint savepoint);

  /**
   * Commits with the strongest durability that any of the writes asks for. Whatever this throws,
   * the transaction has ended.
   *
   * @throws TransactionConflictException if another write came between; nothing was written
   * @throws DatabaseFailedException if the log has failed; the writes may be found after the next
   *     opening, all or none
   */
  void commit() throws IOException;

  /** Commits with a durability, as {@link #commit()} does. */
  void commit(Durability durability) throws IOException;

  /** Ends the transaction; its writes are forgotten. */
  void rollback();

  /** Rolls back unless the transaction has ended. Idempotent. */
  @Override
  void close();
}
