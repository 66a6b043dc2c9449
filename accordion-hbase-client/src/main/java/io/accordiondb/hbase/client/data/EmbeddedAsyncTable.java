// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import com.google.protobuf.RpcChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;
import org.apache.hadoop.hbase.client.ServiceCaller;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.jspecify.annotations.Nullable;

/**
 * HBase's asynchronous table over the database, in both flavours: whether futures are completed by
 * an executor of the program or by the threads of the connection. Thread-safe.
 *
 * @param <C> how the program receives the results of scans
 */
final class EmbeddedAsyncTable<C extends ScanResultConsumerBase> implements AsyncTable<C> {
  private final Session session;
  private final RowOperations operations;
  private final AsyncOperations async;
  private final Locators<AsyncTableRegionLocator> locators;
  private final AsyncScans<C> scans;
  private final TableTimeouts timeouts;
  private final Map<String, byte[]> requestAttributes;

  EmbeddedAsyncTable(
      Session session,
      TableName name,
      AsyncOperations async,
      Locators<AsyncTableRegionLocator> locators,
      AsyncScans<C> scans,
      TableTimeouts timeouts,
      Map<String, byte[]> requestAttributes) {
    this.session = session;
    this.operations = new RowOperations(session, name);
    this.async = async;
    this.locators = locators;
    this.scans = scans;
    this.timeouts = timeouts;
    this.requestAttributes = requestAttributes;
  }

  @Override
  public TableName getName() {
    return operations.name();
  }

  @Override
  public Configuration getConfiguration() {
    return session.configuration();
  }

  @Override
  public CompletableFuture<TableDescriptor> getDescriptor() {
    return async.start(operations::descriptor);
  }

  @Override
  public AsyncTableRegionLocator getRegionLocator() {
    try {
      return locators.of(getName());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public CompletableFuture<Result> get(Get get) {
    return async.start(() -> operations.get(get));
  }

  @Override
  public CompletableFuture<Void> put(Put put) {
    MutationConversion.validate(put, session.settings().keyValueBytesMax());
    return async.startAction(() -> operations.put(put));
  }

  @Override
  public CompletableFuture<Void> delete(Delete delete) {
    return async.startAction(() -> operations.delete(delete));
  }

  @Override
  public CompletableFuture<Result> append(Append append) {
    RowOperations.checked(append);
    return async.start(() -> operations.append(append));
  }

  @Override
  public CompletableFuture<Result> increment(Increment increment) {
    RowOperations.checked(increment);
    return async.start(() -> operations.increment(increment));
  }

  @Override
  public CompletableFuture<Result> mutateRow(RowMutations mutations) {
    operations.validate(mutations);
    return async.start(() -> operations.mutateRow(mutations));
  }

  @Override
  public CompletableFuture<CheckAndMutateResult> checkAndMutate(CheckAndMutate change) {
    operations.validate(change);
    return async.start(() -> operations.checkAndMutate(change));
  }

  @Override
  public List<CompletableFuture<CheckAndMutateResult>> checkAndMutate(
      List<CheckAndMutate> changes) {
    return batch(changes);
  }

  @Override
  @Deprecated
  public CheckAndMutateBuilder checkAndMutate(byte[] row, byte[] family) {
    return new AsyncTableChecks.OfColumn(this, row, family);
  }

  @Override
  @Deprecated
  public CheckAndMutateWithFilterBuilder checkAndMutate(byte[] row, Filter filter) {
    return new AsyncTableChecks.OfFilter(this, row, filter);
  }

  @Override
  public List<CompletableFuture<Result>> get(List<Get> gets) {
    return batch(gets);
  }

  @Override
  public List<CompletableFuture<Void>> put(List<Put> puts) {
    return withoutResults(puts);
  }

  @Override
  public List<CompletableFuture<Void>> delete(List<Delete> deletes) {
    return withoutResults(deletes);
  }

  private List<CompletableFuture<Void>> withoutResults(List<? extends Row> actions) {
    actions.forEach(operations::validate);
    return write(actions);
  }

  /** Executes actions that have been checked, perhaps by other limits than those of the session. */
  List<CompletableFuture<Void>> write(List<? extends Row> actions) {
    return start(actions, outcome -> null);
  }

  @Override
  @SuppressWarnings("unchecked") // The program says of which type its results are.
  public <T> List<CompletableFuture<T>> batch(List<? extends Row> actions) {
    actions.forEach(operations::validate);
    return start(actions, outcome -> (T) outcome);
  }

  /** Executes a batch as one piece of work; each action has a future of its own. */
  private <T> List<CompletableFuture<T>> start(List<? extends Row> actions, Outcomes<T> outcomes) {
    List<Row> copy = List.copyOf(actions);
    List<CompletableFuture<T>> futures = new ArrayList<>(copy.size());
    copy.forEach(action -> futures.add(new CompletableFuture<>()));
    if (!copy.isEmpty()) {
      async.execute(futures, () -> execute(copy, futures, outcomes));
    }
    return futures;
  }

  /** Makes the result of a future from the outcome of an action. */
  private interface Outcomes<T> {
    @Nullable T result(Object outcome);
  }

  private <T> void execute(
      List<Row> actions, List<CompletableFuture<T>> futures, Outcomes<T> results) {
    Object[] outcomes = new Object[actions.size()];
    try {
      Batch.execute(session, operations, actions, outcomes);
    } catch (RetriesExhaustedWithDetailsException e) {
      // Each outcome says what happened to its action.
    } catch (IOException | RuntimeException | Error e) {
      futures.forEach(future -> async.fail(future, e));
      return;
    }
    for (int i = 0; i < outcomes.length; i++) {
      if (outcomes[i] instanceof Throwable failure) {
        async.fail(futures.get(i), exhausted(failure));
      } else {
        async.succeed(futures.get(i), results.result(outcomes[i]));
      }
    }
  }

  /** Returns a failure as the asynchronous client of HBase reports it for an action of a batch. */
  private static RetriesExhaustedException exhausted(Throwable failure) {
    long now = EnvironmentEdgeManager.currentTime();
    return new RetriesExhaustedException(
        0, List.of(new RetriesExhaustedException.ThrowableWithExtraContext(failure, now, "")));
  }

  @Override
  public void scan(Scan scan, C consumer) {
    scans.start(scan, consumer);
  }

  @Override
  public ResultScanner getScanner(Scan scan) {
    try {
      return new EmbeddedScanner(session, getName(), scan);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public CompletableFuture<List<Result>> scanAll(Scan scan) {
    return async.start(
        () -> {
          List<Result> results = new ArrayList<>();
          try (EmbeddedScanner scanner = new EmbeddedScanner(session, getName(), scan)) {
            for (Result result = scanner.next(); result != null; result = scanner.next()) {
              results.add(result);
            }
          }
          return results;
        });
  }

  @Override
  public <S, R> CompletableFuture<R> coprocessorService(
      Function<RpcChannel, S> stubMaker, ServiceCaller<S, R> callable, byte[] row) {
    throw Unsupported.coprocessor("coprocessorService");
  }

  @Override
  public <S, R> CoprocessorServiceBuilder<S, R> coprocessorService(
      Function<RpcChannel, S> stubMaker,
      ServiceCaller<S, R> callable,
      CoprocessorCallback<R> callback) {
    throw Unsupported.coprocessor("coprocessorService");
  }

  @Override
  public long getRpcTimeout(TimeUnit unit) {
    return unit.convert(timeouts.rpc, TimeUnit.MILLISECONDS);
  }

  @Override
  public long getReadRpcTimeout(TimeUnit unit) {
    return unit.convert(timeouts.readRpc, TimeUnit.MILLISECONDS);
  }

  @Override
  public long getWriteRpcTimeout(TimeUnit unit) {
    return unit.convert(timeouts.writeRpc, TimeUnit.MILLISECONDS);
  }

  @Override
  public long getOperationTimeout(TimeUnit unit) {
    return unit.convert(timeouts.operation, TimeUnit.MILLISECONDS);
  }

  @Override
  public long getScanTimeout(TimeUnit unit) {
    return unit.convert(timeouts.scan, TimeUnit.MILLISECONDS);
  }

  @Override
  public Map<String, byte[]> getRequestAttributes() {
    return requestAttributes;
  }
}
