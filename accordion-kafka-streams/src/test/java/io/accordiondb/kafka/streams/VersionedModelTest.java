// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.kafka.streams.internal.store.VersionedBytes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.VersionedKeyValueStore;
import org.apache.kafka.streams.state.VersionedRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A versioned store shows the versions that a model shows, which keeps all of them. */
class VersionedModelTest {
  private static final String STORE = "store";
  private static final long RETENTION = 20_000;
  private static final long SEGMENT = 1_000;
  private static final int KEYS = 3;

  @TempDir Path folder;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final Map<Integer, TreeMap<Long, byte[]>> model = new HashMap<>();
  private final List<Written> written = new ArrayList<>();
  private long now;

  private record Written(int key, byte @Nullable [] value, long time) {}

  @Test
  void versionsAreThoseOfTheModel() {
    for (int run = 0; run < 4; run++) {
      model.clear();
      now = 0;
      VersionedBytes store = new VersionedBytes(STORE, RETENTION, SEGMENT);
      store.init(StoreContexts.of(folder.resolve("application").resolve("0_" + run)), store);
      written.clear();
      for (int step = 0; step < 60; step++) {
        put(store);
        check(store);
      }
      // After a crash, a store gets what it has had since its checkpoint again, in the same order.
      for (Written write : written.subList(random.nextInt(written.size()), written.size())) {
        store.put(key(write.key()), write.value(), write.time());
      }
      check(store);
      store.close();
    }
  }

  @Test
  void valueReplacesATombstoneOfItsTimestamp() {
    VersionedBytes store = new VersionedBytes(STORE, RETENTION, SEGMENT);
    store.init(StoreContexts.of(folder.resolve("application").resolve("0_0")), store);
    store.put(key(0), null, 0);
    store.put(key(0), "later".getBytes(UTF_8), 6 * SEGMENT);
    // The tombstone is in the segment of its time, the value belongs to that of its end.
    store.put(key(0), "value".getBytes(UTF_8), 0);
    assertThat(describe(store.get(key(0), 0))).isEqualTo("value at 0");
    store.put(key(0), "other".getBytes(UTF_8), 10);
    assertThat(describe(store.get(key(0), 0))).isEqualTo("value at 0");
    assertThat(describe(store.get(key(0), 10))).isEqualTo("other at 10");
    store.close();
  }

  /** The highest timestamp also stands for the end of a version without a successor. */
  @Test
  void versionsOfTheHighestTimestampsAreThoseOfTheModel() {
    byte[] older = "older".getBytes(UTF_8);
    byte[] newer = "newer".getBytes(UTF_8);
    VersionedBytes store = new VersionedBytes(STORE, RETENTION, SEGMENT);
    store.init(StoreContexts.of(folder.resolve("application").resolve("0_0")), store);
    assertThat(store.put(key(0), newer, Long.MAX_VALUE))
        .isEqualTo(VersionedKeyValueStore.PUT_RETURN_CODE_VALID_TO_UNDEFINED);
    assertThat(store.put(key(0), older, Long.MAX_VALUE - 1)).isEqualTo(Long.MAX_VALUE);
    assertThat(describe(store.get(key(0)))).isEqualTo("newer at " + Long.MAX_VALUE);
    assertThat(describe(store.get(key(0), Long.MAX_VALUE - 1)))
        .isEqualTo("older at " + (Long.MAX_VALUE - 1));

    store.put(key(1), null, Long.MAX_VALUE);
    assertThat(store.put(key(1), older, Long.MAX_VALUE - 1)).isEqualTo(Long.MAX_VALUE);
    assertThat(store.get(key(1))).isNull();
    assertThat(describe(store.get(key(1), Long.MAX_VALUE - 1)))
        .isEqualTo("older at " + (Long.MAX_VALUE - 1));

    store.put(key(2), null, Long.MAX_VALUE - 1);
    assertThat(store.put(key(2), newer, Long.MAX_VALUE))
        .isEqualTo(VersionedKeyValueStore.PUT_RETURN_CODE_VALID_TO_UNDEFINED);
    assertThat(describe(store.get(key(2)))).isEqualTo("newer at " + Long.MAX_VALUE);
    store.close();
  }

  private void put(VersionedBytes store) {
    int key = random.nextInt(KEYS);
    long time = Math.max(0, now - RETENTION - 500) + random.nextInt((int) RETENTION + 2_000);
    if (random.nextBoolean()) {
      time = time / 2_000 * 2_000; // Often one that the key has.
    }
    byte[] value =
        random.nextInt(3) == 0 ? null : String.valueOf(random.nextInt(1_000)).getBytes(UTF_8);
    long expected;
    TreeMap<Long, byte[]> versions = model.computeIfAbsent(key, k -> new TreeMap<>());
    if (time < now - RETENTION) {
      expected = VersionedKeyValueStore.PUT_RETURN_CODE_NOT_PUT;
    } else {
      versions.put(time, value);
      Long next = versions.higherKey(time);
      expected = next == null ? VersionedKeyValueStore.PUT_RETURN_CODE_VALID_TO_UNDEFINED : next;
      now = Math.max(now, time);
      written.add(new Written(key, value, time));
    }
    assertThat(store.put(key(key), value, time)).as("seed " + seed).isEqualTo(expected);
  }

  private void check(VersionedBytes store) {
    for (int key = 0; key < KEYS; key++) {
      TreeMap<Long, byte[]> versions = model.getOrDefault(key, new TreeMap<>());
      assertThat(describe(store.get(key(key))))
          .as("seed %d", seed)
          .isEqualTo(describe(versions.lastEntry()));
      for (long time = Math.max(0, now - RETENTION); time <= now; time += 1 + random.nextInt(400)) {
        assertThat(describe(store.get(key(key), time)))
            .as("seed %d, at %d of %s", seed, time, versions.keySet())
            .isEqualTo(describe(versions.floorEntry(time)));
      }
    }
  }

  private static @Nullable String describe(@Nullable VersionedRecord<byte[]> found) {
    return found == null ? null : describe(found.timestamp(), found.value());
  }

  private static @Nullable String describe(Map.@Nullable Entry<Long, byte[]> version) {
    return version == null || version.getValue() == null
        ? null
        : describe(version.getKey(), version.getValue());
  }

  private static String describe(long time, byte[] value) {
    return new String(value, UTF_8) + " at " + time;
  }

  private static Bytes key(int number) {
    return Bytes.wrap(("key" + number).getBytes(UTF_8));
  }
}
