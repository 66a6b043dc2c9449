// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import io.accordiondb.kafka.streams.internal.space.StoreFormat;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.WindowStoreIterator;
import org.apache.kafka.streams.state.internals.WindowKeySchema;
import org.jspecify.annotations.Nullable;

/** A window store. Any thread may read; writes of several threads take turns. */
class WindowBytes implements WindowStore<Bytes, byte[]> {
  private final SegmentedBytes segments;
  private final WindowLayout layout;
  private final long windowMillis;
  private final boolean retainDuplicates;
  private final boolean emittedOnClose;

  /** Whether the windows that Kafka Streams emits when they close come in the order of time. */
  private volatile boolean emittedByTime;

  /** Tells duplicates apart; 0 if there are none. */
  private final AtomicInteger sequence = new AtomicInteger();

  WindowBytes(WindowSupplier supplier) {
    this.windowMillis = supplier.windowSize();
    this.retainDuplicates = supplier.retainDuplicates();
    this.emittedOnClose = supplier.emittedOnClose();
    this.layout = new WindowLayout(emittedOnClose);
    this.segments =
        new SegmentedBytes(
            supplier.name(),
            supplier.metricsScope(),
            supplier.retentionPeriod(),
            new StoreFormat(
                supplier.timestamped() ? "timestamped-window" : "window",
                supplier.segmentIntervalMs()),
            layout,
            // Kafka's store of such windows keeps timestamps where others keep values without.
            supplier.timestamped() && !emittedOnClose);
  }

  @Override
  public String name() {
    return segments.attachment().name();
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    emittedByTime = emittedOnClose && !Wrappers.mayMerge(root);
    segments.init(context, root);
  }

  @Override
  public void put(Bytes key, byte @Nullable [] value, long windowStartTimestamp) {
    Objects.requireNonNull(key, "key cannot be null");
    if (value == null && retainDuplicates) {
      // Which of the duplicates would it delete?
      return;
    }
    int number = retainDuplicates ? sequence.incrementAndGet() & Integer.MAX_VALUE : 0;
    segments.put(WindowKeySchema.toStoreKeyBinary(key, windowStartTimestamp, number), value);
  }

  @Override
  public byte @Nullable [] fetch(Bytes key, long time) {
    Objects.requireNonNull(key, "key cannot be null");
    return segments.get(
        WindowKeySchema.toStoreKeyBinary(key, time, sequence.get() & Integer.MAX_VALUE));
  }

  @Override
  public WindowStoreIterator<byte[]> fetch(Bytes key, long timeFrom, long timeTo) {
    Objects.requireNonNull(key, "key cannot be null");
    return new WindowedEntries.OfKey(segments.fetch(key, timeFrom, timeTo, true));
  }

  @Override
  public WindowStoreIterator<byte[]> backwardFetch(Bytes key, long timeFrom, long timeTo) {
    Objects.requireNonNull(key, "key cannot be null");
    return new WindowedEntries.OfKey(segments.fetch(key, timeFrom, timeTo, false));
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> fetch(
      @Nullable Bytes keyFrom, @Nullable Bytes keyTo, long timeFrom, long timeTo) {
    return windowed(segments.fetch(keyFrom, keyTo, timeFrom, timeTo, true));
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFetch(
      @Nullable Bytes keyFrom, @Nullable Bytes keyTo, long timeFrom, long timeTo) {
    return windowed(segments.fetch(keyFrom, keyTo, timeFrom, timeTo, false));
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> all() {
    return fetchAll(0, Long.MAX_VALUE, true);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardAll() {
    return fetchAll(0, Long.MAX_VALUE, false);
  }

  /**
   * Returns the windows of all keys. What Kafka Streams is about to emit comes in the order of the
   * starts, because a later step with windows drops what comes too late for them.
   */
  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> fetchAll(long timeFrom, long timeTo) {
    if (!emittedByTime) {
      return fetchAll(timeFrom, timeTo, true);
    }
    long from = Math.max(timeFrom, segments.oldest());
    return windowed(segments.fetchAllByTime(from, timeTo, layout.filter(null, null, from, timeTo)));
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFetchAll(long timeFrom, long timeTo) {
    return fetchAll(timeFrom, timeTo, false);
  }

  private KeyValueIterator<Windowed<Bytes>, byte[]> fetchAll(
      long timeFrom, long timeTo, boolean forward) {
    long from = Math.max(timeFrom, segments.oldest());
    return windowed(
        segments.fetchAll(from, timeTo, layout.filter(null, null, from, timeTo), forward));
  }

  private KeyValueIterator<Windowed<Bytes>, byte[]> windowed(
      KeyValueIterator<Bytes, byte[]> entries) {
    return new WindowedEntries<>(
        entries, key -> WindowKeySchema.fromStoreBytesKey(key.get(), windowMillis));
  }

  @Override
  public <R> QueryResult<R> query(Query<R> query, PositionBound bound, QueryConfig config) {
    return segments.position().query(query, bound, config, this);
  }

  @Override
  public Position getPosition() {
    return segments.position().get();
  }

  @Override
  public void flush() {
    segments.attachment().flush();
  }

  @Override
  public void close() {
    segments.attachment().close();
  }

  @Override
  public boolean persistent() {
    return true;
  }

  @Override
  public boolean isOpen() {
    return segments.attachment().isOpen();
  }
}
