// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.ValueTooLargeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a map promises to concurrent threads, for bytes, and after failures. */
class StoreMapTest {
  private static final int ENTRIES = 20;

  private Database database;
  private KeyValueStore raw;
  private ConcurrentNavigableMap<Integer, Integer> map;
  private final List<String> calls = new ArrayList<>();

  @BeforeEach
  void open() throws IOException {
    database =
        Database.inMemory(
            DatabaseOptions.builder().memoryBytes(4 << 20).blockCacheBytes(1 << 20).build());
    raw = database.keyValueStore("s");
    map = TypedStore.of(raw, Codecs.INTEGER, Codecs.INTEGER).asMap();
    for (int i = 0; i < ENTRIES; i++) {
      map.put(i, i);
    }
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  @Test
  void streamsBearWhatIsWrittenDuringThem() {
    for (Collection<?> view :
        List.of(map.keySet(), map.entrySet(), map.values(), map.descendingKeySet())) {
      map.put(ENTRIES, ENTRIES);
      map.put(-1, -1);
      assertThat(
              view.stream()
                  .peek(
                      any -> {
                        map.remove(ENTRIES);
                        map.remove(-1);
                      })
                  .toArray())
          .hasSizeBetween(ENTRIES, ENTRIES + 2);
      map.remove(ENTRIES);
      map.remove(-1);
    }
  }

  @Test
  void streamsHaveTheOrderOfTheMap() {
    List<Integer> up = IntStream.range(0, ENTRIES).boxed().toList();
    List<Integer> down = up.stream().sorted((a, b) -> b - a).toList();
    assertThat(map.keySet().stream().sorted(map.comparator()).toList()).isEqualTo(up);
    assertThat(map.descendingKeySet().stream().toList()).isEqualTo(down);
    assertThat(map.descendingKeySet().stream().sorted().toList()).isEqualTo(up);
    assertThat(map.values().parallelStream().toList()).isEqualTo(up);
    Spliterator<Integer> keys = map.descendingKeySet().spliterator();
    assertThat(keys.hasCharacteristics(Spliterator.SORTED | Spliterator.CONCURRENT)).isTrue();
    assertThat(keys.getComparator().compare(1, 2)).isPositive();
  }

  @Test
  void removeIfKeepsWhatHasChangedSinceItWasRead() {
    map.values()
        .removeIf(
            value -> {
              map.put(value + 1, 100);
              return value < 4 && value % 2 == 0;
            });
    assertThat(map.headMap(4)).isEqualTo(Map.of(1, 100, 2, 100, 3, 100));
    map.clear();
    map.putAll(Map.of(1, 1, 2, 2));
    assertThat(
            map.entrySet()
                .removeIf(
                    entry -> {
                      map.put(2, 3);
                      return entry.getValue() < 3;
                    }))
        .isTrue();
    assertThat(map).isEqualTo(Map.of(2, 3));
    assertThat(map.entrySet().removeIf(entry -> false)).isFalse();
  }

  @Test
  void findsValuesByTheirEncodings() throws IOException {
    Map<String, byte[]> arrays =
        TypedStore.of(database.keyValueStore("arrays"), Codecs.STRING, Codecs.BYTES).asMap();
    arrays.put("a", bytes("one"));
    arrays.put("b", bytes("two"));
    assertThat(arrays.containsValue(bytes("two"))).isTrue();
    assertThat(arrays.containsValue(bytes("three"))).isFalse();
    assertThat(arrays.values().contains(bytes("one"))).isTrue();
    assertThat(arrays.values().remove(bytes("one"))).isTrue();
    assertThat(arrays.values().remove(bytes("one"))).isFalse();
    assertThat(arrays.keySet()).containsExactly("b");
    assertThatThrownBy(() -> arrays.containsValue(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void functionsMayChangeTheArrayThatTheyReceive() {
    Map<Integer, byte[]> arrays = TypedStore.of(raw, Codecs.INTEGER, Codecs.BYTES).asMap();
    int[] calls = new int[1];
    arrays.compute(
        3,
        (key, value) -> {
          assertThat(++calls[0]).isEqualTo(1);
          value[3]++;
          return value;
        });
    assertThat(map.get(3)).isEqualTo(4);
  }

  @Test
  void returnsNoKeyTwiceAfterAFailedRead() {
    List<Boolean> failures = new ArrayList<>(List.of(true));
    ConcurrentNavigableMap<Integer, Integer> failing =
        TypedStore.of(failingOnce(failures), Codecs.INTEGER, Codecs.INTEGER).asMap();
    Iterator<Integer> keys = failing.keySet().iterator();
    assertThatThrownBy(keys::hasNext).isInstanceOf(UncheckedIOException.class);
    List<Integer> found = new ArrayList<>();
    keys.forEachRemaining(found::add);
    assertThat(found).isEqualTo(new ArrayList<>(map.keySet()));
  }

  @Test
  void removeAllOfSetsReadsNoMoreThanItIsGiven() {
    ConcurrentNavigableMap<Integer, Integer> counted = counted();
    assertThat(counted.keySet().removeAll(List.of(1, 2, ENTRIES))).isTrue();
    assertThat(counted.entrySet().removeAll(List.of(Map.entry(3, 3), Map.entry(4, 5)))).isTrue();
    assertThat(counted.keySet().removeAll(List.of(1, ENTRIES))).isFalse();
    assertThat(calls).doesNotContain("range", "reverseRange");
    assertThat(map.keySet()).hasSize(ENTRIES - 3).doesNotContain(1, 2, 3);
  }

  @Test
  void putAllReadsNothingAndWritesInParts() {
    Map<Integer, Integer> many = new TreeMap<>();
    for (int i = 0; i < 10_000; i++) {
      many.put(i, i + 1);
    }
    counted().putAll(many);
    assertThat(calls).hasSizeBetween(2, 100).containsOnly("putAll");
    assertThat(map).isEqualTo(many);
    counted().putAll(Map.of());
    assertThatThrownBy(() -> map.headMap(5).putAll(Map.of(1, 0, 5, 0)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(map).isEqualTo(many);
  }

  @Test
  void putAllWritesLessAtOnceIfTheDatabaseTakesLess() throws IOException {
    DatabaseOptions small = DatabaseOptions.builder().batchBytesMax(4 << 10).build();
    try (Database limited = Database.inMemory(small)) {
      Map<Integer, byte[]> arrays =
          TypedStore.of(limited.keyValueStore("arrays"), Codecs.INTEGER, Codecs.BYTES).asMap();
      Map<Integer, byte[]> many = new HashMap<>();
      for (int i = 0; i < 100; i++) {
        many.put(i, new byte[500]);
      }
      arrays.putAll(many);
      assertThat(arrays).hasSize(100);
      assertThatThrownBy(() -> arrays.putAll(Map.of(1, new byte[8 << 10])))
          .isInstanceOf(ValueTooLargeException.class);
    }
  }

  @Test
  void putAllWritesWhatNearlyFillsABatch() throws IOException {
    Map<Integer, byte[]> arrays = TypedStore.of(raw, Codecs.INTEGER, Codecs.BYTES).asMap();
    byte[] large = new byte[database.options().batchBytesMax() - 100];
    arrays.putAll(Map.of(1, new byte[10], 2, large, 3, new byte[10]));
    assertThat(arrays.get(2)).hasSameSizeAs(large);
  }

  /** Returns the map over a store whose calls are recorded. */
  private ConcurrentNavigableMap<Integer, Integer> counted() {
    KeyValueStore counting =
        proxy(
            KeyValueStore.class,
            raw,
            (name, result) -> {
              calls.add(name);
              return result;
            });
    ConcurrentNavigableMap<Integer, Integer> counted =
        TypedStore.of(counting, Codecs.INTEGER, Codecs.INTEGER).asMap();
    calls.clear(); // It asks for the name.
    return counted;
  }

  /** Returns the store with iterators of which one fails at its third entry. */
  private KeyValueStore failingOnce(List<Boolean> failures) {
    return proxy(
        KeyValueStore.class,
        raw,
        (name, result) -> {
          if (!(result instanceof KeyValueIterator entries)) {
            return result;
          }
          int[] read = new int[1];
          return proxy(
              KeyValueIterator.class,
              entries,
              (method, next) -> {
                if (method.equals("next") && ++read[0] == 3 && !failures.isEmpty()) {
                  failures.clear();
                  throw new UncheckedIOException(new IOException("no disk"));
                }
                return next;
              });
        });
  }

  private interface Change {
    Object apply(String method, Object result);
  }

  private static <T> T proxy(Class<T> type, T target, Change change) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              try {
                return change.apply(method.getName(), method.invoke(target, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
