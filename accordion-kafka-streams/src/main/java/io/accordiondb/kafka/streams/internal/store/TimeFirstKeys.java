// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The keys of Kafka's RocksDB stores for windows and sessions that are emitted when they close.
 * They begin with a byte 0, the times of the window or session, and the key. Keys that begin with a
 * byte 1 are an index of these.
 */
final class TimeFirstKeys {
  private static final byte ENTRY = 0;

  private TimeFirstKeys() {}

  /**
   * Returns a key in the order of the other stores, or null if it belongs to the index.
   *
   * @param timeBytes how many bytes of times are before the key, which is to come before them
   * @param tailBytes how many bytes follow the key, which remain last
   */
  static byte @Nullable [] keyFirst(byte[] timeFirst, int timeBytes, int tailBytes) {
    if (timeFirst[0] != ENTRY) {
      return null;
    }
    int keyAt = 1 + timeBytes;
    int tailAt = timeFirst.length - tailBytes;
    return ByteBuffer.allocate(timeFirst.length - 1)
        .put(timeFirst, keyAt, tailAt - keyAt)
        .put(timeFirst, 1, timeBytes)
        .put(timeFirst, tailAt, tailBytes)
        .array();
  }
}
