// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.RowTooLongException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import org.junit.jupiter.api.Test;

/** Views of a map that end at the longest key, which has no successor of its own length. */
class LongestKeysTest {
  private static final String LONGEST = "k".repeat(32767);

  private final Database database;
  private final TypedStore<String, Long> store;
  private final ConcurrentNavigableMap<String, Long> map;

  LongestKeysTest() throws IOException {
    database =
        Database.inMemory(
            DatabaseOptions.builder().memoryBytes(8 << 20).blockCacheBytes(1 << 20).build());
    store = TypedStore.of(database.keyValueStore("s"), Codecs.STRING, Codecs.LONG);
    map = store.asMap();
    map.put("a", 1L);
    map.put(LONGEST, 2L);
    map.put("z", 3L);
  }

  @Test
  void iteratesOverLongestKeys() {
    List<Long> up = new ArrayList<>(map.values());
    assertThat(up).containsExactly(1L, 2L, 3L);
    assertThat(map.tailMap(LONGEST, false).values()).containsExactly(3L);
    assertThat(map.headMap(LONGEST, true).values()).containsExactly(1L, 2L);
    assertThat(map.descendingMap().tailMap(LONGEST, false).values()).containsExactly(1L);
    assertThat(map.higherKey(LONGEST)).isEqualTo("z");
    assertThat(map.floorKey(LONGEST)).isEqualTo(LONGEST);
    assertThat(map.headMap("", true)).isEmpty();
    assertThat(map.tailMap("", false)).hasSize(3);
    assertThat(map.subMap("a", false, LONGEST, false)).isEmpty();
  }

  @Test
  void clearsBehindTheLongestKey() {
    map.tailMap(LONGEST, false).clear();
    assertThat(map.keySet()).containsExactly("a", LONGEST);
  }

  @Test
  void clearsUpToTheLongestKey() {
    map.headMap(LONGEST, true).clear();
    assertThat(map.keySet()).containsExactly("z");
  }

  @Test
  void clearsAll() {
    map.descendingMap().headMap("b", false).clear();
    assertThat(map.keySet()).containsExactly("a");
    map.headMap("", true).clear();
    map.tailMap("", false).clear();
    assertThat(map).isEmpty();
  }

  @Test
  void longerKeysHaveNoValue() throws IOException {
    String longer = LONGEST + "k";
    assertThat(store.get(longer)).isNull();
    assertThat(store.exists(longer)).isFalse();
    assertThat(store.multiGet(List.of("a", longer, "z"))).containsExactly(1L, null, 3L);
    assertThat(store.getAndDelete(longer)).isNull();
    assertThat(map.get(longer)).isNull();
    assertThat(map.containsKey(longer)).isFalse();
    assertThat(map.remove(longer)).isNull();
    assertThat(map.remove(longer, 1L)).isFalse();
    assertThat(map.entrySet().contains(Map.entry(longer, 1L))).isFalse();
    assertThat(map.computeIfPresent(longer, (key, value) -> value)).isNull();
    assertThatThrownBy(() -> map.put(longer, 1L)).isInstanceOf(RowTooLongException.class);
    assertThatThrownBy(() -> map.putIfAbsent(longer, 1L)).isInstanceOf(RowTooLongException.class);
  }
}
