// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class PersistentMapModelTest {
  @Property(tries = 100)
  void behavesAsASortedMapAndNeverChanges(@ForAll long seed) {
    Random random = new Random(seed);
    int keys = 1 + random.nextInt(60);
    TreeMap<Integer, String> model = new TreeMap<>();
    PersistentMap<Integer, String> map = PersistentMap.empty();
    List<PersistentMap<Integer, String>> earlier = new ArrayList<>();
    List<Map<Integer, String>> earlierModels = new ArrayList<>();
    for (int step = 0; step < 200; step++) {
      int key = random.nextInt(keys);
      if (random.nextInt(3) > 0) {
        String value = "v" + step;
        model.put(key, value);
        map = map.with(key, value);
      } else {
        PersistentMap<Integer, String> changed = map.without(key);
        assertThat(changed == map).isEqualTo(model.remove(key) == null);
        map = changed;
      }
      if (step % 20 == 0) {
        earlier.add(map);
        earlierModels.add(new TreeMap<>(model));
      }
    }
    checkEqual(map, model, keys);
    for (int i = 0; i < earlier.size(); i++) {
      checkEqual(earlier.get(i), new TreeMap<>(earlierModels.get(i)), keys);
    }
  }

  private static void checkEqual(
      PersistentMap<Integer, String> map, TreeMap<Integer, String> model, int keys) {
    assertThat(map.size()).isEqualTo(model.size());
    assertThat(map.values()).isEqualTo(new ArrayList<>(model.values()));
    Map<Integer, String> visited = new TreeMap<>();
    map.forEach(visited::put);
    assertThat(visited).isEqualTo(model);
    for (int key = -1; key <= keys; key++) {
      assertThat(map.get(key)).isEqualTo(model.get(key));
      assertThat(map.contains(key)).isEqualTo(model.containsKey(key));
      assertThat(map.floor(key)).isEqualTo(valueOf(model.floorEntry(key)));
      assertThat(map.ceiling(key)).isEqualTo(valueOf(model.ceilingEntry(key)));
      assertThat(map.values(key, key + 10))
          .isEqualTo(new ArrayList<>(model.subMap(key, key + 10).values()));
    }
  }

  private static String valueOf(Map.Entry<Integer, String> entry) {
    return entry == null ? null : entry.getValue();
  }

  @Example
  void keysInOrderKeepItShallow() {
    PersistentMap<CountingKey, Integer> map = PersistentMap.empty();
    for (int key = 0; key < 50_000; key++) {
      map = map.with(new CountingKey(key), key);
    }
    for (int key = 0; key < 50_000; key += 2) {
      map = map.without(new CountingKey(key));
    }
    for (int key = 0; key < 50_000; key += 100) {
      CountingKey.comparisons = 0;
      assertThat(map.get(new CountingKey(key + 1))).isEqualTo(key + 1);
      // 1.44 times the logarithm of the size is what such a tree is known to stay below.
      assertThat(CountingKey.comparisons).isLessThanOrEqualTo(22);
    }
  }

  private record CountingKey(int key) implements Comparable<CountingKey> {
    static int comparisons;

    @Override
    public int compareTo(CountingKey other) {
      comparisons++;
      return Integer.compare(key, other.key);
    }
  }
}
