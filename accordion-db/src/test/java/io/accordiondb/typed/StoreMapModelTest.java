// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Snapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random operations on a store's map and its views, each compared with a {@link TreeMap}. */
class StoreMapModelTest {
  private static final int OPERATIONS = 3_000;
  private static final int KEYS = 24;

  /** A view of a map, and the same view of the model. */
  private record Views<K>(NavigableMap<K, String> actual, NavigableMap<K, String> expected) {}

  /** One sequence of operations. */
  private static final class Run<K> {
    private final Random random;
    private final List<K> keys;
    private final Views<K> whole;
    private int written;

    Run(long seed, List<K> keys, Comparator<K> order, TypedStore<K, String> store) {
      random = new Random(seed);
      this.keys = keys;
      whole = new Views<>(store.asMap(), new TreeMap<>(order));
    }

    K key() {
      return keys.get(random.nextInt(keys.size()));
    }

    String value() {
      return "value" + written++ % 50;
    }

    void step() {
      Views<K> views = whole;
      for (int depth = random.nextInt(4); depth > 0 && views != null; depth--) {
        views = narrowed(views);
      }
      if (views == null) {
        return;
      }
      if (random.nextBoolean()) {
        write(views);
      } else {
        read(views);
      }
      if (random.nextInt(20) == 0) {
        compareAll(views);
      }
    }

    /** Returns a view of a view, or null if both refuse it. */
    private @Nullable Views<K> narrowed(Views<K> views) {
      K from = key();
      K to = key();
      boolean a = random.nextBoolean();
      boolean b = random.nextBoolean();
      NavigableMap<K, String> actual = views.actual;
      NavigableMap<K, String> expected = views.expected;
      return switch (random.nextInt(4)) {
        case 0 -> new Views<>(actual.descendingMap(), expected.descendingMap());
        case 1 -> both(() -> actual.headMap(to, b), () -> expected.headMap(to, b));
        case 2 -> both(() -> actual.tailMap(from, a), () -> expected.tailMap(from, a));
        default -> both(() -> actual.subMap(from, a, to, b), () -> expected.subMap(from, a, to, b));
      };
    }

    private @Nullable Views<K> both(
        Callable<NavigableMap<K, String>> actual, Callable<NavigableMap<K, String>> expected) {
      Object a = outcome(actual);
      Object b = outcome(expected);
      if (a instanceof Class || b instanceof Class) {
        assertThat(a).isEqualTo(b);
        return null;
      }
      try {
        return new Views<>(actual.call(), expected.call());
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }

    private static @Nullable Object outcome(Callable<?> call) {
      try {
        return call.call();
      } catch (Exception e) {
        return e.getClass();
      }
    }

    private void same(Callable<?> actual, Callable<?> expected) {
      assertThat(outcome(actual)).isEqualTo(outcome(expected));
    }

    private void write(Views<K> views) {
      NavigableMap<K, String> a = views.actual;
      NavigableMap<K, String> e = views.expected;
      K k = key();
      String v = value();
      String guess = random.nextBoolean() && e.get(k) != null ? e.get(k) : "value3";
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> same(() -> a.put(k, v), () -> e.put(k, v));
        case 3 -> same(() -> a.remove(k), () -> e.remove(k));
        case 4 -> same(() -> a.remove(k, guess), () -> e.remove(k, guess));
        case 5 -> {
          if (views == whole) {
            same(() -> a.putIfAbsent(k, v), () -> e.putIfAbsent(k, v));
            same(() -> a.replace(k, v), () -> e.replace(k, v));
            same(() -> a.replace(k, guess, v + "x"), () -> e.replace(k, guess, v + "x"));
          }
        }
        case 6 -> {
          if (views == whole) {
            same(() -> a.merge(k, v, String::concat), () -> e.merge(k, v, String::concat));
            same(() -> a.compute(k, (x, y) -> null), () -> e.compute(k, (x, y) -> null));
            same(() -> a.computeIfAbsent(k, x -> v), () -> e.computeIfAbsent(k, x -> v));
          }
        }
        case 7 -> same(a::pollFirstEntry, e::pollFirstEntry);
        case 8 -> same(a::pollLastEntry, e::pollLastEntry);
        case 9 -> {
          Iterator<Map.Entry<K, String>> x = a.entrySet().iterator();
          Iterator<K> y = e.navigableKeySet().iterator();
          while (y.hasNext()) {
            assertThat(x.next().getKey()).isEqualTo(y.next());
            if (random.nextInt(6) == 0) {
              x.remove();
              y.remove();
              assertThatThrownBy(x::remove).isInstanceOf(IllegalStateException.class);
            }
          }
          assertThat(x.hasNext()).isFalse();
        }
        case 10 -> {
          if (random.nextInt(8) == 0) {
            a.clear();
            e.clear();
          }
        }
        default -> same(() -> a.keySet().remove(k), () -> e.keySet().remove(k));
      }
    }

    private void read(Views<K> views) {
      NavigableMap<K, String> a = views.actual;
      NavigableMap<K, String> e = views.expected;
      K k = key();
      same(() -> a.get(k), () -> e.get(k));
      same(() -> a.containsKey(k), () -> e.containsKey(k));
      same(() -> a.lowerEntry(k), () -> e.lowerEntry(k));
      same(() -> a.floorKey(k), () -> e.floorKey(k));
      same(() -> a.ceilingEntry(k), () -> e.ceilingEntry(k));
      same(() -> a.higherKey(k), () -> e.higherKey(k));
      same(a::firstEntry, e::firstEntry);
      same(a::lastKey, e::lastKey);
      same(() -> a.navigableKeySet().floor(k), () -> e.navigableKeySet().floor(k));
      same(() -> a.descendingKeySet().higher(k), () -> e.descendingKeySet().higher(k));
      same(
          () -> new ArrayList<>(a.navigableKeySet().tailSet(k)),
          () -> new ArrayList<>(e.navigableKeySet().tailSet(k)));
    }

    private void compareAll(Views<K> views) {
      NavigableMap<K, String> a = views.actual;
      NavigableMap<K, String> e = views.expected;
      assertThat(new ArrayList<>(a.entrySet())).isEqualTo(new ArrayList<>(e.entrySet()));
      assertThat(new ArrayList<>(a.descendingMap().values()))
          .isEqualTo(new ArrayList<>(e.descendingMap().values()));
      assertThat(a).hasSize(e.size());
      assertThat(a.isEmpty()).isEqualTo(e.isEmpty());
      assertThat(a.equals(e)).isTrue();
      assertThat(a.hashCode()).isEqualTo(e.hashCode());
      assertThat(e.entrySet().stream().allMatch(a.entrySet()::contains)).isTrue();
    }
  }

  private static DatabaseOptions options() {
    return DatabaseOptions.builder().memoryBytes(4 << 20).blockCacheBytes(1 << 20).build();
  }

  private <K> void run(long seed, List<K> keys, Comparator<K> order, KeyCodec<K> codec)
      throws IOException {
    try (Database database = Database.inMemory(options())) {
      TypedStore<K, String> store =
          TypedStore.of(database.keyValueStore("map"), codec, Codecs.STRING);
      Run<K> run = new Run<>(seed, keys, order, store);
      Snapshot snapshot = null;
      Map<K, String> then = Map.of();
      for (int i = 0; i < OPERATIONS; i++) {
        run.step();
        if (i % 500 == 100) {
          database.flush();
          if (snapshot != null) {
            List<K> seen = new ArrayList<>();
            try (TypedIterator<K, String> entries = store.at(snapshot).range(null, null)) {
              entries.forEachRemaining(entry -> seen.add(entry.getKey()));
            }
            assertThat(seen).isEqualTo(new ArrayList<>(then.keySet()));
            snapshot.close();
          }
          snapshot = database.snapshot();
          then = new TreeMap<>(run.whole.expected);
        }
      }
      run.compareAll(run.whole);
      assertThat(store.count()).isEqualTo(run.whole.expected.size());
      if (snapshot != null) {
        snapshot.close();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void numbers(long seed) throws IOException {
    List<Long> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      keys.add(i - KEYS / 2L);
    }
    run(seed, keys, Comparator.<Long>naturalOrder(), Codecs.LONG);
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5, 6})
  void stringsDescending(long seed) throws IOException {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      keys.add("b".repeat(i % 4) + (char) ('a' + i / 4));
    }
    keys.add("");
    run(seed, keys, Comparator.<String>reverseOrder(), Codecs.STRING.descending());
  }
}
