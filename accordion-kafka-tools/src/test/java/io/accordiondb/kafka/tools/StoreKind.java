// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.accordiondb.kafka.streams.AccordionStoreSuppliers;
import io.accordiondb.kafka.streams.AccordionStores;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.kstream.EmitStrategy;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.kstream.internals.SessionWindow;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.BuiltInDslStoreSuppliers;
import org.apache.kafka.streams.state.DslSessionParams;
import org.apache.kafka.streams.state.DslStoreSuppliers;
import org.apache.kafka.streams.state.DslWindowParams;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.SessionStore;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.VersionedBytesStore;
import org.apache.kafka.streams.state.WindowStore;

/** A kind of store that Kafka has with RocksDB, and this project without. */
enum StoreKind {
  KEY_VALUE {
    @Override
    StateStore rocksDb() {
      return Stores.persistentKeyValueStore(STORE).get();
    }

    @Override
    StateStore accordion() {
      return AccordionStores.keyValueStore(STORE).get();
    }
  },
  TIMESTAMPED_KEY_VALUE {
    @Override
    StateStore rocksDb() {
      return Stores.persistentTimestampedKeyValueStore(STORE).get();
    }

    @Override
    StateStore accordion() {
      return AccordionStores.timestampedKeyValueStore(STORE).get();
    }
  },
  VERSIONED {
    @Override
    StateStore rocksDb() {
      return Stores.persistentVersionedKeyValueStore(STORE, RETENTION, SEGMENT).get();
    }

    @Override
    StateStore accordion() {
      return AccordionStores.versionedKeyValueStore(STORE, RETENTION, SEGMENT).get();
    }
  },
  WINDOW {
    @Override
    StateStore rocksDb() {
      return Stores.persistentWindowStore(STORE, RETENTION, SIZE, false).get();
    }

    @Override
    StateStore accordion() {
      return AccordionStores.windowStore(STORE, RETENTION, SIZE, false).get();
    }
  },
  WINDOW_WITH_DUPLICATES {
    @Override
    StateStore rocksDb() {
      return Stores.persistentWindowStore(STORE, RETENTION, SIZE, true).get();
    }

    @Override
    StateStore accordion() {
      return AccordionStores.windowStore(STORE, RETENTION, SIZE, true).get();
    }
  },
  TIMESTAMPED_WINDOW {
    @Override
    StateStore rocksDb() {
      return Stores.persistentTimestampedWindowStore(STORE, RETENTION, SIZE, false).get();
    }

    @Override
    StateStore accordion() {
      return AccordionStores.timestampedWindowStore(STORE, RETENTION, SIZE, false).get();
    }
  },
  SESSION {
    @Override
    StateStore rocksDb() {
      return Stores.persistentSessionStore(STORE, RETENTION).get();
    }

    @Override
    StateStore accordion() {
      return AccordionStores.sessionStore(STORE, RETENTION).get();
    }
  },
  WINDOW_EMITTED_ON_CLOSE {
    @Override
    StateStore rocksDb() {
      return ROCKS_DB.windowStore(windowParams(false)).get();
    }

    @Override
    StateStore accordion() {
      return ACCORDION.windowStore(windowParams(false)).get();
    }

    @Override
    List<String> contents(StateStore store) {
      return sorted(super.contents(store));
    }
  },
  SLIDING_WINDOW_EMITTED_ON_CLOSE {
    @Override
    StateStore rocksDb() {
      return ROCKS_DB.windowStore(windowParams(true)).get();
    }

    @Override
    StateStore accordion() {
      return ACCORDION.windowStore(windowParams(true)).get();
    }

    @Override
    List<String> contents(StateStore store) {
      return sorted(super.contents(store));
    }
  },
  SESSION_EMITTED_ON_CLOSE {
    @Override
    StateStore rocksDb() {
      return ROCKS_DB.sessionStore(SESSION_PARAMS).get();
    }

    @Override
    StateStore accordion() {
      return ACCORDION.sessionStore(SESSION_PARAMS).get();
    }

    @Override
    List<String> contents(StateStore store) {
      return sorted(super.contents(store));
    }
  };

  static final String STORE = "store";
  private static final Duration RETENTION = Duration.ofMinutes(10);
  private static final Duration SEGMENT = Duration.ofMinutes(1);
  private static final Duration SIZE = Duration.ofSeconds(10);
  private static final long START_MILLIS = 1_700_000_000_000L;
  static final int KEYS = 24;

  /**
   * Keys from here on begin with an earlier one. They do not go on with zeros, with which Kafka's
   * own bounds of key ranges are too low.
   */
  private static final int LONGER_KEYS = 20;

  private static final DslStoreSuppliers ROCKS_DB =
      new BuiltInDslStoreSuppliers.RocksDBDslStoreSuppliers();
  private static final DslStoreSuppliers ACCORDION = new AccordionStoreSuppliers();
  private static final DslSessionParams SESSION_PARAMS =
      new DslSessionParams(STORE, RETENTION, EmitStrategy.onWindowClose());

  /** Returns Kafka's store. */
  abstract StateStore rocksDb();

  /** Returns the store that replaces it. */
  abstract StateStore accordion();

  /** Writes random entries, the same for the same seed, all within the retention period. */
  void write(StateStore store, long seed, int entries) {
    Random random = new Random(seed);
    for (int i = 0; i < entries; i++) {
      write(store, random, START_MILLIS + random.nextInt((int) RETENTION.toMillis() / 2));
    }
  }

  /** Writes random entries over three retention periods, some of which come too late. */
  void writeLong(StateStore store, long seed, int entries) {
    Random random = new Random(seed);
    long span = 3 * RETENTION.toMillis();
    for (int i = 0; i < entries; i++) {
      long late = random.nextInt((int) RETENTION.toMillis() * 5 / 4);
      write(store, random, START_MILLIS + span * i / entries - (random.nextBoolean() ? late : 0));
    }
  }

  /** Asks a store that {@link #writeLong} has written to. */
  List<String> answers(StateStore store, long seed, int questions) {
    long span = 3 * RETENTION.toMillis();
    return new StoreQuestions(seed, START_MILLIS - span / 3, START_MILLIS + span, isUnordered())
        .answers(store, questions);
  }

  private boolean isUnordered() {
    return name().endsWith("EMITTED_ON_CLOSE");
  }

  @SuppressWarnings("unchecked")
  private void write(StateStore store, Random random, long time) {
    Bytes key = key(random.nextInt(KEYS));
    byte[] value = random.nextInt(4) == 0 ? null : value(random);
    if (store instanceof VersionedBytesStore versions) {
      // Kafka's own store forgets a tombstone with the timestamp of the latest version.
      if (value != null || !isLatest(versions, key, time)) {
        versions.put(key, value, time);
      }
    } else if (store instanceof WindowStore<?, ?> windows) {
      ((WindowStore<Bytes, byte[]>) windows).put(key, value, time);
    } else if (store instanceof SessionStore<?, ?> sessions) {
      SessionWindow window = new SessionWindow(time, time + random.nextInt(1_000));
      ((SessionStore<Bytes, byte[]>) sessions).put(new Windowed<>(key, window), value);
    } else {
      ((KeyValueStore<Bytes, byte[]>) store).put(key, value);
    }
  }

  private static boolean isLatest(VersionedBytesStore store, Bytes key, long time) {
    byte[] latest = store.get(key);
    return latest != null && ByteBuffer.wrap(latest).getLong() == time;
  }

  /** Returns all that the store shows. */
  @SuppressWarnings("unchecked")
  List<String> contents(StateStore store) {
    if (store instanceof VersionedBytesStore versions) {
      return versions(versions);
    }
    if (store instanceof WindowStore<?, ?> windows) {
      return entries(((WindowStore<Bytes, byte[]>) windows).all());
    }
    if (store instanceof SessionStore<?, ?> sessions) {
      return entries(((SessionStore<Bytes, byte[]>) sessions).fetch(null, null));
    }
    return entries(((KeyValueStore<Bytes, byte[]>) store).all());
  }

  private static DslWindowParams windowParams(boolean sliding) {
    return new DslWindowParams(
        STORE, RETENTION, SIZE, false, EmitStrategy.onWindowClose(), sliding, true);
  }

  /** Returns the same in an order that does not depend on the store. */
  private static List<String> sorted(List<String> contents) {
    return contents.stream().sorted().toList();
  }

  private static List<String> versions(VersionedBytesStore store) {
    List<String> versions = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      long end = START_MILLIS + RETENTION.toMillis() / 2;
      for (long time = START_MILLIS; time < end; time += 1_009) {
        byte[] found = store.get(key(i), time);
        if (found != null) {
          versions.add(i + " at " + time + "=" + HexFormat.of().formatHex(found));
        }
      }
    }
    return versions;
  }

  private static <K> List<String> entries(KeyValueIterator<K, byte[]> iterator) {
    List<String> entries = new ArrayList<>();
    try (iterator) {
      iterator.forEachRemaining(
          entry -> entries.add(entry.key + "=" + HexFormat.of().formatHex(entry.value)));
    }
    return entries;
  }

  static Bytes key(int number) {
    String key =
        number < LONGER_KEYS
            ? "key" + number
            : "key1" + "\1".repeat(5 * (number - LONGER_KEYS) + 1);
    return Bytes.wrap(key.getBytes(UTF_8));
  }

  private byte[] value(Random random) {
    byte[] value = new byte[8 + random.nextInt(20)];
    random.nextBytes(value);
    return value;
  }
}
