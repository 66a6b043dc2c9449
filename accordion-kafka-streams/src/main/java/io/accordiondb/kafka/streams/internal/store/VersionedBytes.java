// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import io.accordiondb.kafka.streams.internal.rocksdb.RocksDbState;
import io.accordiondb.kafka.streams.internal.space.SpaceBatch;
import io.accordiondb.kafka.streams.internal.space.StoreFormat;
import io.accordiondb.kafka.streams.internal.space.TaskStore;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.FailureReason;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A versioned key-value store. One thread writes, any number may read. A version that is too old to
 * be read is also too old to be written: the grace period equals the history retention, as in
 * Kafka's own store.
 */
public final class VersionedBytes implements VersionedKeyValueStore<Bytes, byte[]> {
  private static final Logger LOG = LoggerFactory.getLogger(VersionedBytes.class);

  private final StorePosition position = new StorePosition();
  private final Attachment attachment;
  private final long retentionMillis;
  private final SegmentClock clock;
  private @Nullable Sensor droppedRecords;

  /**
   * Makes a store.
   *
   * @param segmentMillis versions are dropped together that ended within one such interval
   */
  public VersionedBytes(String name, long retentionMillis, long segmentMillis) {
    this.retentionMillis = retentionMillis;
    this.clock = new SegmentClock(retentionMillis, segmentMillis);
    this.attachment =
        new Attachment(
            name,
            "accordion",
            RocksDbState.of(name, false, new FormerVersions(clock)),
            new StoreFormat("versioned", segmentMillis));
  }

  @Override
  public String name() {
    return attachment.name();
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    attachment.open(
        context,
        () -> {
          clock.reset();
          droppedRecords = DroppedRecords.sensor(context);
          position.attach(context, root, name(), this::restore);
        });
  }

  @Override
  public long put(Bytes key, byte @Nullable [] value, long timestamp) {
    Objects.requireNonNull(key, "key cannot be null");
    TaskStore store = attachment.store();
    synchronized (position.get()) {
      if (hasExpired(timestamp)) {
        dropRecord();
        position.note();
        return PUT_RETURN_CODE_NOT_PUT;
      }
      long end = put(store, key, value, timestamp);
      position.note();
      return end;
    }
  }

  @Override
  public @Nullable VersionedRecord<byte[]> delete(Bytes key, long timestamp) {
    Objects.requireNonNull(key, "key cannot be null");
    TaskStore store = attachment.store();
    synchronized (position.get()) {
      if (hasExpired(timestamp)) {
        dropRecord();
        return null;
      }
      VersionedRecord<byte[]> present = get(key, timestamp);
      put(store, key, null, timestamp);
      position.note();
      return present;
    }
  }

  private long put(TaskStore store, Bytes key, byte @Nullable [] value, long timestamp) {
    clock.advance(timestamp);
    clock.dropExpired(store);
    SpaceBatch batch = store.batch();
    long end = new Versions(store, clock).put(batch, key.get(), value, timestamp);
    batch.commit();
    return end;
  }

  @Override
  public @Nullable VersionedRecord<byte[]> get(Bytes key) {
    Objects.requireNonNull(key, "key cannot be null");
    return new Versions(attachment.store(), clock).latest(key.get());
  }

  @Override
  public @Nullable VersionedRecord<byte[]> get(Bytes key, long asOfTimestamp) {
    Objects.requireNonNull(key, "key cannot be null");
    Versions versions = new Versions(attachment.store(), clock);
    VersionedRecord<byte[]> latest = versions.latest(key.get());
    if (latest != null && latest.timestamp() <= asOfTimestamp) {
      return latest;
    }
    return hasExpired(asOfTimestamp) ? null : versions.older(key.get(), asOfTimestamp);
  }

  private boolean hasExpired(long timestamp) {
    return timestamp < clock.now() - retentionMillis;
  }

  private void dropRecord() {
    if (droppedRecords != null) {
      droppedRecords.record();
    }
    LOG.warn("Skipping a record of store {} that has expired", name());
  }

  private void restore(Collection<ConsumerRecord<byte[], byte[]>> records) {
    TaskStore store = attachment.store();
    synchronized (position.get()) {
      for (ConsumerRecord<byte[], byte[]> changelogRecord : records) {
        if (!hasExpired(changelogRecord.timestamp())) {
          position.noteRestored(changelogRecord);
          put(
              store,
              Bytes.wrap(changelogRecord.key()),
              changelogRecord.value(),
              changelogRecord.timestamp());
        }
      }
    }
  }

  @Override
  @SuppressWarnings("unchecked")
  public <R> QueryResult<R> query(Query<R> query, PositionBound bound, QueryConfig config) {
    if (!(query instanceof MultiVersionedKeyQuery)) {
      return position.query(query, bound, config, this);
    }
    // Kafka answers it for its own store alone.
    long start = System.nanoTime();
    QueryResult<R> result;
    synchronized (position.get()) {
      if (position.reaches(bound)) {
        result = answer((MultiVersionedKeyQuery<Bytes, byte[]>) query);
      } else {
        result = position.notReached(bound);
      }
      result.setPosition(position.get().copy());
    }
    if (config.isCollectExecutionInfo()) {
      result.addExecutionInfo(
          "Handled in " + getClass() + " in " + (System.nanoTime() - start) + "ns");
    }
    return result;
  }

  /** Returns a result that says so if the store cannot answer, as Kafka does. */
  @SuppressWarnings("unchecked") // R is the type of the result of this query.
  private <R> QueryResult<R> answer(MultiVersionedKeyQuery<Bytes, byte[]> query) {
    try {
      return QueryResult.forResult((R) versions(query));
    } catch (RuntimeException e) {
      return QueryResult.forFailure(
          FailureReason.STORE_EXCEPTION,
          getClass() + " failed to handle query " + query + ": " + e);
    }
  }

  private VersionedRecordIterator<byte[]> versions(MultiVersionedKeyQuery<Bytes, byte[]> query) {
    long from = query.fromTime().map(time -> time.toEpochMilli()).orElse(Long.MIN_VALUE);
    long to = query.toTime().map(time -> time.toEpochMilli()).orElse(Long.MAX_VALUE);
    List<VersionedRecord<byte[]>> found =
        new Versions(attachment.store(), clock)
            .between(query.key().get(), from, to, hasExpired(to));
    if (query.resultOrder() != ResultOrder.ASCENDING) {
      Collections.reverse(found);
    }
    return new FoundVersions(found.iterator());
  }

  /** Versions that were read already. */
  private record FoundVersions(Iterator<VersionedRecord<byte[]>> found)
      implements VersionedRecordIterator<byte[]> {
    @Override
    public boolean hasNext() {
      return found.hasNext();
    }

    @Override
    public VersionedRecord<byte[]> next() {
      return found.next();
    }

    @Override
    public void close() {}
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
