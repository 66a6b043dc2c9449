// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.Mutation;
import io.accordiondb.WriteStalledException;
import io.accordiondb.hbase.client.catalog.CatalogTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.jspecify.annotations.Nullable;

/**
 * Executes the operations of a batch, each with an outcome of its own: what it returns, or what it
 * threw. Belongs to one thread.
 *
 * <p>The order is that in which HBase executes the operations on one region. First come reads and
 * single mutations, then all {@link RowMutations}, then all {@link CheckAndMutate}. Puts and
 * deletes wait for the end of the first kind, or for an increment or append of it. Those that wait
 * are written together, which costs one entry of the log; if the database refuses them together,
 * each is written by itself.
 */
final class Batch {
  /** About how much is written together. */
  private static final long GROUP_BYTES_MAX = 1 << 20;

  /** Named as the server of each failure. */
  private static final String SERVER = "embedded";

  private final Session session;
  private final RowOperations operations;
  private final List<? extends Row> actions;
  private final Object[] outcomes;

  /** The indexes of the puts and deletes that are written together next. */
  private final List<Integer> waiting = new ArrayList<>();

  private final List<Mutation> group = new ArrayList<>();
  private long groupBytes;

  /**
   * The failure of the first write for which the database had no room in time; null if there is
   * none. The writes after it fail in the same way, because each would wait as long.
   */
  private @Nullable Exception stall;

  private Batch(
      Session session, RowOperations operations, List<? extends Row> actions, Object[] outcomes) {
    this.session = session;
    this.operations = operations;
    this.actions = actions;
    this.outcomes = outcomes;
  }

  /**
   * Executes a batch.
   *
   * @param outcomes receives the outcome of each action: its result or what it threw
   * @throws RetriesExhaustedWithDetailsException if any action failed
   */
  static void execute(
      Session session, RowOperations operations, List<? extends Row> actions, Object[] outcomes)
      throws IOException {
    if (outcomes.length < actions.size()) {
      throw new IllegalArgumentException(
          "room for " + outcomes.length + " results, expected " + actions.size());
    }
    for (Row action : actions) {
      if (action instanceof Put put && put.isEmpty()) {
        throw new IllegalArgumentException("No columns to insert");
      }
    }
    new Batch(session, operations, actions, outcomes).run();
    throwIfFailed(actions, outcomes);
  }

  /** Executes the mutations of one row, which fail like a batch of one, as in HBase. */
  static Result mutateRow(RowOperations operations, RowMutations mutations) throws IOException {
    try {
      return operations.mutateRow(mutations);
    } catch (IOException e) {
      throw failure(mutations, e);
    }
  }

  /** Executes a change, which fails like a batch of one if it has many mutations, as in HBase. */
  static CheckAndMutateResult checkAndMutate(RowOperations operations, CheckAndMutate change)
      throws IOException {
    try {
      return operations.checkAndMutate(change);
    } catch (IOException e) {
      throw change.getAction() instanceof RowMutations ? failure(change, e) : e;
    }
  }

  private static RetriesExhaustedWithDetailsException failure(Row action, IOException cause) {
    return new RetriesExhaustedWithDetailsException(
        List.of(cause), List.of(action), List.of(SERVER));
  }

  private void run() {
    runSingle();
    runAll(RowMutations.class);
    runAll(CheckAndMutate.class);
  }

  /**
   * Executes the reads and the single mutations; a read does not see puts and deletes that wait.
   */
  private void runSingle() {
    List<Integer> deferred = new ArrayList<>();
    for (int i = 0; i < actions.size(); i++) {
      Row action = actions.get(i);
      if (action instanceof Put || action instanceof Delete) {
        deferred.add(i);
      } else if (action instanceof Increment || action instanceof Append) {
        writeAll(deferred);
        executeAlone(i);
      } else if (!(action instanceof RowMutations || action instanceof CheckAndMutate)) {
        executeAlone(i);
      }
    }
    writeAll(deferred);
  }

  private void runAll(Class<? extends Row> kind) {
    for (int i = 0; i < actions.size(); i++) {
      if (kind.isInstance(actions.get(i))) {
        executeAlone(i);
      }
    }
  }

  private void writeAll(List<Integer> deferred) {
    deferred.forEach(this::collect);
    writeGroup();
    deferred.clear();
  }

  private void collect(int index) {
    org.apache.hadoop.hbase.client.Mutation mutation =
        (org.apache.hadoop.hbase.client.Mutation) actions.get(index);
    try {
      CatalogTable table = session.open(operations.name());
      group.addAll(RowOperations.converted(table, mutation));
      waiting.add(index);
      groupBytes += mutation.heapSize();
    } catch (IOException | RuntimeException e) {
      outcomes[index] = Failures.translate(operations.name(), e);
    }
    if (groupBytes >= GROUP_BYTES_MAX) {
      writeGroup();
    }
  }

  private void writeGroup() {
    if (waiting.isEmpty()) {
      return;
    }
    if (writesGroup()) {
      waiting.forEach(index -> outcomes[index] = Result.EMPTY_RESULT);
    } else {
      // One of them may be to blame, so the others get a chance.
      waiting.forEach(this::executeAlone);
    }
    waiting.clear();
    group.clear();
    groupBytes = 0;
  }

  /** Writes what is collected; returns whether it was written. */
  private boolean writesGroup() {
    if (stall != null) {
      return false;
    }
    try {
      operations.write(session.open(operations.name()), group);
      return true;
    } catch (WriteStalledException e) {
      stall = Failures.translate(operations.name(), e);
      return false;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  private void executeAlone(int index) {
    Row action = actions.get(index);
    if (stall != null && !(action instanceof Get)) {
      outcomes[index] = stall;
      return;
    }
    try {
      outcomes[index] = operations.execute(action);
    } catch (IOException | RuntimeException e) {
      outcomes[index] = e;
      if (e.getCause() instanceof WriteStalledException) {
        stall = e;
      }
    }
  }

  private static void throwIfFailed(List<? extends Row> actions, Object[] outcomes)
      throws RetriesExhaustedWithDetailsException {
    List<Throwable> causes = new ArrayList<>();
    List<Row> failed = new ArrayList<>();
    List<String> servers = new ArrayList<>();
    for (int i = 0; i < actions.size(); i++) {
      if (outcomes[i] instanceof Throwable cause) {
        causes.add(cause);
        failed.add(actions.get(i));
        servers.add(SERVER);
      }
    }
    if (!causes.isEmpty()) {
      throw new RetriesExhaustedWithDetailsException(causes, failed, servers);
    }
  }
}
