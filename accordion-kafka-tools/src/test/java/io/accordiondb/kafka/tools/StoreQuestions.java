// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.SessionStore;
import org.apache.kafka.streams.state.VersionedBytesStore;
import org.apache.kafka.streams.state.WindowStore;
import org.jspecify.annotations.Nullable;

/** Asks stores at random, the same for the same seed, also at and beyond the edges of time. */
final class StoreQuestions {
  private static final long[] EDGES = {
    Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE - 1, Long.MAX_VALUE
  };

  private final Random random;
  private final long from;
  private final long to;

  /** Whether the stores that are compared return the same in a different order. */
  private final boolean unordered;

  StoreQuestions(long seed, long from, long to, boolean unordered) {
    this.random = new Random(seed);
    this.from = from;
    this.to = to;
    this.unordered = unordered;
  }

  /** Returns questions, each with its answer. */
  @SuppressWarnings("unchecked")
  List<String> answers(StateStore store, int questions) {
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < questions; i++) {
      if (store instanceof VersionedBytesStore versions) {
        answers.add(version(versions));
      } else if (store instanceof WindowStore<?, ?> windows) {
        answers.add(windows((WindowStore<Bytes, byte[]>) windows));
      } else if (store instanceof SessionStore<?, ?> sessions) {
        answers.add(sessions((SessionStore<Bytes, byte[]>) sessions));
      } else {
        answers.add(entries((KeyValueStore<Bytes, byte[]>) store));
      }
    }
    return answers;
  }

  private String version(VersionedBytesStore store) {
    Bytes key = key();
    long time = random.nextInt(4) == 0 ? edge() : time();
    return key + " at " + time + ": " + text(store.get(key, time)) + ", " + text(store.get(key));
  }

  private String windows(WindowStore<Bytes, byte[]> store) {
    Bytes key = key();
    Bytes keyFrom = keyOrNull();
    Bytes keyTo = keyOrNull();
    long begin = time();
    long end = time();
    int question = random.nextInt(9);
    String asked = question + " " + key + " " + keyFrom + " " + keyTo + " " + begin + " " + end;
    return asked
        + ": "
        + switch (question) {
          case 0 -> text(store.fetch(key, begin));
          case 1 -> all(store.fetch(key, begin, end));
          case 2 -> all(store.backwardFetch(key, begin, end));
          case 3 -> all(store.fetch(keyFrom, keyTo, begin, end));
          case 4 -> all(store.backwardFetch(keyFrom, keyTo, begin, end));
          case 5 -> all(store.fetchAll(begin, end));
          case 6 -> all(store.backwardFetchAll(begin, end));
          case 7 -> all(store.all());
          default -> all(store.backwardAll());
        };
  }

  private String sessions(SessionStore<Bytes, byte[]> store) {
    Bytes key = key();
    Bytes keyFrom = keyOrNull();
    Bytes keyTo = keyOrNull();
    long begin = time();
    // Kafka refuses to search for sessions that begin before time 0.
    long end = Math.max(0, time());
    int question = random.nextInt(8);
    String asked = question + " " + key + " " + keyFrom + " " + keyTo + " " + begin + " " + end;
    return asked
        + ": "
        + switch (question) {
          case 0 -> found(store, key);
          case 1 -> all(store.findSessions(key, begin, end));
          case 2 -> all(store.backwardFindSessions(key, begin, end));
          case 3 -> all(store.findSessions(keyFrom, keyTo, begin, end));
          case 4 -> all(store.backwardFindSessions(keyFrom, keyTo, begin, end));
          case 5 -> all(store.fetch(key)) + all(store.backwardFetch(key));
          case 6 -> all(store.fetch(keyFrom, keyTo));
          default -> all(store.backwardFetch(keyFrom, keyTo));
        };
  }

  /** Fetches the sessions of a key one by one, some of which may have expired. */
  private static String found(SessionStore<Bytes, byte[]> store, Bytes key) {
    StringBuilder found = new StringBuilder();
    try (KeyValueIterator<Windowed<Bytes>, byte[]> sessions = store.fetch(key)) {
      sessions.forEachRemaining(
          session ->
              found.append(
                  text(
                      store.fetchSession(
                          key, session.key.window().start(), session.key.window().end()))));
    }
    return found.toString();
  }

  private String entries(KeyValueStore<Bytes, byte[]> store) {
    Bytes key = key();
    Bytes keyFrom = keyOrNull();
    Bytes keyTo = keyOrNull();
    int question = random.nextInt(4);
    return question
        + " "
        + key
        + " "
        + keyFrom
        + " "
        + keyTo
        + ": "
        + switch (question) {
          case 0 -> text(store.get(key));
          case 1 -> all(store.range(keyFrom, keyTo));
          case 2 -> all(store.reverseRange(keyFrom, keyTo));
          default -> all(store.prefixScan(key, (topic, prefix) -> prefix.get()));
        };
  }

  private <K> String all(KeyValueIterator<K, byte[]> iterator) {
    List<String> entries = new ArrayList<>();
    try (iterator) {
      iterator.forEachRemaining(entry -> entries.add(entry.key + "=" + text(entry.value)));
    }
    return (unordered ? entries.stream().sorted().toList() : entries).toString();
  }

  private static String text(byte @Nullable [] value) {
    return value == null ? "none" : HexFormat.of().formatHex(value);
  }

  private Bytes key() {
    return StoreKind.key(random.nextInt(StoreKind.KEYS));
  }

  private @Nullable Bytes keyOrNull() {
    return random.nextInt(4) == 0 ? null : key();
  }

  private long time() {
    return random.nextInt(4) == 0 ? edge() : from + (long) (random.nextDouble() * (to - from));
  }

  private long edge() {
    return EDGES[random.nextInt(EDGES.length)];
  }
}
