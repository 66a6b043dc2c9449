// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import io.accordiondb.kafka.streams.internal.space.KeyFilter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.internals.SegmentedBytesStore.KeySchema;
import org.apache.kafka.streams.state.internals.WindowKeySchema;
import org.jspecify.annotations.Nullable;

/** Keys of windows: the key, the window's start in eight bytes, a sequence number in four. */
final class WindowLayout implements SegmentLayout {
  private static final int SUFFIX_BYTES = Long.BYTES + Integer.BYTES;

  private final KeySchema schema = new WindowKeySchema();
  private final boolean emittedOnClose;

  /**
   * Makes the layout of a store.
   *
   * @param emittedOnClose whether Kafka Streams emits windows when they close
   */
  WindowLayout(boolean emittedOnClose) {
    this.emittedOnClose = emittedOnClose;
  }

  @Override
  public KeySchema schema() {
    return schema;
  }

  /** Returns the window's start. */
  static long startOf(byte[] key) {
    return ByteBuffer.wrap(key).getLong(key.length - SUFFIX_BYTES);
  }

  @Override
  public long segmentTime(byte[] key) {
    return startOf(key);
  }

  /**
   * A window that closes at this moment may start a whole retention period ago, and is still to be
   * emitted.
   */
  @Override
  public long oldest(long now, long retentionMillis) {
    return emittedOnClose
        ? now - retentionMillis
        : SegmentLayout.super.oldest(now, retentionMillis);
  }

  @Override
  public byte @Nullable [] fromRocksDb(byte[] key) {
    return emittedOnClose ? TimeFirstKeys.keyFirst(key, Long.BYTES, Integer.BYTES) : key;
  }

  @Override
  public int compareByTime(byte[] one, byte[] other) {
    int order = Long.compare(startOf(one), startOf(other));
    return order != 0
        ? order
        : Arrays.compareUnsigned(
            one, 0, one.length - SUFFIX_BYTES, other, 0, other.length - SUFFIX_BYTES);
  }

  @Override
  public long searchTo(long to) {
    return to;
  }

  @Override
  public boolean endsBefore(long to, long time) {
    return to < time;
  }

  @Override
  public KeyFilter filter(@Nullable Bytes keyFrom, @Nullable Bytes keyTo, long from, long to) {
    KeyBounds bounds = KeyBounds.of(keyFrom, keyTo);
    return key -> {
      long start = startOf(key);
      return start >= from && start <= to && bounds.contain(key, key.length - SUFFIX_BYTES);
    };
  }
}
