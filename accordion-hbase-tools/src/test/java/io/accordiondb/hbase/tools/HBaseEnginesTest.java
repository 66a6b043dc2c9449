// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Durability;
import io.accordiondb.bench.Rows;
import io.accordiondb.bench.engine.Engine;
import io.accordiondb.bench.engine.Engine.Row;
import io.accordiondb.bench.engine.Engine.Session;
import io.accordiondb.bench.engine.EngineOptions;
import io.accordiondb.bench.engine.Engines;
import io.accordiondb.bench.engine.ScanRequest;
import io.accordiondb.bench.engine.ScanRequest.Kind;
import io.accordiondb.memstore.MemStorePolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions in this process answer as a sorted map does; each opening begins with new ones. */
@Tag("slow")
class HBaseEnginesTest {
  private static final long SEED = 42;
  private static final int RECORDS = 200;
  private static final int FIELDS = 3;

  @TempDir Path folder;

  private EngineOptions options() {
    return new EngineOptions(
        folder, FIELDS, 8 << 20, 8 << 20, Durability.SYNC, MemStorePolicy.DEFAULT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hbase-accordion", "hbase-none", "hbase-basic", "hbase-adaptive-factor"})
  void agreesWithASortedMap(String name) throws IOException {
    Random random = new Random(SEED);
    Rows rows = new Rows(24, FIELDS, 20);
    TreeMap<String, byte[][]> model = new TreeMap<>();
    try (Engine engine = Engines.open(name, options());
        Session session = engine.session()) {
      for (int batch = 0; batch < 40; batch++) {
        byte[][] keys = new byte[10][];
        byte[][][] values = new byte[10][][];
        for (int i = 0; i < keys.length; i++) {
          long record = random.nextInt(RECORDS);
          keys[i] = rows.key(record);
          values[i] = rows.values(record, batch * 10L + i);
          model.put(new String(keys[i], US_ASCII), values[i]);
        }
        session.write(keys, values, keys.length);
      }
      // At the end: in HBase a delete hides what is put after it within the same millisecond.
      for (int i = 0; i < 20; i++) {
        byte[] deleted = rows.key(random.nextInt(RECORDS));
        session.delete(deleted);
        model.remove(new String(deleted, US_ASCII));
      }
      for (int record = 0; record < RECORDS; record++) {
        byte[] key = rows.key(record);
        byte[][] expected = model.get(new String(key, US_ASCII));
        for (int field = 0; field < FIELDS; field++) {
          assertThat(session.read(key, field)).isEqualTo(expected == null ? null : expected[field]);
        }
        String start = new String(key, US_ASCII);
        verify(session, Kind.FORWARD, start, model.tailMap(start));
        verify(session, Kind.REVERSE, start, model.headMap(start, true).descendingMap());
        String prefix = start.substring(0, rows.prefixBytes(RECORDS, 7));
        verify(session, Kind.PREFIX, prefix, model.subMap(prefix, prefix + "z"));
      }
      assertThat(engine.settings()).contains("HBase 2.");
    }
  }

  private static void verify(Session session, Kind kind, String key, Map<String, byte[][]> expected)
      throws IOException {
    List<Row> scanned = session.scan(new ScanRequest(kind, key.getBytes(US_ASCII), 7));
    assertThat(scanned.stream().map(row -> new String(row.key(), US_ASCII)))
        .containsExactlyElementsOf(expected.keySet().stream().limit(7).toList());
    for (Row row : scanned) {
      assertThat(row.values()).isDeepEqualTo(expected.get(new String(row.key(), US_ASCII)));
    }
  }

  @Test
  void wantsAHeapInWhichRegionsMayBlock() {
    long memory = 256L << 20;
    long cache = 128L << 20;
    assertThat(Engines.heapBytes("hbase-basic", memory, cache))
        .isGreaterThan(4 * memory + cache)
        .isLessThan(Engines.heapBytes("hbase-basic-rpc", memory, cache));
    assertThat(Engines.heapBytes("hbase-cluster-basic", memory, cache)).isEqualTo(512L << 20);
    assertThat(Engines.heapBytes("accordion", memory, cache)).isEqualTo(640L << 20);
  }

  @Test
  void readsTheNamesOfClusters() {
    assertThat(EngineName.of("hbase-cluster-basic-heap"))
        .isEqualTo(new EngineName("basic", Set.of("cluster", "heap")));
    assertThat(EngineName.of("hbase-cluster-accordion").isCluster()).isTrue();
    assertThat(EngineName.of("hbase-basic-rpc").isCluster()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"hbase-cluster", "hbase-cluster-", "hbase-basic-cluster", "hbase-"})
  void refusesNamesThatAreIncompleteOrInAnotherOrder(String name) {
    assertThatThrownBy(() -> EngineName.of(name)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void saysWhichNamesThereAre() {
    assertThatThrownBy(() -> Engines.open("hbase-lazy", options()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("hbase-lazy", "adaptive", "-rpc", "cluster-");
  }
}
