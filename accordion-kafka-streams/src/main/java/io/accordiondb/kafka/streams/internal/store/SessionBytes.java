// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import io.accordiondb.kafka.streams.internal.space.StoreFormat;
import java.util.Objects;
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
import org.apache.kafka.streams.state.SessionStore;
import org.apache.kafka.streams.state.internals.SessionKeySchema;
import org.jspecify.annotations.Nullable;

/** A session store. One thread writes, any number may read. */
final class SessionBytes implements SessionStore<Bytes, byte[]> {
  private final SegmentedBytes segments;

  SessionBytes(SessionSupplier supplier) {
    this.segments =
        new SegmentedBytes(
            supplier.name(),
            supplier.metricsScope(),
            supplier.retentionPeriod(),
            new StoreFormat("session", supplier.segmentIntervalMs()),
            new SessionLayout(supplier.emittedOnClose()),
            false);
  }

  @Override
  public String name() {
    return segments.attachment().name();
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    segments.init(context, root);
  }

  @Override
  public void put(Windowed<Bytes> session, byte @Nullable [] aggregate) {
    segments.put(SessionKeySchema.toBinary(session), aggregate);
  }

  @Override
  public void remove(Windowed<Bytes> session) {
    segments.remove(SessionKeySchema.toBinary(session));
  }

  @Override
  public byte @Nullable [] fetchSession(Bytes key, long sessionStartTime, long sessionEndTime) {
    Objects.requireNonNull(key, "key cannot be null");
    return segments.get(SessionKeySchema.toBinary(key, sessionStartTime, sessionEndTime));
  }

  /**
   * Finds sessions of all keys, among them those that have expired while their segment is there:
   * Kafka Streams asks for sessions that it emits when the retention period is over. They come in
   * the order of their ends, because a later step with windows drops what comes too late for them.
   */
  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> findSessions(
      long earliestSessionEndTime, long latestSessionEndTime) {
    return sessions(
        segments.fetchAllByTime(
            earliestSessionEndTime,
            latestSessionEndTime,
            key -> {
              long end = SessionLayout.endOf(key);
              return end >= earliestSessionEndTime && end <= latestSessionEndTime;
            }));
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> findSessions(
      Bytes key, long earliestSessionEndTime, long latestSessionStartTime) {
    Objects.requireNonNull(key, "key cannot be null");
    return sessions(segments.fetch(key, earliestSessionEndTime, latestSessionStartTime, true));
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFindSessions(
      Bytes key, long earliestSessionEndTime, long latestSessionStartTime) {
    Objects.requireNonNull(key, "key cannot be null");
    return sessions(segments.fetch(key, earliestSessionEndTime, latestSessionStartTime, false));
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> findSessions(
      @Nullable Bytes keyFrom,
      @Nullable Bytes keyTo,
      long earliestSessionEndTime,
      long latestSessionStartTime) {
    return sessions(
        segments.fetch(keyFrom, keyTo, earliestSessionEndTime, latestSessionStartTime, true));
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFindSessions(
      @Nullable Bytes keyFrom,
      @Nullable Bytes keyTo,
      long earliestSessionEndTime,
      long latestSessionStartTime) {
    return sessions(
        segments.fetch(keyFrom, keyTo, earliestSessionEndTime, latestSessionStartTime, false));
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> fetch(Bytes key) {
    return findSessions(key, 0, Long.MAX_VALUE);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFetch(Bytes key) {
    return backwardFindSessions(key, 0, Long.MAX_VALUE);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> fetch(
      @Nullable Bytes keyFrom, @Nullable Bytes keyTo) {
    return findSessions(keyFrom, keyTo, 0, Long.MAX_VALUE);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFetch(
      @Nullable Bytes keyFrom, @Nullable Bytes keyTo) {
    return backwardFindSessions(keyFrom, keyTo, 0, Long.MAX_VALUE);
  }

  private static KeyValueIterator<Windowed<Bytes>, byte[]> sessions(
      KeyValueIterator<Bytes, byte[]> entries) {
    return new WindowedEntries<>(entries, SessionKeySchema::from);
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
