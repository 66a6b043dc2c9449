// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import io.accordiondb.kafka.streams.AccordionStoreConfig;
import io.accordiondb.kafka.streams.AccordionStoreSuppliers;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.KTable;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.TimeWindows;

/**
 * Counts words, in all and in windows, exactly once: an instance of an application, whose process
 * the tests kill.
 */
final class CountingApplication {
  static final String WORDS = "words";
  static final String COUNTS = "counts";
  static final long WINDOW_MILLIS = 60_000;

  private CountingApplication() {}

  static Topology topology() {
    StreamsBuilder builder = new StreamsBuilder();
    KStream<String, String> words =
        builder.stream(WORDS, Consumed.with(Serdes.String(), Serdes.String()));
    KTable<String, Long> counts = words.groupByKey().count();
    counts.toStream().to(COUNTS, Produced.with(Serdes.String(), Serdes.Long()));
    words
        .groupByKey()
        .windowedBy(
            TimeWindows.ofSizeAndGrace(Duration.ofMillis(WINDOW_MILLIS), Duration.ofHours(24)))
        .count()
        .toStream((word, count) -> word.key() + "@" + word.window().start())
        .to(COUNTS, Produced.with(Serdes.String(), Serdes.Long()));
    return builder.build();
  }

  /** Runs an instance until the process ends: address of the broker, and the state directory. */
  public static void main(String[] arguments) throws InterruptedException {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "counting");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, arguments[0]);
    properties.put(StreamsConfig.STATE_DIR_CONFIG, arguments[1]);
    properties.put(
        StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG, AccordionStoreSuppliers.class.getName());
    properties.put(AccordionStoreConfig.MEMORY_BYTES, 32 << 20);
    properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    properties.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 2);
    properties.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, 1);
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
    properties.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    properties.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    properties.put(
        StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
    // Short, because the broker notices a kill by them; but an instance that only gets no processor
    // for some seconds must not be taken for a dead one, or it starts again and again.
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6000);
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 500);
    properties.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), 6000);
    properties.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, 60_000);
    KafkaStreams streams = new KafkaStreams(topology(), properties);
    streams.setUncaughtExceptionHandler(
        failure -> {
          failure.printStackTrace();
          return StreamThreadExceptionResponse.REPLACE_THREAD;
        });
    Runtime.getRuntime().addShutdownHook(new Thread(streams::close));
    streams.start();
    new CountDownLatch(1).await();
  }
}
