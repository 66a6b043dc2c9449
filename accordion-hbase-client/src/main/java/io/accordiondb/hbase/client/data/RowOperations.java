// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.Isolation;
import io.accordiondb.Mutation;
import io.accordiondb.hbase.client.catalog.CatalogTable;
import io.accordiondb.hbase.client.data.MutationConversion.PutTimestamps;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Executes operations on single rows of one table. Everything that synchronous, asynchronous and
 * buffered writers do with rows comes here. Thread-safe.
 *
 * <p>Plain puts and deletes are one atomic write. Operations that depend on the row's contents run
 * in a transaction of the database, which starts again if another write has changed the row.
 */
final class RowOperations {
  /** Overtaken this number of times, a change of a row has plain writes of the row wait. */
  private static final int ATTEMPTS_BEFORE_TURN = 8;

  private final Session session;
  private final TableName name;

  RowOperations(Session session, TableName name) {
    this.session = session;
    this.name = name;
  }

  /** Returns the name of the table. */
  TableName name() {
    return name;
  }

  /** Executes an operation of any kind that a batch can have. */
  Object execute(Row action) throws IOException {
    if (action instanceof Get get) {
      return get(get);
    } else if (action instanceof Put put) {
      // The caller has checked it, perhaps by a limit of its own.
      write(put);
      return Result.EMPTY_RESULT;
    } else if (action instanceof Delete delete) {
      delete(delete);
      return Result.EMPTY_RESULT;
    } else if (action instanceof Increment increment) {
      return increment(increment);
    } else if (action instanceof Append append) {
      return append(append);
    } else if (action instanceof RowMutations mutations) {
      return mutateRow(mutations);
    } else if (action instanceof CheckAndMutate change) {
      return checkAndMutate(change);
    }
    throw new UnsupportedOperationException(
        "a batch cannot execute " + action.getClass().getName());
  }

  /** Reads a row. */
  Result get(Get get) throws IOException {
    return Failures.translatedResult(
        name,
        () -> {
          CatalogTable table = session.open(name);
          List<Cell> cells =
              ScanRows.readRow(
                  table.table(),
                  table.descriptor(),
                  new Scan(get),
                  () -> new Snapshots.Held(session.database().snapshot()));
          return get.isCheckExistenceOnly()
              ? CellConversion.existence(!cells.isEmpty())
              : CellConversion.result(cells);
        });
  }

  void put(Put put) throws IOException {
    MutationConversion.validate(put, session.settings().keyValueBytesMax());
    write(put);
  }

  void delete(Delete delete) throws IOException {
    write(delete);
  }

  private void write(org.apache.hadoop.hbase.client.Mutation mutation) throws IOException {
    Failures.translated(
        name,
        () -> {
          CatalogTable table = session.open(name);
          write(table, converted(table, mutation));
        });
  }

  /** Returns a put or delete as the database has it. */
  static List<Mutation> converted(
      CatalogTable table, org.apache.hadoop.hbase.client.Mutation mutation) throws IOException {
    return MutationConversion.convert(mutation, table.descriptor(), PutTimestamps.LATEST);
  }

  /** Writes puts and deletes of any rows atomically. */
  void write(CatalogTable table, List<Mutation> mutations) throws IOException {
    session.rowLocks().awaitTurns(name, mutations);
    Lock writing = session.catalog().beginWrite(table);
    try {
      table.table().mutate(mutations);
    } finally {
      writing.unlock();
    }
  }

  Result increment(Increment increment) throws IOException {
    return modify(List.of(checked(increment)), increment.getRow()).result();
  }

  Result append(Append append) throws IOException {
    return modify(List.of(checked(append)), append.getRow()).result();
  }

  /** Returns an increment or append; refuses one without columns. */
  static <M extends org.apache.hadoop.hbase.client.Mutation> M checked(M mutation) {
    if (mutation.numFamilies() == 0) {
      throw new IllegalArgumentException(
          "Invalid arguments to " + mutation + ", zero columns specified");
    }
    return mutation;
  }

  /**
   * Applies mutations of one row atomically; returns what increments and appends return. The result
   * says that the row exists, as HBase's does.
   */
  Result mutateRow(RowMutations mutations) throws IOException {
    List<org.apache.hadoop.hbase.client.Mutation> list = validated(mutations);
    Result result = modify(list, mutations.getRow()).result();
    if (result.isEmpty()) {
      return CellConversion.existence(true);
    }
    result.setExists(true);
    return result;
  }

  private List<org.apache.hadoop.hbase.client.Mutation> validated(Row action) {
    validate(action);
    return action instanceof RowMutations many
        ? many.getMutations()
        : List.of((org.apache.hadoop.hbase.client.Mutation) action);
  }

  /** Checks the puts of an action as HBase's client does before it sends it. */
  void validate(Row action) {
    if (action instanceof Put put) {
      MutationConversion.validate(put, session.settings().keyValueBytesMax());
    } else if (action instanceof RowMutations many) {
      many.getMutations().forEach(this::validate);
    } else if (action instanceof CheckAndMutate change) {
      validate(change.getAction());
    }
  }

  /** Changes a row if a condition holds. */
  CheckAndMutateResult checkAndMutate(CheckAndMutate change) throws IOException {
    List<org.apache.hadoop.hbase.client.Mutation> mutations = validated(change.getAction());
    return inTransaction(
        change.getRow(),
        (table, descriptor) -> {
          MutationConversion.checkWritable(descriptor);
          RowCheck check = RowCheck.of(change, table, descriptor);
          if (!check.holds()) {
            return new CheckAndMutateResult(false, null);
          }
          RowUpdate update = new RowUpdate(table, descriptor, check.timestamp());
          update.apply(mutations);
          return new CheckAndMutateResult(true, update.depends() ? update.result() : null);
        });
  }

  private RowUpdate modify(List<org.apache.hadoop.hbase.client.Mutation> mutations, byte[] row)
      throws IOException {
    return inTransaction(
        row,
        (table, descriptor) -> {
          RowUpdate update = new RowUpdate(table, descriptor, 0);
          update.apply(mutations);
          return update;
        });
  }

  /** Reads and writes a row; may run several times. */
  private interface Body<T> {
    T run(io.accordiondb.Table table, TableDescriptor descriptor) throws IOException;
  }

  private <T> T inTransaction(byte[] row, Body<T> body) throws IOException {
    RowLocks rowLocks = session.rowLocks();
    Lock lock = rowLocks.of(name, row);
    AtomicInteger overtaken = new AtomicInteger();
    lock.lock();
    try {
      return Failures.translatedResult(
          name,
          () -> {
            CatalogTable table = session.open(name);
            Lock writing = session.catalog().beginWrite(table);
            try {
              return session
                  .database()
                  .transact(
                      Isolation.SNAPSHOT,
                      transaction -> {
                        if (overtaken.getAndIncrement() == ATTEMPTS_BEFORE_TURN) {
                          rowLocks.takeTurn(lock);
                        }
                        return body.run(
                            transaction.table(table.table().name()), table.descriptor());
                      });
            } finally {
              writing.unlock();
            }
          });
    } finally {
      rowLocks.endTurn(lock);
      lock.unlock();
    }
  }

  /** Returns the descriptor of the table. */
  TableDescriptor descriptor() throws IOException {
    return Failures.translatedResult(name, () -> session.describe(name));
  }
}
