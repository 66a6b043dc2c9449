// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transaction;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.HistoryLostException;
import io.accordiondb.Isolation;
import io.accordiondb.Transaction;
import io.accordiondb.TransactionConflictException;
import io.accordiondb.internal.clock.DatabaseClock;
import io.accordiondb.internal.commit.CommitPipeline;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.commit.ReadPoints.ReadPoint;
import io.accordiondb.internal.function.IoSupplier;
import io.accordiondb.internal.maintenance.FlushScheduler;
import io.accordiondb.internal.maintenance.WriteControl;
import io.accordiondb.internal.table.OpenTables;
import io.accordiondb.internal.table.TableReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins the transactions of a database, retries them after conflicts, and tracks which are open.
 * Thread-safe.
 */
public final class Transactions {
  private static final Logger LOG = LoggerFactory.getLogger(Transactions.class);

  /** Of so many transactions that are open on closing, the log says where they began. */
  private static final int LOGGED_MAX = 10;

  private final OpenTables tables;
  private final TableReader reader;
  private final Supplier<DatabaseOptions> options;
  private final ReadPoints readPoints;
  private final DatabaseClock clock;
  private final TransactionCommit committer;
  private final Set<EngineTransaction> open = ConcurrentHashMap.newKeySet();

  /**
   * Creates the transactions of a database.
   *
   * @param awaitTurns lets read-modify-writes of some rows end first that were overtaken often
   */
  public Transactions(
      TableReader reader,
      Supplier<DatabaseOptions> options,
      CommitPipeline pipeline,
      ReadPoints readPoints,
      WriteControl control,
      DatabaseClock clock,
      FlushScheduler flushes,
      Consumer<List<byte[]>> awaitTurns) {
    this.tables = reader.tables();
    this.reader = reader;
    this.options = options;
    this.readPoints = readPoints;
    this.clock = clock;
    this.committer =
        new TransactionCommit(
            tables,
            options,
            pipeline,
            readPoints,
            control,
            clock,
            flushes,
            awaitTurns,
            reader.operations(),
            reader.corruptions());
  }

  /** Begins a transaction. */
  public Transaction begin(Isolation isolation) {
    Objects.requireNonNull(isolation, "isolation");
    tables.checkOpen();
    ReadPoint snapshot = readPoints.enter();
    boolean begun = false;
    try {
      ReadSet read = new ReadSet();
      TransactionState state = new TransactionState(snapshot);
      TransactionReads reads =
          new TransactionReads(
              tables, reader, readPoints, state, isolation == Isolation.SERIALIZABLE ? read : null);
      TransactionWrites writes = new TransactionWrites(tables, reads, options, clock, state);
      EngineTransaction transaction =
          new EngineTransaction(tables, state, reads, writes, read, committer, open::remove);
      open.add(transaction);
      begun = true;
      return transaction;
    } finally {
      if (!begun) {
        snapshot.close();
      }
    }
  }

  /**
   * Runs a body in a transaction and commits, and again after a conflict or a truncation.
   *
   * @param begin begins a transaction
   */
  public static <T extends @Nullable Object> T run(
      IoSupplier<Transaction> begin, Transaction.Body<T> body) throws IOException {
    Objects.requireNonNull(body, "body");
    Backoff backoff = new Backoff(System.nanoTime());
    while (true) {
      try (Transaction transaction = begin.get()) {
        T result = body.run(transaction);
        transaction.commit();
        return result;
      } catch (TransactionConflictException | HistoryLostException e) {
        if (!backoff.pause()) {
          throw e;
        }
      } catch (UncheckedIOException e) {
        // Iterators wrap what their table throws.
        if (!(e.getCause() instanceof HistoryLostException lost)) {
          throw e;
        }
        if (!backoff.pause()) {
          throw lost;
        }
      }
    }
  }

  /** Rolls back the transactions that are open, when the database is closed. */
  public void close() {
    int abandoned = 0;
    for (EngineTransaction transaction : open) {
      if (transaction.abandon() && ++abandoned <= LOGGED_MAX) {
        LOG.warn(
            "the database is closed with a transaction open, which is rolled back",
            transaction.begun());
      }
    }
    if (abandoned > LOGGED_MAX) {
      LOG.warn("{} more transactions were open and are rolled back", abandoned - LOGGED_MAX);
    }
  }
}
