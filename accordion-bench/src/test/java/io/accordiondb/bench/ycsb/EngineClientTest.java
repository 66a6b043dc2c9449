// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.bench.engine.Engines;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

class EngineClientTest {
  @TempDir Path folder;

  static Stream<String> engines() {
    return Engines.NAMES.stream();
  }

  private EngineClient client(String engine) throws DBException {
    Properties properties = new Properties();
    properties.setProperty("engine.name", engine);
    properties.setProperty("engine.dir", folder.toString());
    properties.setProperty("engine.memorybytes", "8388608");
    EngineClient client = new EngineClient();
    client.setProperties(properties);
    client.init();
    return client;
  }

  private static Map<String, ByteIterator> values(String... pairs) {
    Map<String, ByteIterator> values = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      values.put(pairs[i], new StringByteIterator(pairs[i + 1]));
    }
    return values;
  }

  private static Map<String, String> read(EngineClient client, String key, Set<String> fields) {
    Map<String, ByteIterator> found = new HashMap<>();
    client.read("t", key, fields, found);
    return StringByteIterator.getStringMap(found);
  }

  @ParameterizedTest
  @MethodSource("engines")
  void insertsUpdatesReadsScansAndDeletes(String engine) throws DBException {
    EngineClient client = client(engine);
    assertThat(client.update("t", "a", values("f0", "1"))).isEqualTo(Status.NOT_FOUND);
    assertThat(client.insert("t", "a", values("f0", "1", "f1", "2"))).isEqualTo(Status.OK);
    assertThat(client.insert("t", "b", values("f0", "3"))).isEqualTo(Status.OK);
    assertThat(client.update("t", "a", values("f1", "4"))).isEqualTo(Status.OK);
    client.cleanup();

    EngineClient again = client(engine);
    EngineClient other = client(engine);
    assertThat(read(again, "a", null)).isEqualTo(Map.of("f0", "1", "f1", "4"));
    assertThat(read(other, "a", Set.of("f1"))).isEqualTo(Map.of("f1", "4"));
    Vector<HashMap<String, ByteIterator>> rows = new Vector<>();
    assertThat(again.scan("t", "a", 10, Set.of("f0"), rows)).isEqualTo(Status.OK);
    assertThat(rows.stream().map(StringByteIterator::getStringMap))
        .containsExactly(new HashMap<>(Map.of("f0", "1")), new HashMap<>(Map.of("f0", "3")));
    assertThat(again.delete("t", "a")).isEqualTo(Status.OK);
    assertThat(other.read("t", "a", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
    again.cleanup();
    other.cleanup();
  }

  @Test
  void namesTheMissingProperty() {
    EngineClient client = new EngineClient();
    client.setProperties(new Properties());
    assertThatThrownBy(client::init)
        .isInstanceOf(DBException.class)
        .hasMessageContaining("engine.name");
  }
}
