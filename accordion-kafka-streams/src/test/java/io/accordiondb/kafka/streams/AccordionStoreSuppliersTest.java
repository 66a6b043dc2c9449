// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.AppInfoParser;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.EmitStrategy;
import org.apache.kafka.streams.kstream.GlobalKTable;
import org.apache.kafka.streams.kstream.JoinWindows;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.KTable;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.SessionWindows;
import org.apache.kafka.streams.kstream.Suppressed;
import org.apache.kafka.streams.kstream.Suppressed.BufferConfig;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.state.BuiltInDslStoreSuppliers;
import org.apache.kafka.streams.state.DslStoreSuppliers;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One line of configuration changes where the state is kept, and nothing of what comes out. */
@Tag("slow")
class AccordionStoreSuppliersTest {
  private static final int RECORDS = 200;

  @TempDir Path folder;

  @Test
  void resultsAreThoseOfStoresInMemory() {
    long seed = System.nanoTime();
    List<TestRecord<String, String>> expected =
        run(BuiltInDslStoreSuppliers.InMemoryDslStoreSuppliers.class, seed);
    assertThat(run(AccordionStoreSuppliers.class, seed))
        .as("results, with seed " + seed)
        .hasSizeGreaterThan(RECORDS)
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void versionIsTheOneThatIsToBeTested() {
    assertThat(AppInfoParser.getVersion()).isEqualTo(System.getProperty("kafka.version"));
  }

  @Test
  void versionedStoreJoinsAsOfATime() {
    StreamsBuilder builder = new StreamsBuilder();
    KTable<String, String> versions =
        builder.table(
            "right",
            Materialized.as(
                AccordionStores.versionedKeyValueStore("versions", Duration.ofMinutes(5))));
    builder.<String, String>stream("left")
        .join(versions, AccordionStoreSuppliersTest::pair)
        .to("out");
    Properties properties = StoreContexts.ofTopology(folder, AccordionStoreSuppliers.class);
    try (TopologyTestDriver driver =
        new TopologyTestDriver(builder.build(properties), properties, Instant.EPOCH)) {
      input(driver, "right").pipeInput("key", "old", 1_000);
      input(driver, "right").pipeInput("key", "new", 2_000);
      input(driver, "left").pipeInput("key", "at 1500", 1_500);
      input(driver, "left").pipeInput("key", "at 2500", 2_500);
      assertThat(output(driver).readValuesToList()).containsExactly("at 1500+old", "at 2500+new");
    }
  }

  private List<TestRecord<String, String>> run(
      Class<? extends DslStoreSuppliers> suppliers, long seed) {
    Properties properties = StoreContexts.ofTopology(folder, suppliers);
    StreamsBuilder builder = new StreamsBuilder();
    addAll(builder);
    try (TopologyTestDriver driver =
        new TopologyTestDriver(builder.build(properties), properties, Instant.EPOCH)) {
      return results(driver, new Random(seed));
    }
  }

  private static List<TestRecord<String, String>> results(
      TopologyTestDriver driver, Random random) {
    TestInputTopic<String, String> left = input(driver, "left");
    TestInputTopic<String, String> right = input(driver, "right");
    TestInputTopic<String, String> global = input(driver, "global");
    TestOutputTopic<String, String> output = output(driver);
    List<TestRecord<String, String>> results = new ArrayList<>();
    long time = 0;
    for (int i = 0; i < RECORDS; i++) {
      time += random.nextInt(2_000);
      String key = "key" + random.nextInt(8);
      String value = random.nextInt(10) == 0 ? null : "value" + i;
      switch (random.nextInt(5)) {
        case 0 -> global.pipeInput(key, value, time);
        case 1, 2 -> right.pipeInput(key, value, time);
        default -> left.pipeInput(key, value, Math.max(0, time - random.nextInt(3_000)));
      }
      results.addAll(output.readRecordsToList());
    }
    return results;
  }

  private static TestInputTopic<String, String> input(TopologyTestDriver driver, String topic) {
    return driver.createInputTopic(topic, new StringSerializer(), new StringSerializer());
  }

  private static TestOutputTopic<String, String> output(TopologyTestDriver driver) {
    return driver.createOutputTopic("out", new StringDeserializer(), new StringDeserializer());
  }

  private static void addAll(StreamsBuilder builder) {
    KStream<String, String> left = builder.stream("left");
    KTable<String, String> right = builder.table("right");
    GlobalKTable<String, String> global = builder.globalTable("global");
    Duration size = Duration.ofSeconds(5);
    Duration grace = Duration.ofSeconds(2);
    send(left.join(right, AccordionStoreSuppliersTest::pair), "stream and table");
    send(
        left.leftJoin(global, (key, value) -> key, AccordionStoreSuppliersTest::pair),
        "global table");
    send(
        left.outerJoin(
            left.filter((key, value) -> key.hashCode() % 2 == 0),
            AccordionStoreSuppliersTest::pair,
            JoinWindows.ofTimeDifferenceAndGrace(size, grace)),
        "streams");
    KTable<String, String> table = left.toTable();
    send(table.outerJoin(right, AccordionStoreSuppliersTest::pair).toStream(), "tables");
    send(
        table
            .join(right, value -> "key" + value.length() % 8, AccordionStoreSuppliersTest::pair)
            .toStream(),
        "foreign key");
    send(left.groupByKey().count().toStream().mapValues(String::valueOf), "count");
    send(
        left.groupByKey()
            .windowedBy(TimeWindows.ofSizeAndGrace(size, grace).advanceBy(Duration.ofSeconds(1)))
            .count(Materialized.with(Serdes.String(), Serdes.Long()))
            .suppress(Suppressed.untilWindowCloses(BufferConfig.unbounded()))
            .toStream((key, count) -> key.toString())
            .mapValues(String::valueOf),
        "windows");
    send(
        left.groupByKey()
            .windowedBy(TimeWindows.ofSizeAndGrace(size, grace))
            .emitStrategy(EmitStrategy.onWindowClose())
            .count(Materialized.with(Serdes.String(), Serdes.Long()))
            .toStream((key, count) -> key.toString())
            .mapValues(String::valueOf),
        "windows when they close");
    send(
        left.groupByKey()
            .windowedBy(SessionWindows.ofInactivityGapAndGrace(size, grace))
            .count(Materialized.with(Serdes.String(), Serdes.Long()))
            .toStream((key, count) -> key.toString())
            .mapValues(String::valueOf),
        "sessions");
  }

  private static void send(KStream<String, String> results, String name) {
    results.mapValues(result -> name + ": " + result).to("out");
  }

  private static String pair(String one, String other) {
    return one + "+" + other;
  }
}
