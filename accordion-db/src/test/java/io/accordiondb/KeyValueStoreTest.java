// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys and values against a sorted map, and what only they have. */
class KeyValueStoreTest {
  private static final int KEYS = 40;

  @TempDir Path folder;

  /** A store, what it must hold, and what it must hold as of a snapshot. */
  private static final class Checked {
    final Random random;
    final NavigableMap<byte[], byte[]> expected = new TreeMap<>(Arrays::compareUnsigned);
    int written;

    Checked(long seed) {
      random = new Random(seed);
    }

    byte[] key() {
      return bytes("key" + random.nextInt(KEYS));
    }

    byte[] value() {
      return bytes("value" + written++);
    }

    /** Does one thing to both, and compares the answers. */
    void write(Database database, KeyValueStore store) throws IOException {
      byte[] key = key();
      byte[] value = value();
      byte[] before = expected.get(key);
      switch (random.nextInt(11)) {
        case 0 -> {
          assertThat(store.putIfAbsent(key, value)).isEqualTo(before);
          expected.putIfAbsent(key, value);
        }
        case 1 -> {
          assertThat(store.replace(key, value)).isEqualTo(before);
          expected.replace(key, value);
        }
        case 2 -> {
          boolean right = random.nextBoolean();
          byte[] guess = right ? before : bytes("another");
          byte[] next = random.nextInt(4) == 0 ? null : value;
          assertThat(store.compareAndSet(key, guess, next)).isEqualTo(right);
          if (right) {
            set(key, next);
          }
        }
        case 3 -> {
          assertThat(store.getAndPut(key, value)).isEqualTo(before);
          expected.put(key, value);
        }
        case 4 -> {
          List<KeyValue> entries = List.of(new KeyValue(key, value), new KeyValue(key(), value()));
          store.putAll(entries);
          entries.forEach(entry -> expected.put(entry.key(), entry.value()));
        }
        case 5 -> {
          store.delete(key);
          expected.remove(key);
        }
        case 6 -> deleteRange(store);
        case 7 -> {
          byte[] other = key();
          database.write(new WriteBatch().put(store, key, value).delete(store, other));
          expected.put(key, value);
          expected.remove(other);
        }
        case 8 -> database.flushInMemory(store.name());
        case 9 -> database.flush();
        default -> {
          store.put(key, value);
          expected.put(key, value);
        }
      }
    }

    private void set(byte[] key, byte @Nullable [] value) {
      if (value == null) {
        expected.remove(key);
      } else {
        expected.put(key, value);
      }
    }

    private void deleteRange(KeyValueStore store) throws IOException {
      byte[] from = random.nextInt(20) == 0 ? null : key();
      byte[] to = from != null && random.nextInt(20) == 0 ? null : key();
      if (from != null && to != null && Arrays.compareUnsigned(from, to) > 0) {
        byte[] lower = to;
        to = from;
        from = lower;
      }
      NavigableMap<byte[], byte[]> gone = from == null ? expected : expected.tailMap(from, true);
      gone = to == null ? gone : gone.headMap(to, false);
      store.deleteRange(from, to);
      gone.clear();
    }
  }

  private static void check(KeyValueReads store, NavigableMap<byte[], byte[]> expected, byte[] key)
      throws IOException {
    assertThat(store.get(key)).isEqualTo(expected.get(key));
    assertThat(store.exists(key)).isEqualTo(expected.containsKey(key));
    assertThat(store.multiGet(List.of(key, bytes("none"))))
        .usingElementComparator(Arrays::compare)
        .containsExactly(expected.get(key), null);
    same(store.first(), expected.firstEntry());
    same(store.last(), expected.lastEntry());
    same(store.floor(key), expected.floorEntry(key));
    same(store.ceiling(key), expected.ceilingEntry(key));
    assertThat(keys(store.range(key, null))).isEqualTo(texts(expected.tailMap(key, true)));
    assertThat(keys(store.reverseRange(null, key)))
        .isEqualTo(texts(expected.headMap(key, false).descendingMap()));
    assertThat(keys(store.prefix(key)))
        .isEqualTo(
            texts(expected).stream()
                .filter(text -> text.startsWith(new String(key, US_ASCII)))
                .toList());
  }

  private static void same(
      @Nullable KeyValue found, NavigableMap.@Nullable Entry<byte[], byte[]> expected) {
    assertThat(found == null).isEqualTo(expected == null);
    if (found != null && expected != null) {
      assertThat(found.key()).isEqualTo(expected.getKey());
      assertThat(found.value()).isEqualTo(expected.getValue());
    }
  }

  private static List<String> texts(NavigableMap<byte[], byte[]> map) {
    return map.keySet().stream().map(key -> new String(key, US_ASCII)).toList();
  }

  private static List<String> keys(KeyValueIterator iterator) {
    List<String> keys = new ArrayList<>();
    try (iterator) {
      iterator.forEachRemaining(entry -> keys.add(new String(entry.key(), US_ASCII)));
    }
    return keys;
  }

  @ParameterizedTest
  @EnumSource(Policy.class)
  void itIsASortedMap(Policy policy) throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .memoryBytes(8 << 20)
            .memStorePolicy(MemStorePolicy.of(policy))
            .build();
    Checked checked = new Checked(policy.ordinal());
    for (int opening = 0; opening < 4; opening++) {
      try (Database database = Database.open(folder, options)) {
        writeAndCheck(database, checked, 20);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Policy.class)
  void itIsASortedMapInMemory(Policy policy) throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .memoryBytes(8 << 20)
            .memStorePolicy(MemStorePolicy.of(policy))
            .build();
    try (Database database = Database.inMemory(options)) {
      writeAndCheck(database, new Checked(100 + policy.ordinal()), 80);
    }
  }

  private static void writeAndCheck(Database database, Checked checked, int rounds)
      throws IOException {
    KeyValueStore store = database.keyValueStore("s");
    for (int round = 0; round < rounds; round++) {
      try (Snapshot snapshot = database.snapshot()) {
        NavigableMap<byte[], byte[]> before = new TreeMap<>(checked.expected);
        for (int step = 0; step < 15; step++) {
          checked.write(database, store);
        }
        check(store, checked.expected, checked.key());
        check(store.at(snapshot), before, checked.key());
      }
    }
  }

  @Test
  void arraysOfBoundsMayBeUsedAgainWhileAnIteratorIsOpen() throws IOException {
    try (Database database = Database.open(folder)) {
      KeyValueStore store = database.keyValueStore("s");
      for (String key : List.of("a", "b", "c", "d")) {
        store.put(bytes(key), bytes(key));
      }
      byte[] from = bytes("b");
      byte[] to = bytes("d");
      byte[] prefix = bytes("b");
      try (KeyValueIterator up = store.range(from, to);
          KeyValueIterator down = store.reverseRange(from, to);
          KeyValueIterator withPrefix = store.prefix(prefix);
          KeyValueCursor cursor = store.cursor(from, to)) {
        from[0] = 'a';
        to[0] = 'z';
        prefix[0] = 'c';
        assertThat(up)
            .toIterable()
            .extracting(each -> (char) each.key()[0])
            .containsExactly('b', 'c');
        assertThat(down)
            .toIterable()
            .extracting(each -> (char) each.key()[0])
            .containsExactly('c', 'b');
        assertThat(withPrefix.next().key()).isEqualTo(bytes("b"));
        cursor.refresh();
        assertThat(cursor.first()).isTrue();
        assertThat(cursor.keyBytes()).isEqualTo(bytes("b"));
        assertThat(cursor.last()).isTrue();
        assertThat(cursor.keyBytes()).isEqualTo(bytes("c"));
      }
    }
  }

  @Test
  void anEmptyKeyIsABoundAndNoKey() throws IOException {
    try (Database database = Database.open(folder)) {
      KeyValueStore store = database.keyValueStore("s");
      store.put(bytes("a"), bytes("1"));
      byte[] empty = {};
      assertThat(store.floor(empty)).isNull();
      assertThat(store.ceiling(empty).key()).isEqualTo(bytes("a"));
      assertThatIllegalArgumentException().isThrownBy(() -> store.putIfAbsent(empty, empty));
      assertThatIllegalArgumentException().isThrownBy(() -> store.exists(empty));
    }
  }

  /** The application that has written the value had a clock that was ahead. */
  @Test
  void aConditionalWriteReplacesAlsoAValueThatIsDatedAhead() throws IOException {
    try (Database database = Database.open(folder)) {
      KeyValueStore store = database.keyValueStore("s");
      byte[] key = bytes("k");
      long ahead = System.currentTimeMillis() + 3_600_000;
      database
          .table("s")
          .put(new Put(key).addColumn(bytes(KeyValueStore.FAMILY), new byte[0], ahead, bytes("1")));
      assertThat(store.compareAndSet(key, bytes("1"), bytes("2"))).isTrue();
      assertThat(store.get(key)).isEqualTo(bytes("2"));
      assertThat(store.replace(key, bytes("3"))).isEqualTo(bytes("2"));
      assertThat(store.getAndPut(key, bytes("4"))).isEqualTo(bytes("3"));
      database.transact(
          transaction -> {
            KeyValueStore within = transaction.keyValueStore("s");
            assertThat(within.getAndPut(key, bytes("5"))).isEqualTo(bytes("4"));
            assertThat(within.get(key)).isEqualTo(bytes("5"));
            return within.compareAndSet(key, bytes("5"), bytes("6"));
          });
      assertThat(store.get(key)).isEqualTo(bytes("6"));
      assertThat(store.compareAndSet(key, bytes("6"), null)).isTrue();
      assertThat(store.get(key)).isNull();
    }
  }

  @Test
  void ofManyWhoSetTheSameValueOneSucceeds() throws Exception {
    try (Database database = Database.open(folder)) {
      KeyValueStore store = database.keyValueStore("s");
      ExecutorService threads = Executors.newFixedThreadPool(4);
      try {
        for (int round = 0; round < 200; round++) {
          byte[] key = bytes("key" + round);
          List<Future<Boolean>> attempts = new ArrayList<>();
          for (int thread = 0; thread < 4; thread++) {
            byte[] mine = bytes("thread" + thread);
            attempts.add(
                threads.submit(
                    () ->
                        store.putIfAbsent(key, mine) == null
                            && store.compareAndSet(key, mine, bytes("done"))));
          }
          int succeeded = 0;
          for (Future<Boolean> attempt : attempts) {
            succeeded += attempt.get() ? 1 : 0;
          }
          assertThat(succeeded).isEqualTo(1);
          assertThat(store.get(key)).isEqualTo(bytes("done"));
        }
      } finally {
        threads.shutdownNow();
      }
    }
  }

  @Test
  void aStoreIsCreatedWithOptionsOfItsOwn() throws IOException {
    FamilyDescriptor options =
        FamilyDescriptor.builder(KeyValueStore.FAMILY).compression(Compression.NONE).build();
    try (Database database = Database.open(folder)) {
      database.keyValueStore("carts", options).put(bytes("a"), bytes("1"));
      assertThat(database.describe("carts").family(KeyValueStore.FAMILY).compression())
          .isEqualTo(Compression.NONE);
      assertThat(database.keyValueStore("carts").get(bytes("a")))
          .as("what is there stays")
          .isEqualTo(bytes("1"));
      assertThat(database.describe("carts").family(KeyValueStore.FAMILY).compression())
          .isEqualTo(Compression.NONE);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> database.keyValueStore("other", FamilyDescriptor.of("f")))
          .withMessageContaining("family f")
          .withMessageContaining(KeyValueStore.FAMILY);
      assertThat(database.exists("other")).isFalse();
    }
  }

  @Test
  void sizesGrowWithWhatIsThere() throws IOException {
    try (Database database = Database.open(folder)) {
      KeyValueStore store = database.keyValueStore("s");
      assertThat(store.approximateCount()).isZero();
      for (int i = 0; i < 1000; i++) {
        store.put(bytes("key" + i), new byte[100], Durability.ASYNC);
      }
      assertThat(store.approximateCount()).isEqualTo(1000);
      assertThat(store.approximateBytes()).isGreaterThan(100_000);
      database.flush();
      assertThat(store.approximateCount()).isEqualTo(1000);
      assertThat(store.approximateBytes()).isPositive();
    }
  }
}
