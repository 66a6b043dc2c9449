// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import io.accordiondb.kafka.streams.internal.space.KeySpace;
import io.accordiondb.kafka.streams.internal.space.SpaceBatch;
import io.accordiondb.kafka.streams.internal.space.TaskStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.VersionedKeyValueStore;
import org.apache.kafka.streams.state.VersionedRecord;
import org.jspecify.annotations.Nullable;

/**
 * The versions of keys, in an open store. The latest one of a key is in the store's own space,
 * unless it is a tombstone. Every other one is in the segment of the time at which it ends, so that
 * it can be found until that time has expired; a tombstone without a successor is in the segment of
 * its timestamp. So each version is a row of its own, and a write changes only the end of its
 * predecessor.
 */
final class Versions {
  /** A version that is not the latest one. */
  private record Row(KeySpace segment, long timestamp, byte[] stored) {
    long validTo() {
      return VersionLayout.validTo(stored);
    }
  }

  private final TaskStore store;
  private final SegmentClock clock;

  Versions(TaskStore store, SegmentClock clock) {
    this.store = store;
    this.clock = clock;
  }

  /** Returns the latest version, or null if there is none or it is a tombstone. */
  @Nullable VersionedRecord<byte[]> latest(byte[] key) {
    byte[] latest = store.get(store.main(), key);
    return latest == null
        ? null
        : new VersionedRecord<>(
            VersionLayout.valueOfLatest(latest), VersionLayout.timestampOfLatest(latest));
  }

  /**
   * Returns the version that was valid at a time, which has not expired, before the latest one. It
   * searches the newest segment first: versions move to older ones, perhaps while it searches, and
   * perhaps to one that is created meanwhile. So it asks for the next one only after each search.
   */
  @Nullable VersionedRecord<byte[]> older(byte[] key, long time) {
    NavigableMap<Long, KeySpace> segments = store.segments();
    long first = clock.segmentOf(time);
    Map.Entry<Long, KeySpace> segment = segments.lastEntry();
    while (segment != null && segment.getKey() >= first) {
      Row row = floor(segment.getValue(), key, time);
      if (row != null && row.validTo() > time) {
        byte[] value = VersionLayout.valueOf(row.stored());
        return value == null ? null : new VersionedRecord<>(value, row.timestamp(), row.validTo());
      }
      segment = segments.lowerEntry(segment.getKey());
    }
    return null;
  }

  /** Returns the versions, in order, that were valid within a range of times; both inclusive. */
  List<VersionedRecord<byte[]>> between(byte[] key, long from, long to, boolean latestAlone) {
    List<VersionedRecord<byte[]>> found = new ArrayList<>();
    if (!latestAlone) {
      byte[] first = VersionLayout.versionKey(key, Long.MIN_VALUE);
      byte[] last = VersionLayout.versionKey(key, to);
      for (KeySpace segment : store.segments().values()) {
        try (KeyValueIterator<Bytes, byte[]> rows =
            store.iterator(
                List.of(segment.range(first, last)), true, row -> VersionLayout.isOf(row, key))) {
          rows.forEachRemaining(row -> addIfValid(found, row, from));
        }
      }
    }
    VersionedRecord<byte[]> latest = latest(key);
    if (latest != null && latest.timestamp() <= to) {
      found.add(latest);
    }
    return found;
  }

  private static void addIfValid(
      List<VersionedRecord<byte[]>> found, KeyValue<Bytes, byte[]> row, long from) {
    byte[] value = VersionLayout.valueOf(row.value);
    long validTo = VersionLayout.validTo(row.value);
    if (value != null && validTo > from) {
      found.add(new VersionedRecord<>(value, VersionLayout.timestampOf(row.key.get()), validTo));
    }
  }

  /**
   * Adds a version, or replaces the one of the same timestamp; a null is a tombstone.
   *
   * @return when it ends, or a code of {@link VersionedKeyValueStore#put}
   */
  long put(SpaceBatch batch, byte[] key, byte @Nullable [] value, long timestamp) {
    byte[] latest = store.get(store.main(), key);
    if (latest != null && VersionLayout.timestampOfLatest(latest) <= timestamp) {
      if (VersionLayout.timestampOfLatest(latest) < timestamp) {
        supersede(batch, key, latest, timestamp);
      }
      return putLatest(batch, key, value, timestamp);
    }
    long end = latest == null ? VersionLayout.OPEN_END : VersionLayout.timestampOfLatest(latest);
    // An open end does not show it: a successor may have the timestamp that stands for one.
    boolean hasSuccessor = latest != null;
    Row predecessor = null;
    for (KeySpace segment : store.segments().tailMap(clock.segmentOf(timestamp), true).values()) {
      Row row = floor(segment, key, timestamp);
      if (row != null && (predecessor == null || row.timestamp() > predecessor.timestamp())) {
        predecessor = row;
      }
      OptionalLong next = nextTimestamp(segment, key, timestamp);
      if (next.isPresent()) {
        end = Math.min(end, next.getAsLong());
        hasSuccessor = true;
      }
    }
    if (predecessor != null && predecessor.validTo() > timestamp) {
      end = Math.min(end, predecessor.validTo());
      if (predecessor.timestamp() < timestamp) {
        endAt(batch, key, predecessor, timestamp);
      } else {
        // A tombstone that was the latest version is in another segment than the new one.
        batch.put(predecessor.segment(), VersionLayout.versionKey(key, timestamp), null);
      }
    }
    if (end == VersionLayout.OPEN_END && !hasSuccessor) {
      return putLatest(batch, key, value, timestamp);
    }
    if (!clock.isLive(end)) {
      return VersionedKeyValueStore.PUT_RETURN_CODE_NOT_PUT;
    }
    batch.put(
        clock.segment(store, end),
        VersionLayout.versionKey(key, timestamp),
        VersionLayout.version(value, end));
    return end;
  }

  private void supersede(SpaceBatch batch, byte[] key, byte[] latest, long end) {
    if (clock.isLive(end)) {
      batch.put(
          clock.segment(store, end),
          VersionLayout.versionKey(key, VersionLayout.timestampOfLatest(latest)),
          VersionLayout.version(VersionLayout.valueOfLatest(latest), end));
    }
  }

  private long putLatest(SpaceBatch batch, byte[] key, byte @Nullable [] value, long timestamp) {
    boolean live = clock.isLive(timestamp);
    if (value != null) {
      batch.put(store.main(), key, VersionLayout.latest(value, timestamp));
      KeySpace segment = store.segments().get(clock.segmentOf(timestamp));
      if (live && segment != null) {
        // There may be a tombstone of the same timestamp.
        batch.put(segment, VersionLayout.versionKey(key, timestamp), null);
      }
    } else {
      batch.put(store.main(), key, null);
      if (!live) {
        return VersionedKeyValueStore.PUT_RETURN_CODE_NOT_PUT;
      }
      batch.put(
          clock.segment(store, timestamp),
          VersionLayout.versionKey(key, timestamp),
          VersionLayout.version(null, VersionLayout.OPEN_END));
    }
    return VersionedKeyValueStore.PUT_RETURN_CODE_VALID_TO_UNDEFINED;
  }

  private void endAt(SpaceBatch batch, byte[] key, Row row, long end) {
    byte[] versionKey = VersionLayout.versionKey(key, row.timestamp());
    KeySpace segment = null;
    if (clock.isLive(end)) {
      segment = clock.segment(store, end);
      byte[] value = VersionLayout.valueOf(row.stored());
      batch.put(segment, versionKey, VersionLayout.version(value, end));
    }
    // This comes last, so that a batch that is too large for one commit never loses the version.
    if (segment != row.segment()) {
      batch.put(row.segment(), versionKey, null);
    }
  }

  /** Returns the last version of a segment at or before a time, or null. */
  private @Nullable Row floor(KeySpace segment, byte[] key, long time) {
    try (KeyValueIterator<Bytes, byte[]> rows =
        store.iterator(
            List.of(
                segment.range(
                    VersionLayout.versionKey(key, Long.MIN_VALUE),
                    VersionLayout.versionKey(key, time))),
            false,
            row -> VersionLayout.isOf(row, key))) {
      if (!rows.hasNext()) {
        return null;
      }
      KeyValue<Bytes, byte[]> row = rows.next();
      return new Row(segment, VersionLayout.timestampOf(row.key.get()), row.value);
    }
  }

  /** Returns the timestamp of the first version of a segment after a time, if there is one. */
  private OptionalLong nextTimestamp(KeySpace segment, byte[] key, long time) {
    if (time == Long.MAX_VALUE) {
      return OptionalLong.empty();
    }
    try (KeyValueIterator<Bytes, byte[]> rows =
        store.iterator(
            List.of(
                segment.range(
                    VersionLayout.versionKey(key, time + 1),
                    VersionLayout.versionKey(key, Long.MAX_VALUE))),
            true,
            row -> VersionLayout.isOf(row, key))) {
      return rows.hasNext()
          ? OptionalLong.of(VersionLayout.timestampOf(rows.peekNextKey().get()))
          : OptionalLong.empty();
    }
  }
}
