// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams;

import static io.accordiondb.fixtures.TestFiles.copyFolder;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.VersionedBytesStore;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.internals.WindowKeySchema;
import org.apache.kafka.test.InternalMockProcessorContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store has after it was restored from a changelog, compared with a model. */
class RestoreTest {
  private static final String STORE = "store";
  private static final int KEYS = 300;

  @TempDir Path folder;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private long offset;

  @Test
  void keyValueStoreHasTheNewestValueOfEachKey() {
    TreeMap<Bytes, byte[]> model = new TreeMap<>();
    Path task = folder.resolve("application").resolve("0_0");
    for (int opening = 0; opening < 3; opening++) {
      var context = StoreContexts.of(task);
      KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore(STORE).get();
      store.init(context, store);
      assertHolds(store, model);
      for (int step = 0; step < 60; step++) {
        switch (random.nextInt(8)) {
          case 0 -> assertHolds(store, model);
          case 1 -> store.flush();
          case 2 -> {
            Bytes key = key(random.nextInt(KEYS));
            assertThat(store.get(key)).as("seed " + seed).isEqualTo(model.get(key));
          }
          case 3 -> {
            // A standby task that became active.
            Bytes key = key(random.nextInt(KEYS));
            byte[] value = value();
            store.put(key, value);
            model.put(key, value);
          }
          default -> {
            List<ConsumerRecord<byte[], byte[]>> batch = batch(400);
            context.restoreWithHeaders(STORE, batch);
            batch.forEach(entry -> apply(model, entry));
          }
        }
      }
      store.close();
    }
  }

  @Test
  void manyRecordsAreRestored() {
    TreeMap<Bytes, byte[]> model = new TreeMap<>();
    var context = StoreContexts.of(folder.resolve("application").resolve("0_0"));
    KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore(STORE).get();
    store.init(context, store);
    for (int batches = 0; batches < 20; batches++) {
      List<ConsumerRecord<byte[], byte[]>> batch = new ArrayList<>();
      for (int i = 0; i < 2_000; i++) {
        batch.add(changelogRecord(key(random.nextInt(50_000)).get(), value(), 0));
      }
      context.restoreWithHeaders(STORE, batch);
      batch.forEach(entry -> apply(model, entry));
    }
    assertThat(store.approximateNumEntries()).as("seed " + seed).isEqualTo(model.size());
    assertHolds(store, model);
    store.close();
  }

  @Test
  void restorationThatWasKilledGoesOnFromItsCheckpoint() throws IOException {
    TreeMap<Bytes, byte[]> model = new TreeMap<>();
    List<List<ConsumerRecord<byte[], byte[]>>> changelog =
        Stream.generate(() -> batch(400)).limit(12).toList();
    Path home = folder.resolve("application");
    var context = StoreContexts.of(home.resolve("0_0"));
    KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore(STORE).get();
    store.init(context, store);
    int checkpoint = 4;
    for (int i = 0; i < 8; i++) {
      context.restoreWithHeaders(STORE, changelog.get(i));
      if (i == checkpoint - 1) {
        store.flush();
        changelog.subList(0, checkpoint).forEach(batch -> batch.forEach(r -> apply(model, r)));
      }
    }
    // What is in the files is what a process that is killed now leaves behind.
    Path left = folder.resolve("left").resolve("application");
    copyFolder(home, left);
    store.close();
    var next = StoreContexts.of(left.resolve("0_0"));
    KeyValueStore<Bytes, byte[]> again = AccordionStores.keyValueStore(STORE).get();
    again.init(next, again);
    assertHolds(again, model);
    for (List<ConsumerRecord<byte[], byte[]>> batch : changelog.subList(checkpoint, 12)) {
      next.restoreWithHeaders(STORE, batch);
      batch.forEach(entry -> apply(model, entry));
    }
    assertHolds(again, model);
    again.close();
  }

  @Test
  void windowStoreHasWhatHasNotExpired() {
    Duration retention = Duration.ofMinutes(10);
    Duration size = Duration.ofMinutes(1);
    WindowStore<Bytes, byte[]> store =
        AccordionStores.windowStore(STORE, retention, size, false).get();
    WindowStore<Bytes, byte[]> model =
        Stores.inMemoryWindowStore(STORE, retention, size, false).get();
    var context = open(store, "0_0");
    var modelContext = open(model, "0_1");
    long time = 1_000_000;
    for (int i = 0; i < 40; i++) {
      List<ConsumerRecord<byte[], byte[]>> batch = new ArrayList<>();
      for (int j = 0; j < 100; j++) {
        time += random.nextInt(2_000);
        long start = time - random.nextInt(120_000);
        byte[] key = WindowKeySchema.toStoreKeyBinary(key(random.nextInt(20)), start, 0).get();
        batch.add(changelogRecord(key, random.nextInt(4) == 0 ? null : value(), start));
      }
      context.restoreWithHeaders(STORE, batch);
      modelContext.restoreWithHeaders(STORE, batch);
      if (random.nextInt(3) == 0) {
        long from = time - size.toMillis();
        assertThat(contents(store.fetchAll(from, time)))
            .as("seed " + seed)
            .isEqualTo(contents(model.fetchAll(from, time)));
      }
    }
    assertThat(contents(store.fetchAll(0, time)))
        .as("seed " + seed)
        .isEqualTo(contents(model.fetchAll(0, time)))
        .isNotEmpty();
    store.close();
    model.close();
  }

  /** Kafka has no versioned store in memory, so the model is a store that was written by puts. */
  @Test
  void versionedStoreHasAllVersions() {
    Duration history = Duration.ofHours(1);
    VersionedBytesStore restored =
        (VersionedBytesStore) AccordionStores.versionedKeyValueStore(STORE, history).get();
    VersionedBytesStore model =
        (VersionedBytesStore) Stores.persistentVersionedKeyValueStore("model", history).get();
    var context = open(restored, "0_0");
    open(model, "0_1");
    for (int i = 0; i < 20; i++) {
      List<ConsumerRecord<byte[], byte[]>> batch = new ArrayList<>();
      for (int j = 0; j < 30; j++) {
        byte[] value = random.nextInt(4) == 0 ? null : value();
        long time = 10_000_000 + random.nextInt(1_000_000);
        Bytes key = key(random.nextInt(10));
        batch.add(changelogRecord(key.get(), value, time));
        model.put(key, value, time);
      }
      context.restoreWithHeaders(STORE, batch);
    }
    for (int i = 0; i < 10; i++) {
      for (long time = 10_000_000; time <= 11_000_000; time += 9_973) {
        assertThat(restored.get(key(i), time))
            .as("seed " + seed + ", key " + i + " at " + time)
            .isEqualTo(model.get(key(i), time));
      }
    }
    restored.close();
    model.close();
  }

  private InternalMockProcessorContext<Object, Object> open(StateStore store, String task) {
    var context = StoreContexts.of(folder.resolve("application").resolve(task));
    store.init(context, store);
    return context;
  }

  private List<ConsumerRecord<byte[], byte[]>> batch(int records) {
    List<ConsumerRecord<byte[], byte[]>> batch = new ArrayList<>();
    for (int i = random.nextInt(records); i >= 0; i--) {
      byte[] value = random.nextInt(4) == 0 ? null : value();
      batch.add(changelogRecord(key(random.nextInt(KEYS)).get(), value, 0));
    }
    return batch;
  }

  private ConsumerRecord<byte[], byte[]> changelogRecord(byte[] key, byte[] value, long time) {
    return new ConsumerRecord<>(
        "changelog",
        0,
        offset++,
        time,
        TimestampType.CREATE_TIME,
        key.length,
        value == null ? 0 : value.length,
        key,
        value,
        new RecordHeaders(),
        Optional.empty());
  }

  private static void apply(TreeMap<Bytes, byte[]> model, ConsumerRecord<byte[], byte[]> entry) {
    if (entry.value() == null) {
      model.remove(Bytes.wrap(entry.key()));
    } else {
      model.put(Bytes.wrap(entry.key()), entry.value());
    }
  }

  private void assertHolds(KeyValueStore<Bytes, byte[]> store, TreeMap<Bytes, byte[]> model) {
    List<KeyValue<Bytes, byte[]>> held = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
      all.forEachRemaining(held::add);
    }
    assertThat(held).as("seed " + seed).extracting(entry -> entry.key).isEqualTo(keys(model));
    assertThat(held.stream().map(entry -> Bytes.wrap(entry.value)))
        .as("seed " + seed)
        .isEqualTo(model.values().stream().map(Bytes::wrap).toList());
  }

  private static List<Bytes> keys(TreeMap<Bytes, byte[]> model) {
    return List.copyOf(model.keySet());
  }

  private static TreeMap<String, Bytes> contents(
      KeyValueIterator<Windowed<Bytes>, byte[]> iterator) {
    TreeMap<String, Bytes> contents = new TreeMap<>();
    try (iterator) {
      iterator.forEachRemaining(
          entry -> contents.put(entry.key.toString(), Bytes.wrap(entry.value)));
    }
    return contents;
  }

  private static Bytes key(int number) {
    return Bytes.wrap(("key" + number).getBytes(UTF_8));
  }

  private byte[] value() {
    byte[] value = new byte[random.nextInt(200)];
    random.nextBytes(value);
    return value;
  }
}
