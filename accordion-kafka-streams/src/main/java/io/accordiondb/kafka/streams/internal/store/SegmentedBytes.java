// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import io.accordiondb.kafka.streams.internal.rocksdb.RocksDbState;
import io.accordiondb.kafka.streams.internal.space.KeyFilter;
import io.accordiondb.kafka.streams.internal.space.KeyRange;
import io.accordiondb.kafka.streams.internal.space.KeySpace;
import io.accordiondb.kafka.streams.internal.space.SpaceBatch;
import io.accordiondb.kafka.streams.internal.space.StoreFormat;
import io.accordiondb.kafka.streams.internal.space.TaskStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The common part of window and session stores: it stores keys with a time in segments of time, and
 * drops segments that are older than the retention period without reading them. Any thread may
 * read; writes of several threads take turns.
 *
 * <p>The time of the store is the highest that it has been given since it was opened. Kafka's own
 * stores keep theirs when their task is opened again after it was corrupted.
 */
final class SegmentedBytes {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentedBytes.class);

  private final StorePosition position = new StorePosition();
  private final Attachment attachment;
  private final SegmentLayout layout;
  private final long retentionMillis;
  private final SegmentClock clock;
  private @Nullable Sensor droppedRecords;

  SegmentedBytes(
      String name,
      String metricsScope,
      long retentionMillis,
      StoreFormat format,
      SegmentLayout layout,
      boolean timestamped) {
    this.layout = layout;
    this.retentionMillis = retentionMillis;
    this.clock = new SegmentClock(retentionMillis, format.segmentMillis());
    this.attachment =
        new Attachment(
            name,
            metricsScope,
            RocksDbState.ofSegments(
                name,
                timestamped,
                (store, batch, formerKey, value) -> {
                  byte[] key = layout.fromRocksDb(formerKey);
                  if (key != null) {
                    batch.put(store.segment(clock.segmentOf(layout.segmentTime(key))), key, value);
                  }
                }),
            format);
  }

  Attachment attachment() {
    return attachment;
  }

  StorePosition position() {
    return position;
  }

  void init(StateStoreContext context, StateStore root) {
    attachment.open(
        context,
        () -> {
          clock.reset();
          droppedRecords = DroppedRecords.sensor(context);
          position.attach(context, root, attachment.name(), this::restore);
        });
  }

  /** Writes a value, or deletes the key if it is null, unless its segment has expired. */
  void put(Bytes key, byte @Nullable [] value) {
    TaskStore store = attachment.store();
    long time = layout.segmentTime(key.get());
    synchronized (position.get()) {
      clock.advance(time);
      if (!clock.isLive(time)) {
        if (droppedRecords != null) {
          droppedRecords.record();
        }
        return;
      }
      position.note();
      store.put(clock.segment(store, time), key.get(), value);
    }
  }

  /** Deletes a key. */
  void remove(Bytes key) {
    TaskStore store = attachment.store();
    long time = layout.segmentTime(key.get());
    synchronized (position.get()) {
      clock.advance(time);
      KeySpace segment = store.segments().get(clock.segmentOf(time));
      if (segment != null) {
        store.put(segment, key.get(), null);
      }
    }
  }

  /** Returns a value, or null if there is none or it has expired. */
  byte @Nullable [] get(Bytes key) {
    TaskStore store = attachment.store();
    long time = layout.segmentTime(key.get());
    if (time < oldest()) {
      return null;
    }
    KeySpace segment = store.segments().get(clock.segmentOf(time));
    return segment == null ? null : store.get(segment, key.get());
  }

  /** Returns what a key has within a range of times. */
  KeyValueIterator<Bytes, byte[]> fetch(Bytes key, long from, long to, boolean forward) {
    long actualFrom = Math.max(from, oldest());
    if (layout.endsBefore(to, actualFrom)) {
      return new NoEntries<>();
    }
    return search(
        layout.lowest(key, actualFrom),
        layout.highest(key, to),
        actualFrom,
        layout.searchTo(to),
        layout.filter(key, key, actualFrom, to),
        forward);
  }

  /** Returns what a range of keys has within a range of times; null for no bound. */
  KeyValueIterator<Bytes, byte[]> fetch(
      @Nullable Bytes keyFrom, @Nullable Bytes keyTo, long from, long to, boolean forward) {
    if (keyFrom != null && keyTo != null && keyFrom.compareTo(keyTo) > 0) {
      RangeOrder.warn(LOG);
      return new NoEntries<>();
    }
    long actualFrom = Math.max(from, oldest());
    if (layout.endsBefore(to, actualFrom)) {
      return new NoEntries<>();
    }
    return search(
        keyFrom == null ? null : layout.lowestOfRange(keyFrom, actualFrom),
        keyTo == null ? null : layout.highestOfRange(keyTo, to),
        actualFrom,
        layout.searchTo(to),
        layout.filter(keyFrom, keyTo, actualFrom, to),
        forward);
  }

  /**
   * Returns what all keys have within a range of times of segments, as far as a filter accepts it.
   */
  KeyValueIterator<Bytes, byte[]> fetchAll(long from, long to, KeyFilter filter, boolean forward) {
    return search(null, null, from, to, filter, forward);
  }

  /** Returns the same as {@link #fetchAll}, forward, in the order of the times. */
  KeyValueIterator<Bytes, byte[]> fetchAllByTime(long from, long to, KeyFilter filter) {
    return new TimeOrderedEntries(fetchAll(from, to, filter, true), layout, clock::segmentOf);
  }

  /** Returns the oldest time that has not expired. */
  long oldest() {
    return layout.oldest(clock.now(), retentionMillis);
  }

  private KeyValueIterator<Bytes, byte[]> search(
      @Nullable Bytes lowest,
      @Nullable Bytes highest,
      long from,
      long to,
      KeyFilter filter,
      boolean forward) {
    TaskStore store = attachment.store();
    long first = clock.segmentOf(from);
    long last = clock.segmentOf(to);
    if (first > last) {
      return new NoEntries<>();
    }
    NavigableMap<Long, KeySpace> found = store.segments().subMap(first, true, last, true);
    List<KeyRange> ranges = new ArrayList<>();
    for (KeySpace segment : (forward ? found : found.descendingMap()).values()) {
      ranges.add(
          segment.range(
              lowest == null ? null : lowest.get(), highest == null ? null : highest.get()));
    }
    return ranges.isEmpty() ? new NoEntries<>() : store.iterator(ranges, forward, filter);
  }

  private void restore(Collection<ConsumerRecord<byte[], byte[]>> records) {
    TaskStore store = attachment.store();
    synchronized (position.get()) {
      // What has expired by the end of the batch need not be written.
      for (ConsumerRecord<byte[], byte[]> changelogRecord : records) {
        clock.advance(layout.segmentTime(changelogRecord.key()));
      }
      SpaceBatch batch = store.parts();
      for (ConsumerRecord<byte[], byte[]> changelogRecord : records) {
        long time = layout.segmentTime(changelogRecord.key());
        if (clock.isLive(time)) {
          position.noteRestored(changelogRecord);
          batch.put(clock.segment(store, time), changelogRecord.key(), changelogRecord.value());
        }
      }
      batch.commit();
    }
  }
}
