// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import com.google.protobuf.Descriptors;
import com.google.protobuf.Message;
import com.google.protobuf.Service;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.coprocessor.Batch.Call;
import org.apache.hadoop.hbase.client.coprocessor.Batch.Callback;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * HBase's table over the database. It holds no resources: a table that does not exist, or is
 * disabled, is noticed by the first operation, as in HBase. Several threads may use it, though
 * HBase does not promise that. Methods come down to calls of {@link RowOperations} and {@link
 * Batch}.
 */
final class EmbeddedTable implements LegacyChecks {
  private final Session session;
  private final RowOperations operations;
  private final Locators<RegionLocator> locators;
  private final TableTimeouts timeouts;
  private final Map<String, byte[]> requestAttributes;

  EmbeddedTable(
      Session session,
      TableName name,
      Locators<RegionLocator> locators,
      TableTimeouts timeouts,
      Map<String, byte[]> requestAttributes) {
    this.session = session;
    this.operations = new RowOperations(session, name);
    this.locators = locators;
    this.timeouts = timeouts;
    this.requestAttributes = requestAttributes;
  }

  /** Returns the operations, one of which begins now, on a thread that was not interrupted. */
  private RowOperations begin() throws InterruptedIOException {
    Failures.checkNotInterrupted(getName());
    return operations;
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
  public TableDescriptor getDescriptor() throws IOException {
    return begin().descriptor();
  }

  @Override
  public RegionLocator getRegionLocator() throws IOException {
    return locators.of(getName());
  }

  @Override
  public boolean exists(Get get) throws IOException {
    return begin().get(existenceOnly(get)).getExists();
  }

  @Override
  public boolean[] exists(List<Get> gets) throws IOException {
    List<Get> existenceOnly = new ArrayList<>(gets.size());
    for (Get get : gets) {
      existenceOnly.add(existenceOnly(get));
    }
    Result[] results = get(existenceOnly);
    boolean[] exist = new boolean[results.length];
    for (int i = 0; i < exist.length; i++) {
      exist[i] = results[i].getExists();
    }
    return exist;
  }

  private static Get existenceOnly(Get get) {
    return get.isCheckExistenceOnly() ? get : new Get(get).setCheckExistenceOnly(true);
  }

  @Override
  public void batch(List<? extends Row> actions, Object @Nullable [] results) throws IOException {
    Object[] outcomes = results == null ? new Object[actions.size()] : results;
    Batch.execute(session, begin(), actions, outcomes);
  }

  @Override
  public <R> void batchCallback(List<? extends Row> actions, Object[] results, Callback<R> callback)
      throws IOException {
    // A program may use its array again, and nothing may be called back for a former result.
    Arrays.fill(results, null);
    try {
      batch(actions, results);
    } finally {
      BatchCallbacks.call(session, getName(), actions, results, callback);
    }
  }

  @Override
  public Result get(Get get) throws IOException {
    return begin().get(get);
  }

  @Override
  public Result[] get(List<Get> gets) throws IOException {
    if (gets.size() == 1) {
      return new Result[] {get(gets.get(0))};
    }
    Object[] results = new Object[gets.size()];
    batch(gets, results);
    return Arrays.copyOf(results, results.length, Result[].class);
  }

  @Override
  public ResultScanner getScanner(Scan scan) throws IOException {
    return new EmbeddedScanner(session, getName(), scan);
  }

  @Override
  public ResultScanner getScanner(byte[] family) throws IOException {
    return getScanner(new Scan().addFamily(family));
  }

  @Override
  public ResultScanner getScanner(byte[] family, byte[] qualifier) throws IOException {
    return getScanner(new Scan().addColumn(family, qualifier));
  }

  @Override
  public void put(Put put) throws IOException {
    begin().put(put);
  }

  @Override
  public void put(List<Put> puts) throws IOException {
    for (Put put : puts) {
      MutationConversion.validate(put, session.settings().keyValueBytesMax());
    }
    batch(puts, new Object[puts.size()]);
  }

  @Override
  public void delete(Delete delete) throws IOException {
    begin().delete(delete);
  }

  /** Deletes, and leaves in the list what could not be deleted, as HBase's client does. */
  @Override
  public void delete(List<Delete> deletes) throws IOException {
    Object[] results = new Object[deletes.size()];
    try {
      batch(deletes, results);
    } finally {
      for (int i = results.length - 1; i >= 0; i--) {
        if (results[i] instanceof Result) {
          deletes.remove(i);
        }
      }
    }
  }

  @Override
  public Result mutateRow(RowMutations mutations) throws IOException {
    return Batch.mutateRow(begin(), mutations);
  }

  @Override
  public Result append(Append append) throws IOException {
    return begin().append(append);
  }

  @Override
  public Result increment(Increment increment) throws IOException {
    return begin().increment(increment);
  }

  @Override
  public long incrementColumnValue(byte[] row, byte[] family, byte[] qualifier, long amount)
      throws IOException {
    return incrementColumnValue(row, family, qualifier, amount, Durability.SYNC_WAL);
  }

  @Override
  public long incrementColumnValue(
      byte[] row, byte[] family, byte[] qualifier, long amount, Durability durability)
      throws IOException {
    if (row == null || family == null) {
      throw new IOException(
          "Invalid arguments to incrementColumnValue",
          new NullPointerException((row == null ? "row" : "family") + " is null"));
    }
    Increment increment = new Increment(row).addColumn(family, qualifier, amount);
    Result result = increment(increment.setDurability(durability));
    return Bytes.toLong(result.getValue(family, qualifier));
  }

  @Override
  public CheckAndMutateResult checkAndMutate(CheckAndMutate change) throws IOException {
    return Batch.checkAndMutate(begin(), change);
  }

  @Override
  public List<CheckAndMutateResult> checkAndMutate(List<CheckAndMutate> changes)
      throws IOException {
    List<CheckAndMutateResult> done = new ArrayList<>();
    if (changes.size() == 1) {
      done.add(checkAndMutate(changes.get(0)));
    } else {
      Object[] results = new Object[changes.size()];
      batch(changes, results);
      for (Object result : results) {
        done.add((CheckAndMutateResult) result);
      }
    }
    return done;
  }

  @Override
  @Deprecated
  public CheckAndMutateBuilder checkAndMutate(byte[] row, byte[] family) {
    return new TableChecks.OfColumn(operations, row, family);
  }

  @Override
  @Deprecated
  public CheckAndMutateWithFilterBuilder checkAndMutate(byte[] row, Filter filter) {
    return new TableChecks.OfFilter(operations, row, filter);
  }

  @Override
  public boolean changeIf(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareOperator operator,
      byte[] value,
      Row change)
      throws IOException {
    return TableChecks.mutate(
        operations,
        CheckAndMutate.newBuilder(row).ifMatches(family, qualifier, operator, value),
        change);
  }

  @Override
  public void close() {
    // Nothing is held.
  }

  @Override
  public CoprocessorRpcChannel coprocessorService(byte[] row) {
    throw Unsupported.coprocessor("coprocessorService");
  }

  @Override
  public <T extends Service, R> Map<byte[], R> coprocessorService(
      Class<T> service, byte[] startKey, byte[] endKey, Call<T, R> callable) {
    throw Unsupported.coprocessor("coprocessorService");
  }

  @Override
  public <T extends Service, R> void coprocessorService(
      Class<T> service, byte[] startKey, byte[] endKey, Call<T, R> callable, Callback<R> callback) {
    throw Unsupported.coprocessor("coprocessorService");
  }

  @Override
  public <R extends Message> Map<byte[], R> batchCoprocessorService(
      Descriptors.MethodDescriptor methodDescriptor,
      Message request,
      byte[] startKey,
      byte[] endKey,
      R responsePrototype) {
    throw Unsupported.coprocessor("batchCoprocessorService");
  }

  @Override
  public <R extends Message> void batchCoprocessorService(
      Descriptors.MethodDescriptor methodDescriptor,
      Message request,
      byte[] startKey,
      byte[] endKey,
      R responsePrototype,
      Callback<R> callback) {
    throw Unsupported.coprocessor("batchCoprocessorService");
  }

  @Override
  public long getRpcTimeout(TimeUnit unit) {
    return unit.convert(timeouts.rpc, TimeUnit.MILLISECONDS);
  }

  @Override
  @Deprecated
  public void setRpcTimeout(int millis) {
    timeouts.rpc = millis;
    setReadRpcTimeout(millis);
    setWriteRpcTimeout(millis);
  }

  @Override
  public long getReadRpcTimeout(TimeUnit unit) {
    return unit.convert(timeouts.readRpc, TimeUnit.MILLISECONDS);
  }

  @Override
  @Deprecated
  public void setReadRpcTimeout(int millis) {
    timeouts.readRpc = millis;
  }

  @Override
  public long getWriteRpcTimeout(TimeUnit unit) {
    return unit.convert(timeouts.writeRpc, TimeUnit.MILLISECONDS);
  }

  @Override
  @Deprecated
  public void setWriteRpcTimeout(int millis) {
    timeouts.writeRpc = millis;
  }

  @Override
  public long getOperationTimeout(TimeUnit unit) {
    return unit.convert(timeouts.operation, TimeUnit.MILLISECONDS);
  }

  @Override
  @Deprecated
  public void setOperationTimeout(int millis) {
    timeouts.operation = millis;
  }

  @Override
  public Map<String, byte[]> getRequestAttributes() {
    return requestAttributes;
  }
}
