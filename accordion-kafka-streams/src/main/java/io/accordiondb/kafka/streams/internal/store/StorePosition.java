// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import io.accordiondb.kafka.streams.internal.space.StoreOpening;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.ChangelogRecordDeserializationHelper;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.state.internals.OffsetCheckpoint;
import org.apache.kafka.streams.state.internals.StoreQueryUtils;
import org.jspecify.annotations.Nullable;

/**
 * How far a store has followed its inputs, for queries that ask for a position. It is written to a
 * file in the task's directory when the task is committed. A thread that writes to a store and
 * updates the position holds the lock of the position, as Kafka's queries do.
 */
final class StorePosition {
  private Position position = Position.emptyPosition();
  private @Nullable StateStoreContext context;
  private boolean consistencyVector;

  /**
   * Reads the position of a store that is being opened, and registers the store for restoration.
   */
  void attach(
      StateStoreContext storeContext,
      StateStore root,
      String name,
      RecordBatchingStateRestoreCallback restore) {
    OffsetCheckpoint file = new OffsetCheckpoint(StoreOpening.positionFile(storeContext, name));
    position = StoreQueryUtils.readPositionFromCheckpoint(file);
    context = storeContext;
    consistencyVector =
        StreamsConfig.InternalConfig.getBoolean(
            storeContext.appConfigs(),
            StreamsConfig.InternalConfig.IQ_CONSISTENCY_OFFSET_VECTOR_ENABLED,
            false);
    storeContext.register(root, restore, () -> StoreQueryUtils.checkpointPosition(file, position));
  }

  /** Returns the position, which is also its lock. */
  Position get() {
    return position;
  }

  /** Adds the record that is being processed to the position. */
  void note() {
    StoreQueryUtils.updatePosition(position, context);
  }

  /** Adds a record of the changelog to the position. */
  void noteRestored(ConsumerRecord<byte[], byte[]> changelogRecord) {
    ChangelogRecordDeserializationHelper.applyChecksAndUpdatePosition(
        changelogRecord, consistencyVector, position);
  }

  /** Answers the queries that every store answers. */
  <R> QueryResult<R> query(
      Query<R> query, PositionBound bound, QueryConfig config, StateStore store) {
    return StoreQueryUtils.handleBasicQueries(query, bound, config, store, position, context);
  }

  /** Returns whether the store has followed its inputs as far as a query asks for. */
  boolean reaches(PositionBound bound) {
    return context != null
        && StoreQueryUtils.isPermitted(position, bound, context.taskId().partition());
  }

  /** Answers a query that asks for more than {@link #reaches}. */
  <R> QueryResult<R> notReached(PositionBound bound) {
    return QueryResult.notUpToBound(
        position, bound, context == null ? null : context.taskId().partition());
  }
}
