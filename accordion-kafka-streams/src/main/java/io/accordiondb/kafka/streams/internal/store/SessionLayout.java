// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import io.accordiondb.kafka.streams.internal.space.KeyFilter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.internals.SegmentedBytesStore.KeySchema;
import org.apache.kafka.streams.state.internals.SessionKeySchema;
import org.jspecify.annotations.Nullable;

/** Keys of sessions: the key, the session's end and its start in eight bytes each. */
final class SessionLayout implements SegmentLayout {
  private static final int SUFFIX_BYTES = 2 * Long.BYTES;

  private final KeySchema schema = new SessionKeySchema();
  private final boolean emittedOnClose;

  /**
   * Makes the layout of a store.
   *
   * @param emittedOnClose whether Kafka Streams emits sessions when they close
   */
  SessionLayout(boolean emittedOnClose) {
    this.emittedOnClose = emittedOnClose;
  }

  @Override
  public KeySchema schema() {
    return schema;
  }

  /** Returns the session's end. */
  static long endOf(byte[] key) {
    return ByteBuffer.wrap(key).getLong(key.length - SUFFIX_BYTES);
  }

  /** Returns the session's start. */
  static long startOf(byte[] key) {
    return ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
  }

  @Override
  public long segmentTime(byte[] key) {
    return endOf(key);
  }

  @Override
  public byte @Nullable [] fromRocksDb(byte[] key) {
    return emittedOnClose ? TimeFirstKeys.keyFirst(key, SUFFIX_BYTES, 0) : key;
  }

  @Override
  public int compareByTime(byte[] one, byte[] other) {
    int order = Long.compare(endOf(one), endOf(other));
    if (order == 0) {
      order = Long.compare(startOf(one), startOf(other));
    }
    return order != 0
        ? order
        : Arrays.compareUnsigned(
            one, 0, one.length - SUFFIX_BYTES, other, 0, other.length - SUFFIX_BYTES);
  }

  @Override
  public long searchTo(long to) {
    return Long.MAX_VALUE;
  }

  @Override
  public boolean endsBefore(long to, long time) {
    return false;
  }

  @Override
  public KeyFilter filter(@Nullable Bytes keyFrom, @Nullable Bytes keyTo, long from, long to) {
    KeyBounds bounds = KeyBounds.of(keyFrom, keyTo);
    return key ->
        endOf(key) >= from && startOf(key) <= to && bounds.contain(key, key.length - SUFFIX_BYTES);
  }
}
