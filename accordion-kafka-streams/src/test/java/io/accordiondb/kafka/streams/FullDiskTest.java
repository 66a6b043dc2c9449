// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams;

import static io.accordiondb.fixtures.TestFiles.deleteFolder;
import static io.accordiondb.fixtures.TestFiles.fillDisk;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.fixtures.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A task whose disk is really full, where this test may mount one. */
class FullDiskTest {
  private static final String STORE = "table";

  @TempDir Path temporary;

  private Path disk;

  private Mount mount;

  @BeforeEach
  void mount() throws IOException, InterruptedException {
    disk = Files.createDirectory(temporary.resolve("disk"));
    mount = Mount.of("-t", "tmpfs", "-o", "size=32m", "tmpfs", disk.toString());
  }

  @AfterEach
  void unmount() throws IOException, InterruptedException {
    if (mount != null) {
      mount.close();
    }
  }

  @Test
  void taskFailsWithoutACheckpointAndNothingIsLost() throws IOException {
    StreamsBuilder builder = new StreamsBuilder();
    builder.table("input", Materialized.as(STORE));
    Properties properties = properties();
    Map<String, String> expected = new HashMap<>();
    Random random = new Random(7);
    try (TopologyTestDriver driver =
        new TopologyTestDriver(builder.build(properties), properties, Instant.EPOCH)) {
      TestInputTopic<String, String> input =
          driver.createInputTopic("input", new StringSerializer(), new StringSerializer());
      for (int i = 0; i < 2; i++) {
        // So few that no compaction is due, which would give room back later.
        pipe(input, expected, i, random);
      }
      Path checkpoint = disk.resolve("full").resolve("0_0").resolve(".checkpoint");
      String clean = Files.readString(checkpoint);
      Path ballast = Files.createDirectory(disk.resolve("ballast"));
      for (int i = 2; i < 13; i++) {
        fill(ballast);
        int key = i;
        // The driver commits after each record.
        assertThatThrownBy(() -> pipe(input, expected, key, random))
            .hasRootCauseInstanceOf(IOException.class)
            .isInstanceOf(ProcessorStateException.class);
      }
      assertThat(checkpoint).hasContent(clean.stripTrailing());
      deleteFolder(ballast);
      pipe(input, expected, 13, random);
      assertThat(Files.readString(checkpoint)).isNotEqualTo(clean);
      KeyValueStore<String, String> store = driver.getKeyValueStore(STORE);
      expected.forEach((key, value) -> assertThat(store.get(key)).as(key).isEqualTo(value));
    }
  }

  private Properties properties() {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "full");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
    properties.put(StreamsConfig.STATE_DIR_CONFIG, disk.toString());
    properties.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    properties.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    properties.put(
        StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG, AccordionStoreSuppliers.class.getName());
    properties.put(AccordionStoreConfig.MEMORY_BYTES, 16 << 20);
    return properties;
  }

  private static void pipe(
      TestInputTopic<String, String> input,
      Map<String, String> expected,
      int number,
      Random random) {
    String key = "key" + number;
    String value =
        random
            .ints(50_000, 'a', 'z' + 1)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
    expected.put(key, value);
    input.pipeInput(key, value);
  }

  /** Fills the disk until no compaction that fails because of it gives room back. */
  private static void fill(Path ballast) throws IOException {
    Path file;
    do {
      file = Files.createTempDirectory(ballast, "").resolve("file");
      fillDisk(file);
    } while (Files.size(file) > 0);
  }
}
