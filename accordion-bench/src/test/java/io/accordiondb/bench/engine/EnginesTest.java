// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Durability;
import io.accordiondb.bench.Rows;
import io.accordiondb.bench.engine.Engine.Row;
import io.accordiondb.bench.engine.Engine.Session;
import io.accordiondb.bench.engine.ScanRequest.Kind;
import io.accordiondb.memstore.MemStorePolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every engine answers as a sorted map does. */
@Tag("slow")
class EnginesTest {
  private static final long SEED = 42;
  private static final int RECORDS = 300;
  private static final int BATCHES = 60;
  private static final int KEY_BYTES = 24;

  @TempDir Path folder;

  static Stream<Arguments> enginesAndFields() {
    return Engines.NAMES.stream()
        .flatMap(name -> Stream.of(1, 3, 12).map(fields -> Arguments.of(name, fields)));
  }

  private EngineOptions options(int fields, Durability durability) {
    return new EngineOptions(
        folder.resolve(durability.name()),
        fields,
        8 << 20,
        8 << 20,
        durability,
        MemStorePolicy.DEFAULT);
  }

  @ParameterizedTest
  @MethodSource("enginesAndFields")
  void agreesWithASortedMapBeforeAndAfterReopening(String name, int fields) throws IOException {
    TreeMap<String, byte[][]> model = new TreeMap<>();
    try (Engine engine = Engines.open(name, options(fields, Durability.SYNC))) {
      assertThat(engine.settings()).doesNotContain("unknown", "@").matches(".*\\d.*");
      writeBatches(engine, fields, model);
      verify(engine, fields, model);
    }
    try (Engine engine = Engines.open(name, options(fields, Durability.SYNC))) {
      verify(engine, fields, model);
    }
  }

  private static void writeBatches(Engine engine, int fields, TreeMap<String, byte[][]> model)
      throws IOException {
    Random random = new Random(SEED);
    Rows rows = new Rows(KEY_BYTES, fields, 20);
    try (Session session = engine.session()) {
      for (int batch = 0; batch < BATCHES; batch++) {
        int size = 1 + random.nextInt(20);
        byte[][] keys = new byte[size][];
        byte[][][] values = new byte[size][][];
        for (int i = 0; i < size; i++) {
          long record = random.nextInt(RECORDS);
          keys[i] = rows.key(record);
          values[i] = rows.values(record, batch * 100L + i);
          model.put(new String(keys[i], US_ASCII), values[i]);
        }
        session.write(keys, values, size);
        byte[] deleted = rows.key(random.nextInt(RECORDS));
        session.delete(deleted);
        model.remove(new String(deleted, US_ASCII));
      }
    }
  }

  private static void verify(Engine engine, int fields, TreeMap<String, byte[][]> model)
      throws IOException {
    Rows rows = new Rows(KEY_BYTES, fields, 20);
    try (Session session = engine.session()) {
      for (int record = 0; record < RECORDS; record++) {
        byte[] key = rows.key(record);
        byte[][] expected = model.get(new String(key, US_ASCII));
        for (int field = 0; field < fields; field++) {
          assertThat(session.read(key, field)).isEqualTo(expected == null ? null : expected[field]);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("enginesAndFields")
  void scansAsASortedMapBeforeAndAfterReopening(String name, int fields) throws IOException {
    List<Kind> kinds =
        name.equals("leveldb") ? List.of(Kind.FORWARD, Kind.PREFIX) : List.of(Kind.values());
    TreeMap<String, byte[][]> model = new TreeMap<>();
    try (Engine engine = Engines.open(name, options(fields, Durability.SYNC))) {
      verifyScans(engine, kinds, model);
      writeBatches(engine, fields, model);
      verifyScans(engine, kinds, model);
    }
    try (Engine engine = Engines.open(name, options(fields, Durability.SYNC))) {
      verifyScans(engine, kinds, model);
    }
  }

  private static void verifyScans(Engine engine, List<Kind> kinds, TreeMap<String, byte[][]> model)
      throws IOException {
    Rows rows = new Rows(KEY_BYTES, 1, 1);
    int prefixBytes = rows.prefixBytes(RECORDS, 3);
    try (Session session = engine.session()) {
      for (Kind kind : kinds) {
        // Below all rows, the prefix of all, above all.
        for (String key : List.of("a", "user", "z")) {
          verifyScan(session, kind, key, 7, model);
          verifyScan(session, kind, key, 2 * RECORDS, model);
        }
        // Some of these records were deleted, or never written.
        for (int record = 0; record < RECORDS; record++) {
          String key = new String(rows.key(record), US_ASCII);
          verifyScan(session, kind, key, 7, model);
          verifyScan(session, kind, key.substring(0, prefixBytes), 7, model);
        }
      }
    }
  }

  private static void verifyScan(
      Session session, Kind kind, String key, int count, TreeMap<String, byte[][]> model)
      throws IOException {
    Map<String, byte[][]> expected =
        switch (kind) {
          case FORWARD -> model.tailMap(key);
          case REVERSE -> model.headMap(key, true).descendingMap();
          case PREFIX -> model.subMap(key, key + Character.MAX_VALUE);
        };
    List<Row> scanned = session.scan(new ScanRequest(kind, key.getBytes(US_ASCII), count));
    assertThat(scanned.stream().map(row -> new String(row.key(), US_ASCII)))
        .as("%s of %d from %s", kind, count, key)
        .containsExactlyElementsOf(expected.keySet().stream().limit(count).toList());
    for (Row row : scanned) {
      assertThat(row.values()).isDeepEqualTo(model.get(new String(row.key(), US_ASCII)));
    }
  }

  @Test
  void saysThatLevelDbHasNoReverseScans() throws IOException {
    try (Engine engine = Engines.open("leveldb", options(1, Durability.SYNC));
        Session session = engine.session()) {
      assertThatThrownBy(() -> session.scan(new ScanRequest(Kind.REVERSE, new byte[] {'z'}, 1)))
          .isInstanceOf(EngineUnavailableException.class)
          .hasMessageContainingAll("leveldb", "reverse");
    }
  }

  @ParameterizedTest
  @MethodSource("enginesAndFields")
  void keepsWhatWasWrittenUnderEveryDurability(String name, int fields) throws IOException {
    for (Durability durability : Durability.values()) {
      if (durability == Durability.SKIP) {
        continue;
      }
      byte[][] keys = {durability.name().getBytes(US_ASCII)};
      byte[][][] values = {new Rows(KEY_BYTES, fields, 5).values(1, 1)};
      try (Engine engine = Engines.open(name, options(fields, durability));
          Session session = engine.session()) {
        session.write(keys, values, 1);
      }
      try (Engine engine = Engines.open(name, options(fields, durability));
          Session session = engine.session()) {
        assertThat(session.read(keys[0], fields - 1)).isEqualTo(values[0][fields - 1]);
      }
    }
  }

  @Test
  void saysWhichLibraryIsMissingOrCannotBeLoaded() {
    assertThatThrownBy(
            () ->
                Engines.available(
                    "lmdb",
                    () -> {
                      throw new NoClassDefFoundError("org/lmdbjava/Env");
                    }))
        .isInstanceOf(EngineUnavailableException.class)
        .hasMessageContainingAll("lmdb", "class path", "org/lmdbjava/Env");
    assertThatThrownBy(
            () ->
                Engines.available(
                    "rocksdb",
                    () -> {
                      throw new UnsatisfiedLinkError("no librocksdbjni for this machine");
                    }))
        .isInstanceOf(EngineUnavailableException.class)
        .hasMessageContainingAll("rocksdb", "on this machine", "no librocksdbjni");
    assertThatThrownBy(() -> Engines.open("nothing", options(1, Durability.SYNC)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("nothing", "xodus");
  }
}
