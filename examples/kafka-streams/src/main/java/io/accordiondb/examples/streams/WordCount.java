// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.examples.streams;

import io.accordiondb.kafka.streams.AccordionStoreConfig;
import io.accordiondb.kafka.streams.AccordionStoreSuppliers;
import java.util.Arrays;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Counts the words of the lines in a topic, and writes the counts to another one. The store {@code
 * counts} can be queried.
 */
public final class WordCount {
  static final String LINES = "lines";
  static final String COUNTS = "counts";

  private WordCount() {}

  /** Returns the configuration, for a broker and a directory for state. */
  static Properties properties(String broker, String stateDirectory) {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "word-count");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, broker);
    properties.put(StreamsConfig.STATE_DIR_CONFIG, stateDirectory);
    properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    // code: kafka-properties
    // State is kept in Accordion ...
    properties.put(
        StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG, AccordionStoreSuppliers.class.getName());
    // ... in no more memory than this, whatever the number of tasks.
    properties.put(AccordionStoreConfig.MEMORY_BYTES, 64 << 20);
    // end
    return properties;
  }

  /** Returns what is computed. */
  static Topology topology(Properties properties) {
    StreamsBuilder builder = new StreamsBuilder();
    KStream<String, String> lines =
        builder.stream(LINES, Consumed.with(Serdes.String(), Serdes.String()));
    lines
        .flatMapValues(line -> Arrays.asList(line.toLowerCase(Locale.ROOT).split("\\W+", -1)))
        .filterNot((key, word) -> word.isEmpty())
        .groupBy((key, word) -> word, Grouped.with(Serdes.String(), Serdes.String()))
        .count(
            Materialized.<String, Long, KeyValueStore<Bytes, byte[]>>as(COUNTS)
                .withKeySerde(Serdes.String())
                .withValueSerde(Serdes.Long()))
        .toStream()
        .to(COUNTS, Produced.with(Serdes.String(), Serdes.Long()));
    return builder.build(properties);
  }

  /** Runs until Ctrl-C: address of a broker, and a directory for state. */
  public static void main(String[] arguments) throws InterruptedException {
    if (arguments.length != 2) {
      System.err.println("usage: WordCount BROKER STATE-DIRECTORY");
      System.exit(2);
    }
    Properties properties = properties(arguments[0], arguments[1]);
    KafkaStreams streams = new KafkaStreams(topology(properties), properties);
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  streams.close();
                  stopped.countDown();
                }));
    streams.start();
    stopped.await();
  }
}
