// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import static io.accordiondb.fixtures.TestFiles.deleteFolder;
import static io.accordiondb.fixtures.TestFiles.filesBelow;
import static io.accordiondb.fixtures.TestFiles.flip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.fixtures.Await;
import io.accordiondb.kafka.streams.AccordionStoreConfig;
import io.accordiondb.kafka.streams.AccordionStoreSuppliers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.kstream.KGroupedStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.BuiltInDslStoreSuppliers;
import org.apache.kafka.streams.state.DslStoreSuppliers;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An instance whose state is lost or damaged restores it, with every processing guarantee, and
 * loses no record: what Kafka Streams does with a task that it is told is corrupted depends on the
 * guarantee.
 */
@Tag("slow")
@Timeout(300)
class LostStateTest {
  private static final Await WAIT = new Await(Duration.ofMinutes(1), Duration.ofMillis(50));
  private static final int WORDS = 3_000;

  @TempDir static Path folder;

  private static Broker broker;

  @BeforeAll
  static void startBroker() throws Exception {
    broker = Broker.start(folder.resolve("broker"));
  }

  @AfterAll
  static void closeBroker() {
    broker.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {StreamsConfig.AT_LEAST_ONCE, StreamsConfig.EXACTLY_ONCE_V2})
  void isRestored(String guarantee) throws Exception {
    String topic = "lost-" + guarantee;
    broker.createTopic(topic, 1);
    produce(topic);
    awaitCounts(topic, guarantee, AccordionStoreSuppliers.class, 1);
    deleteFolder(database(topic));
    produce(topic);
    awaitCounts(topic, guarantee, AccordionStoreSuppliers.class, 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {StreamsConfig.AT_LEAST_ONCE, StreamsConfig.EXACTLY_ONCE_V2})
  void isRestoredAfterDamage(String guarantee) throws Exception {
    String topic = "damaged-" + guarantee;
    broker.createTopic(topic, 1);
    produce(topic);
    awaitCounts(topic, guarantee, AccordionStoreSuppliers.class, 1);
    for (Path file : filesBelow(database(topic))) {
      if (file.getParent().endsWith("sst") && Files.size(file) > WORDS) {
        for (long offset = 100; offset < Files.size(file) / 2; offset += 1000) {
          flip(file, offset);
        }
      }
    }
    produce(topic);
    awaitCounts(topic, guarantee, AccordionStoreSuppliers.class, 2);
    assertThat(database(topic).getParent())
        .isDirectoryContaining(
            file -> file.getFileName().toString().startsWith("accordion.aside-"));
  }

  @Test
  void globalStoreIsRestoredByTheNextStart() throws Exception {
    String topic = "global";
    broker.createTopic(topic, 1);
    produce(topic);
    StreamsBuilder builder = new StreamsBuilder();
    builder.globalTable(
        topic, Materialized.<String, String, KeyValueStore<Bytes, byte[]>>as("store"));
    Topology topology = builder.build();
    Properties properties =
        properties(topic, StreamsConfig.AT_LEAST_ONCE, AccordionStoreSuppliers.class);
    try (KafkaStreams streams = new KafkaStreams(topology, properties)) {
      streams.start();
      WAIT.until("the table", () -> values(streams, "store"), Map.of("line", WORDS)::equals);
    }
    deleteFolder(database(topic));
    try (KafkaStreams streams = new KafkaStreams(topology, properties)) {
      assertThatThrownBy(streams::start)
          .isInstanceOf(StreamsException.class)
          .hasStackTraceContaining("The keys of global store store are gone");
    }
    try (KafkaStreams streams = new KafkaStreams(topology, properties)) {
      streams.start();
      WAIT.until("the table", () -> values(streams, "store"), Map.of("line", WORDS)::equals);
    }
  }

  @Test
  void isRestoredInADirectoryOfRocksDb() throws Exception {
    broker.createTopic("rocks", 1);
    produce("rocks");
    String guarantee = StreamsConfig.AT_LEAST_ONCE;
    awaitCounts("rocks", guarantee, BuiltInDslStoreSuppliers.RocksDBDslStoreSuppliers.class, 1);
    produce("rocks");
    awaitCounts("rocks", guarantee, AccordionStoreSuppliers.class, 2);
  }

  @Test
  void recordThatIsNotWrittenFailsTheMeasurement() throws Exception {
    broker.createTopic(StreamsWorkload.INPUT, 1);
    assertThatThrownBy(() -> StreamsInput.write(broker.address(), 1, 1, 2 << 20))
        .isInstanceOf(IOException.class)
        .hasRootCauseInstanceOf(RecordTooLargeException.class);
  }

  private static void produce(String topic) {
    Map<String, Object> config = Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.address());
    try (var producer =
        new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      for (int i = 0; i < WORDS; i++) {
        producer.send(new ProducerRecord<>(topic, "word" + i, "line"));
      }
      producer.flush();
    }
  }

  /** Runs an instance until both of its stores have counted each word so often. */
  private static void awaitCounts(
      String topic, String guarantee, Class<? extends DslStoreSuppliers> suppliers, long counts)
      throws Exception {
    StreamsBuilder builder = new StreamsBuilder();
    KGroupedStream<String, String> words = builder.<String, String>stream(topic).groupByKey();
    words.count(Materialized.<String, Long, KeyValueStore<Bytes, byte[]>>as("first"));
    words.count(Materialized.<String, Long, KeyValueStore<Bytes, byte[]>>as("second"));
    // At least once, a word may be counted again.
    Predicate<Map<Long, Integer>> wanted =
        guarantee.equals(StreamsConfig.EXACTLY_ONCE_V2)
            ? Map.of(counts, WORDS)::equals
            : values ->
                values.values().stream().mapToInt(n -> n).sum() == WORDS
                    && values.keySet().stream().allMatch(count -> count >= counts);
    Properties properties = properties(topic, guarantee, suppliers);
    try (KafkaStreams streams = new KafkaStreams(builder.build(), properties)) {
      streams.start();
      for (String store : List.of("first", "second")) {
        WAIT.until("counts of " + store, () -> values(streams, store), wanted);
      }
    }
  }

  /** Returns how many entries of a store have each value; none if it cannot be read now. */
  private static <V> Map<V, Integer> values(KafkaStreams streams, String store) {
    Map<V, Integer> values = new TreeMap<>();
    try (KeyValueIterator<String, V> all =
        streams
            .store(
                StoreQueryParameters.fromNameAndType(
                    store, QueryableStoreTypes.<String, V>keyValueStore()))
            .all()) {
      all.forEachRemaining(entry -> values.merge(entry.value, 1, Integer::sum));
      return values;
    } catch (StreamsException e) {
      return Map.of(); // It is being restored, or damaged.
    }
  }

  private static Path database(String topic) {
    return folder.resolve(topic).resolve("app-" + topic).resolve("accordion");
  }

  private static Properties properties(
      String topic, String guarantee, Class<? extends DslStoreSuppliers> suppliers) {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "app-" + topic);
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, broker.address());
    properties.put(StreamsConfig.STATE_DIR_CONFIG, folder.resolve(topic).toString());
    properties.put(StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG, suppliers.getName());
    properties.put(AccordionStoreConfig.MEMORY_BYTES, 16 << 20);
    properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, guarantee);
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
    properties.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    properties.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    properties.put(
        StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
    // Else the second run waits until the broker has forgotten the first one.
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 3000);
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 500);
    return properties;
  }
}
