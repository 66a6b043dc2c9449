// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes over any tables and stores that take effect together or not at all; with {@link
 * Durability#SKIP}, a crash may leave a part of the writes. Not thread-safe: only one thread at a
 * time may use a transaction and the tables, stores and scanners obtained from it.
 *
 * <p>Reads see the database as of the beginning of the transaction, and the transaction's own
 * writes. Writes are kept in memory until the commit. The commit checks, as the {@link Isolation}
 * demands, that no conflicting write has been committed since, and then writes them as one batch. A
 * transaction holds no locks. If there is a conflict, the commit throws {@link
 * TransactionConflictException}; conflicts are found by row. Other readers never see a part of a
 * transaction.
 *
 * <p>No write waits for the end of a transaction. Writes of one of its rows that follow one another
 * closely may therefore overtake it in each attempt of {@link Database#transact}, which gives up in
 * the end. Increments, appends and checks of a {@link Table} do not give up: writes of the row that
 * overtake one again and again wait for it.
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
 * <p>A write without a timestamp gets the time of the commit, and its time to live begins then.
 * Until then the transaction sees it with the time of its own first write, and it does not expire.
 * Limits of rows, values and batches are checked when a write is added; a refused write leaves the
 * transaction unchanged. All writes together may be as large as one batch, {@link
 * DatabaseOptions#batchBytesMax}.
 *
 * <p>A transaction keeps the versions that it reads from being dropped, as a {@link Snapshot} does,
 * so end it soon. After its end, the transaction and everything obtained from it throw {@link
 * ClosedException}. A transaction that is open when the database is closed is rolled back, and a
 * warning is logged.
 */
public interface Transaction extends Closeable {
  /**
   * The body that {@link Database#transact} runs.
   *
   * @param <T> the type of the result
   */
  @FunctionalInterface
  interface Body<T extends @Nullable Object> {
    /**
     * Reads and writes. It may run several times, each time in a new transaction.
     *
     * @param transaction the open transaction; must not be used after the call
     * @return the result of the body
     * @throws IOException if the storage fails
     */
    T run(Transaction transaction) throws IOException;
  }

  /**
   * {@return a table, bound to this transaction} Reads that name a snapshot throw {@link
   * IllegalArgumentException}.
   *
   * @param name the name of the table
   * @throws TableNotFoundException if there is no table of this name
   */
  Table table(String name) throws IOException;

  /**
   * {@return a key-value store, bound to this transaction; it must exist already}
   *
   * @param name the name of the store
   * @throws TableNotFoundException if there is no table of this name
   * @throws FamilyNotFoundException if it is a table without the family {@link
   *     KeyValueStore#FAMILY}
   */
  KeyValueStore keyValueStore(String name) throws IOException;

  /**
   * Reads a row of a table; the commit checks the row as if the transaction had written it.
   *
   * @param table the name of the table
   * @param get the query; must not name a snapshot
   * @return the cells of the row
   * @throws IOException if the storage fails
   */
  Result getForUpdate(String table, Get get) throws IOException;

  /**
   * Reads the value of a key, or null; the commit checks the key as if the transaction had written
   * it.
   *
   * @param store the name of a key-value store
   * @param key the key, 1 to 32,767 bytes
   * @return the value, or null if there is none
   * @throws IOException if the storage fails
   */
  byte @Nullable [] getForUpdate(String store, byte[] key) throws IOException;

  /** {@return the present point, for {@link #rollbackTo}} */
  Savepoint savepoint();

  /**
   * Rolls back the writes since a savepoint. The savepoint can be used again; later ones cannot.
   * Reads are not rolled back: the commit checks them as before. Scanners, iterators and cursors
   * that are open continue as if the writes had never been made; what they have already read stays.
   *
   * @param savepoint a savepoint of this transaction
   * @throws IllegalArgumentException if the savepoint is of another transaction, or was made after
   *     one to which this transaction has been rolled back
   */
  void rollbackTo(Savepoint savepoint);

  /**
   * Commits with the strongest durability that any of the writes has. The transaction has ended
   * afterwards, even if this throws.
   *
   * @throws TransactionConflictException if there is a conflict; nothing was written
   * @throws WriteStalledException if the commit has waited too long; nothing was written
   * @throws ValueTooLargeException if the options were lowered since a write was added; nothing was
   *     written
   * @throws WritesSuspendedException if writes are refused at present; once they resume, nothing of
   *     the transaction is there
   * @throws DatabaseFailedException if the log has failed; after the next opening either all or
   *     none of the writes are there
   */
  void commit() throws IOException;

  /**
   * Commits with a durability, as {@link #commit()} does.
   *
   * @param durability what is guaranteed when the call returns
   * @throws IOException if the storage fails
   */
  void commit(Durability durability) throws IOException;

  /** Ends the transaction and discards its writes. */
  void rollback();

  /** Rolls back unless the transaction has ended. Idempotent. */
  @Override
  void close();
}
