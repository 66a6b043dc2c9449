// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import io.accordiondb.kafka.streams.internal.rocksdb.RocksDbState;
import io.accordiondb.kafka.streams.internal.space.SpaceBatch;
import io.accordiondb.kafka.streams.internal.space.TaskStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Translates the versions of a RocksDB store of Kafka Streams.
 *
 * <p>Keys begin with the number of a segment, in eight bytes; number -1 has the latest versions, in
 * the same form as here. A value of another segment has all versions of a key that end there: the
 * time at which the last one ends, the timestamp of the first one, then the timestamp and the
 * length of each from the last to the first, in eight and four bytes, then the values from the
 * first to the last. A tombstone has length -1. If both times are equal, there is nothing but a
 * tombstone of that timestamp.
 */
final class FormerVersions implements RocksDbState.Translation {
  private static final long LATEST = -1;
  private static final int VERSIONS_AT = 2 * Long.BYTES;
  private static final int VERSION_BYTES = Long.BYTES + Integer.BYTES;

  private final SegmentClock clock;

  FormerVersions(SegmentClock clock) {
    this.clock = clock;
  }

  @Override
  public void add(TaskStore target, SpaceBatch batch, byte[] segmentAndKey, byte[] value)
      throws IOException {
    long segment = ByteBuffer.wrap(segmentAndKey).getLong();
    byte[] key = Arrays.copyOfRange(segmentAndKey, Long.BYTES, segmentAndKey.length);
    if (segment == LATEST) {
      batch.put(target.main(), key, value);
    } else {
      addOlder(target, batch, key, ByteBuffer.wrap(value));
    }
  }

  private void addOlder(TaskStore target, SpaceBatch batch, byte[] key, ByteBuffer versions)
      throws IOException {
    long end = versions.getLong(0);
    long first = versions.getLong(Long.BYTES);
    if (end == first) {
      add(target, batch, key, first, null, end);
      return;
    }
    int valueAt = versions.capacity();
    int at = VERSIONS_AT;
    long timestamp;
    do {
      if (at + VERSION_BYTES > valueAt) {
        throw new IOException("A value of versions ends before the first version");
      }
      timestamp = versions.getLong(at);
      int length = versions.getInt(at + Long.BYTES);
      byte[] value = null;
      if (length >= 0) {
        valueAt -= length;
        value = new byte[length];
        versions.get(valueAt, value);
      }
      add(target, batch, key, timestamp, value, end);
      end = timestamp;
      at += VERSION_BYTES;
    } while (timestamp != first);
  }

  private void add(
      TaskStore target,
      SpaceBatch batch,
      byte[] key,
      long timestamp,
      byte @Nullable [] value,
      long end) {
    batch.put(
        target.segment(clock.segmentOf(end)),
        VersionLayout.versionKey(key, timestamp),
        VersionLayout.version(value, end));
  }
}
