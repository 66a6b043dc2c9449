// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import io.accordiondb.kafka.streams.internal.space.KeyFilter;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.internals.SegmentedBytesStore.KeySchema;
import org.jspecify.annotations.Nullable;

/** The key format of a segmented store, which is where windows and sessions differ. */
interface SegmentLayout {
  /** Returns how Kafka encodes the keys. */
  KeySchema schema();

  /** Returns the time that says to which segment a key belongs. */
  long segmentTime(byte[] key);

  /** Returns the oldest time that has not expired in a store that has reached a time. */
  default long oldest(long now, long retentionMillis) {
    return now - retentionMillis + 1;
  }

  /** Returns the key of an entry of Kafka's RocksDB store, or null if the entry is not needed. */
  default byte @Nullable [] fromRocksDb(byte[] key) {
    return key;
  }

  /** Returns the time up to which segments have to be searched for keys of a range of times. */
  long searchTo(long to);

  /** Returns whether a range of times that ends before another time has no keys. */
  boolean endsBefore(long to, long time);

  /**
   * Compares the keys of two entries by their times, and by the keys of the application where the
   * times are equal.
   */
  int compareByTime(byte[] one, byte[] other);

  /** Returns the first key that one key may have from a time on. */
  default Bytes lowest(Bytes key, long from) {
    return schema().lowerRangeFixedSize(key, from);
  }

  /** Returns the last key that one key may have up to a time. */
  default Bytes highest(Bytes key, long to) {
    return schema().upperRangeFixedSize(key, to);
  }

  /** Returns a key below all that a range of keys may have from a time on. */
  default Bytes lowestOfRange(Bytes keyFrom, long from) {
    return schema().lowerRange(keyFrom, from);
  }

  /** Returns a key above all that a range of keys may have up to a time. */
  default Bytes highestOfRange(Bytes keyTo, long to) {
    return schema().upperRange(keyTo, to);
  }

  /**
   * Accepts what belongs to a range of keys and a range of times, all inclusive; null for no bound.
   */
  KeyFilter filter(@Nullable Bytes keyFrom, @Nullable Bytes keyTo, long from, long to);
}
