// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package org.apache.kafka.streams.state.internals;

import io.accordiondb.kafka.streams.internal.store.VersionedBytes;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Collection;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;
import org.apache.kafka.streams.query.MultiVersionedKeyQuery;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.query.ResultOrder;
import org.apache.kafka.streams.state.VersionedKeyValueStore;
import org.apache.kafka.streams.state.VersionedRecord;
import org.apache.kafka.streams.state.VersionedRecordIterator;

/** Stands where Kafka's class of this name does, in tests. */
public class RocksDBVersionedStore implements VersionedKeyValueStore<Bytes, byte[]> {
  private final VersionedBytes store;
  private RecordBatchingStateRestoreCallback restore;

  RocksDBVersionedStore(
      String name, String metricsScope, long historyRetention, long segmentInterval) {
    store = new VersionedBytes(name, historyRetention, segmentInterval);
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    StateStoreContext listening =
        (StateStoreContext)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {StateStoreContext.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("register")) {
                    restore = (RecordBatchingStateRestoreCallback) arguments[1];
                  }
                  try {
                    return method.invoke(context, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    store.init(listening, root);
  }

  void restoreBatch(Collection<ConsumerRecord<byte[], byte[]>> records) {
    restore.restoreBatch(records);
  }

  @Override
  public long put(Bytes key, byte[] value, long timestamp) {
    return store.put(key, value, timestamp);
  }

  @Override
  public VersionedRecord<byte[]> delete(Bytes key, long timestamp) {
    return store.delete(key, timestamp);
  }

  @Override
  public VersionedRecord<byte[]> get(Bytes key) {
    return store.get(key);
  }

  @Override
  public VersionedRecord<byte[]> get(Bytes key, long asOfTimestamp) {
    return store.get(key, asOfTimestamp);
  }

  VersionedRecordIterator<byte[]> get(Bytes key, long from, long to, ResultOrder order) {
    MultiVersionedKeyQuery<Bytes, byte[]> query =
        MultiVersionedKeyQuery.<Bytes, byte[]>withKey(key)
            .fromTime(Instant.ofEpochMilli(from))
            .toTime(Instant.ofEpochMilli(to));
    if (order == ResultOrder.ASCENDING) {
      query = query.withAscendingTimestamps();
    }
    return store.query(query, PositionBound.unbounded(), new QueryConfig(false)).getResult();
  }

  @Override
  public <R> QueryResult<R> query(Query<R> query, PositionBound bound, QueryConfig config) {
    return store.query(query, bound, config);
  }

  @Override
  public String name() {
    return store.name();
  }

  @Override
  public Position getPosition() {
    return store.getPosition();
  }

  @Override
  public void flush() {
    store.flush();
  }

  @Override
  public void close() {
    store.close();
  }

  @Override
  public boolean persistent() {
    return store.persistent();
  }

  @Override
  public boolean isOpen() {
    return store.isOpen();
  }
}
