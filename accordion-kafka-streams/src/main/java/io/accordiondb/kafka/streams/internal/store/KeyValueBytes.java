// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import io.accordiondb.kafka.streams.internal.rocksdb.RocksDbState;
import io.accordiondb.kafka.streams.internal.space.KeyRange;
import io.accordiondb.kafka.streams.internal.space.SpaceBatch;
import io.accordiondb.kafka.streams.internal.space.StoreFormat;
import io.accordiondb.kafka.streams.internal.space.TaskStore;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A key-value store. Any thread may read; writes of several threads take turns. */
class KeyValueBytes implements KeyValueStore<Bytes, byte[]> {
  private static final Logger LOG = LoggerFactory.getLogger(KeyValueBytes.class);

  private final StorePosition position = new StorePosition();
  private final Attachment attachment;

  /** Of what the store has had since it was opened. */
  private volatile EntryCount entryCount = new EntryCount();

  KeyValueBytes(String name, boolean timestamped) {
    this.attachment =
        new Attachment(
            name,
            "accordion",
            RocksDbState.of(
                name,
                timestamped,
                (store, batch, key, value) -> batch.put(store.main(), key, value)),
            new StoreFormat(timestamped ? "timestamped-key-value" : "key-value", 0));
  }

  @Override
  public String name() {
    return attachment.name();
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    entryCount = new EntryCount();
    attachment.open(context, () -> position.attach(context, root, name(), this::restore));
  }

  @Override
  public void put(Bytes key, byte @Nullable [] value) {
    Objects.requireNonNull(key, "key cannot be null");
    TaskStore store = attachment.store();
    synchronized (position.get()) {
      store.put(store.main(), key.get(), value);
      position.note();
      entryCount.noteWrites(1);
    }
  }

  @Override
  public byte @Nullable [] putIfAbsent(Bytes key, byte @Nullable [] value) {
    synchronized (position.get()) {
      byte[] present = get(key);
      if (present == null) {
        put(key, value);
      }
      return present;
    }
  }

  @Override
  public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
    TaskStore store = attachment.store();
    for (KeyValue<Bytes, byte[]> entry : entries) {
      Objects.requireNonNull(entry.key, "key cannot be null");
    }
    synchronized (position.get()) {
      SpaceBatch batch = store.batch();
      for (KeyValue<Bytes, byte[]> entry : entries) {
        batch.put(store.main(), entry.key.get(), entry.value);
      }
      batch.commit();
      position.note();
      entryCount.noteWrites(entries.size());
    }
  }

  @Override
  public byte @Nullable [] delete(Bytes key) {
    synchronized (position.get()) {
      byte[] present = get(key);
      put(key, null);
      return present;
    }
  }

  @Override
  public byte @Nullable [] get(Bytes key) {
    Objects.requireNonNull(key, "key cannot be null");
    TaskStore store = attachment.store();
    return store.get(store.main(), key.get());
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to) {
    return range(from, to, true);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> reverseRange(@Nullable Bytes from, @Nullable Bytes to) {
    return range(from, to, false);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> all() {
    return range(null, null, true);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> reverseAll() {
    return range(null, null, false);
  }

  @Override
  public <S extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(
      P prefix, S prefixKeySerializer) {
    Objects.requireNonNull(prefix, "prefix cannot be null");
    Objects.requireNonNull(prefixKeySerializer, "prefixKeySerializer cannot be null");
    TaskStore store = attachment.store();
    KeyRange range = store.main().startingWith(prefixKeySerializer.serialize(null, prefix));
    return store.iterator(range, true);
  }

  private KeyValueIterator<Bytes, byte[]> range(
      @Nullable Bytes from, @Nullable Bytes to, boolean forward) {
    TaskStore store = attachment.store();
    if (from != null && to != null && from.compareTo(to) > 0) {
      RangeOrder.warn(LOG);
      return new NoEntries<>();
    }
    KeyRange range =
        store.main().range(from == null ? null : from.get(), to == null ? null : to.get());
    return store.iterator(range, forward);
  }

  @Override
  public long approximateNumEntries() {
    // Also if the number is known: a closed store must not answer.
    TaskStore store = attachment.store();
    return entryCount.get(() -> count(store));
  }

  private static long count(TaskStore store) {
    long entries = 0;
    KeyRange everything = store.main().range(null, null);
    try (KeyValueIterator<Bytes, byte[]> all = store.iterator(everything, true)) {
      for (; all.hasNext(); all.next()) {
        entries++;
      }
    }
    return entries;
  }

  private void restore(Collection<ConsumerRecord<byte[], byte[]>> records) {
    TaskStore store = attachment.store();
    synchronized (position.get()) {
      SpaceBatch batch = store.parts();
      for (ConsumerRecord<byte[], byte[]> changelogRecord : records) {
        position.noteRestored(changelogRecord);
        batch.put(store.main(), changelogRecord.key(), changelogRecord.value());
      }
      batch.commit();
      entryCount.noteWrites(records.size());
    }
  }

  @Override
  public <R> QueryResult<R> query(Query<R> query, PositionBound bound, QueryConfig config) {
    return position.query(query, bound, config, this);
  }

  @Override
  public Position getPosition() {
    return position.get();
  }

  @Override
  public void flush() {
    attachment.flush();
  }

  @Override
  public void close() {
    attachment.close();
  }

  @Override
  public boolean persistent() {
    return true;
  }

  @Override
  public boolean isOpen() {
    return attachment.isOpen();
  }
}
