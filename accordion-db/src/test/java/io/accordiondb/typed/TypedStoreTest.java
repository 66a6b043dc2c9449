// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.util.Locale.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.EmptyRowException;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Snapshot;
import io.accordiondb.WriteBatch;
import io.accordiondb.fixtures.TestData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys and values with types. */
class TypedStoreTest {
  private record OrderKey(String customer, Instant at) {}

  private static final Tuple2Codec<OrderKey, String, Instant> ORDER_KEY =
      Codecs.tuple(
          Codecs.STRING,
          OrderKey::customer,
          Codecs.INSTANT.descending(),
          OrderKey::at,
          OrderKey::new);

  private Database database;
  private KeyValueStore raw;
  private TypedStore<String, Long> hits;

  @BeforeEach
  void open() throws IOException {
    database =
        Database.inMemory(
            DatabaseOptions.builder().memoryBytes(4 << 20).blockCacheBytes(1 << 20).build());
    raw = database.keyValueStore("hits");
    hits = TypedStore.of(raw, Codecs.STRING, Codecs.LONG);
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  private static <K, V> List<K> keys(TypedIterator<K, V> entries) {
    List<K> keys = new ArrayList<>();
    try (entries) {
      entries.forEachRemaining(entry -> keys.add(entry.getKey()));
    }
    return keys;
  }

  @Test
  void writesAndReads() throws IOException {
    hits.put("b", 2L);
    hits.put("a", -1L, Durability.SKIP);
    hits.putAll(Map.of("c", 3L, "d", 4L));
    assertThat(hits.name()).isEqualTo("hits");
    assertThat(hits.get("a")).isEqualTo(-1);
    assertThat(hits.get("x")).isNull();
    assertThat(hits.exists("b")).isTrue();
    assertThat(hits.multiGet(List.of("c", "x", "a"))).containsExactly(3L, null, -1L);
    assertThat(hits.putIfAbsent("a", 9L)).isEqualTo(-1);
    assertThat(hits.putIfAbsent("e", 5L)).isNull();
    assertThat(hits.replace("x", 9L)).isNull();
    assertThat(hits.replace("e", 6L)).isEqualTo(5);
    assertThat(hits.getAndPut("e", 7L)).isEqualTo(6);
    assertThat(hits.getAndDelete("e")).isEqualTo(7);
    assertThat(hits.getAndDelete("e")).isNull();
    assertThat(hits.compareAndSet("a", 8L, 9L)).isFalse();
    assertThat(hits.compareAndSet("a", -1L, 9L)).isTrue();
    assertThat(hits.first()).isEqualTo(Map.entry("a", 9L));
    assertThat(hits.last()).isEqualTo(Map.entry("d", 4L));
    assertThat(hits.floor("bb")).isEqualTo(Map.entry("b", 2L));
    assertThat(hits.ceiling("bb")).isEqualTo(Map.entry("c", 3L));
    assertThat(keys(hits.range("b", "d"))).containsExactly("b", "c");
    assertThat(keys(hits.range("d", "b"))).isEmpty();
    assertThat(keys(hits.reverseRange("b", null))).containsExactly("d", "c", "b");
    hits.delete("a");
    hits.delete("b", Durability.FSYNC);
    assertThat(hits.count()).isEqualTo(2);
    assertThat(hits.approximateCount()).isGreaterThanOrEqualTo(2);
    assertThat(hits.approximateBytes()).isPositive();
    hits.deleteRange(null, "d");
    assertThat(keys(hits.range(null, null))).containsExactly("d");
  }

  @Test
  void snapshotsStayAsTheyWere() throws IOException {
    hits.put("a", 1L);
    try (Snapshot snapshot = database.snapshot()) {
      hits.put("a", 2L);
      hits.put("b", 3L);
      TypedReads<String, Long> before = hits.at(snapshot);
      assertThat(before.get("a")).isEqualTo(1);
      assertThat(before.last()).isEqualTo(Map.entry("a", 1L));
      assertThat(before.count()).isEqualTo(1);
    }
  }

  @Test
  void prefixesOfTuplesFindTheirOwnAlone() throws IOException {
    TypedStore<OrderKey, String> orders =
        TypedStore.of(database.keyValueStore("orders"), ORDER_KEY, Codecs.STRING);
    for (String customer : List.of("ann", "an", "anna", "a\0n", "")) {
      for (int day = 0; day < 3; day++) {
        orders.put(new OrderKey(customer, Instant.ofEpochSecond(day)), customer + day);
      }
    }
    List<String> found = new ArrayList<>();
    try (TypedIterator<OrderKey, String> ann = orders.prefix(ORDER_KEY.prefix("ann"))) {
      ann.forEachRemaining(entry -> found.add(entry.getValue()));
    }
    assertThat(found).containsExactly("ann2", "ann1", "ann0");
    assertThat(keys(orders.reversePrefix(ORDER_KEY.prefix("")))).hasSize(3);
    hits.putAll(Map.of("index", 1L, "inn", 2L, "out", 3L));
    assertThat(keys(hits.prefix(KeyPrefix.ofString("in")))).containsExactly("index", "inn");
    assertThat(keys(hits.prefix(KeyPrefix.ofBytes(new byte[] {(byte) 0xFF})))).isEmpty();
  }

  @Test
  void batchesGoOverSeveralStores() throws IOException {
    TypedStore<Long, String> names =
        TypedStore.of(database.keyValueStore("names"), Codecs.LONG, Codecs.STRING);
    hits.put("old", 1L);
    WriteBatch batch = new WriteBatch();
    hits.addPut(batch, "new", 2L);
    hits.addDelete(batch, "old");
    names.addPut(batch, 2L, "new");
    assertThat(hits.get("new")).isNull();
    database.write(batch);
    assertThat(hits.asMap()).containsExactly(Map.entry("new", 2L));
    assertThat(names.get(2L)).isEqualTo("new");
  }

  @Test
  void whatCannotBeDecodedIsNamedAndNothingChanges() throws IOException {
    raw.put(bytes("bad"), bytes("short"));
    for (ThrowingCall call :
        List.<ThrowingCall>of(
            () -> hits.get("bad"),
            () -> hits.getAndPut("bad", 1L),
            () -> hits.replace("bad", 1L),
            () -> hits.putIfAbsent("bad", 1L),
            () -> hits.getAndDelete("bad"),
            hits::first,
            () -> hits.asMap().pollFirstEntry(),
            () -> hits.asMap().merge("bad", 1L, Long::sum))) {
      assertThatThrownBy(call::run)
          .isInstanceOf(CodecException.class)
          .hasMessage(
              "store \"hits\": the value of key 626164 cannot be decoded by codec \"long\":"
                  + " expected 8 bytes, got 5");
      assertThat(raw.get(bytes("bad"))).isEqualTo(bytes("short"));
    }
    TypedStore<Integer, Long> wrong = TypedStore.of(raw, Codecs.INTEGER, Codecs.LONG);
    assertThatThrownBy(wrong::last)
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("key 626164 cannot be decoded by codec \"int\"");
    hits.put("good", 1L);
    try (TypedIterator<String, Long> entries = hits.range(null, null)) {
      assertThatThrownBy(entries::next).isInstanceOf(CodecException.class);
      assertThat(entries.next()).isEqualTo(Map.entry("good", 1L));
    }
    assertThatThrownBy(() -> hits.putAll(Map.of("fine", 1L, "half \uD800", 2L)))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("surrogate");
    assertThat(hits.exists("fine")).isFalse();
  }

  @Test
  void aDecoderThatCastsToTheWrongClassIsNamed() throws IOException {
    Codec<String> words = Codec.of(TestData::bytes, b -> (String) castOf(b.length));
    TypedStore<String, String> store = TypedStore.of(raw, Codecs.STRING, words);
    raw.put(bytes("a"), bytes("x"));
    assertThatThrownBy(() -> words.decode(bytes("x"))).isInstanceOf(CodecException.class);
    assertThatThrownBy(() -> store.get("a"))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("the value of key 61 cannot be decoded");
    assertThatThrownBy(() -> store.asMap().equals(Map.of("a", "x")))
        .isInstanceOf(CodecException.class);
  }

  private static Object castOf(int number) {
    return number;
  }

  private interface ThrowingCall {
    void run() throws IOException;
  }

  @Test
  void anEmptyKeyIsNeverThere() throws IOException {
    hits.put("a", 1L);
    assertThat(hits.get("")).isNull();
    assertThat(hits.exists("")).isFalse();
    assertThat(hits.floor("")).isNull();
    assertThat(hits.ceiling("")).isEqualTo(Map.entry("a", 1L));
    assertThat(keys(hits.range(null, ""))).isEmpty();
    assertThat(keys(hits.range("", null))).containsExactly("a");
    assertThat(hits.getAndDelete("")).isNull();
    assertThat(hits.multiGet(List.of("", "a"))).containsExactly(null, 1L);
    assertThatThrownBy(() -> hits.put("", 1L)).isInstanceOf(EmptyRowException.class);
    NavigableMap<String, Long> map = hits.asMap();
    assertThat(map.containsKey("")).isFalse();
    assertThat(map.headMap("")).isEmpty();
    assertThat(map.tailMap("")).hasSize(1);
  }

  @Test
  void countersAreThoseOfTheStore() throws IOException {
    TypedStore<String, Long> counters = TypedStore.of(raw, Codecs.STRING, Codecs.COUNTER);
    counters.put("a", -5L);
    assertThat(raw.increment(bytes("a"), 7)).isEqualTo(2);
    assertThat(counters.get("a")).isEqualTo(2);
  }

  @Test
  void mapsRefuseNullAndWrapFailures() throws IOException {
    NavigableMap<String, Long> map = hits.asMap();
    assertThatThrownBy(() -> map.get(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> map.put("a", null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> map.put(null, 1L)).isInstanceOf(NullPointerException.class);
    Object number = 1;
    assertThatThrownBy(() -> map.get(number)).isInstanceOf(ClassCastException.class);
    hits.put("a", 1L);
    assertThatThrownBy(() -> map.firstEntry().setValue(2L))
        .isInstanceOf(UnsupportedOperationException.class);
    database.dropTable("hits");
    assertThatThrownBy(map::firstEntry).isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void longWalksOfAMapReadInParts() throws IOException {
    for (int i = 0; i < 5_000; i++) {
      hits.put(String.format("%04d", i), (long) i, Durability.SKIP);
    }
    long expected = 0;
    for (Map.Entry<String, Long> entry : hits.asMap().entrySet()) {
      assertThat(entry.getValue()).isEqualTo(expected++);
    }
    for (long value : hits.asMap().descendingMap().values()) {
      assertThat(value).isEqualTo(--expected);
    }
    assertThat(expected).isZero();
  }

  @Test
  void mergesOfManyThreadsLoseNothing() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        done.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 250; i++) {
                    hits.asMap().merge("count", 1L, Long::sum);
                  }
                }));
      }
      for (Future<?> each : done) {
        each.get();
      }
    } finally {
      threads.shutdown();
    }
    assertThat(hits.get("count")).isEqualTo(1_000);
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void aMapChangesValuesThatTheCodecWouldNowEncodeInAnotherWay() throws IOException {
    Codec<String> lowerCase = Codec.of(TestData::bytes, b -> TestData.text(b).toLowerCase(ROOT));
    Map<String, String> map = TypedStore.of(raw, Codecs.STRING, lowerCase).asMap();
    raw.put(bytes("k"), bytes("OLD"));
    assertThat(map.compute("k", (key, value) -> value + "er")).isEqualTo("older");
    raw.put(bytes("k"), bytes("OLD"));
    assertThat(map.computeIfPresent("k", (key, value) -> value + "er")).isEqualTo("older");
    raw.put(bytes("k"), bytes("OLD"));
    assertThat(map.merge("k", "er", String::concat)).isEqualTo("older");
    raw.put(bytes("k"), bytes("OLD"));
    map.replaceAll((key, value) -> value + "er");
    assertThat(raw.get(bytes("k"))).isEqualTo(bytes("older"));
    assertThat(map.compute("k", (key, value) -> null)).isNull();
    assertThat(map.computeIfPresent("k", (key, value) -> "er")).isNull();
    assertThat(map).isEmpty();
  }

  @Test
  void aSubMapChangesNoValueOutside() throws IOException {
    hits.put("b", 1L);
    NavigableMap<String, Long> ofA = hits.asMap().subMap("a", true, "a", true);
    assertThat(ofA.computeIfPresent("b", (key, value) -> 2L)).isNull();
    assertThat(ofA.compute("b", (key, value) -> value)).isNull();
    assertThatThrownBy(() -> ofA.compute("b", (key, value) -> 2L))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ofA.merge("b", 2L, Long::sum))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(hits.get("b")).isEqualTo(1L);
  }
}
