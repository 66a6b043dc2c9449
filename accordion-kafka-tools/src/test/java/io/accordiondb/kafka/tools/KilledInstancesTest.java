// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import static io.accordiondb.fixtures.TestFiles.deleteFolder;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two instances with a standby replica of each other count words exactly once, while they are
 * killed by SIGKILL again and again, at times with all their state. What they have counted in the
 * end is what there was.
 */
@Tag("slow")
class KilledInstancesTest {
  private static final int PARTITIONS = 4;
  private static final int INSTANCES = 2;
  private static final int WORDS = 300;

  /** The longest time without a new count; how long all counts take depends on the machine. */
  private static final Await WAIT = new Await(Duration.ofMinutes(2), Duration.ofMillis(100));

  @TempDir Path folder;

  private final Map<String, Long> expected = new TreeMap<>();
  private final Map<String, Long> counted = new TreeMap<>();

  @Test
  @Timeout(900)
  void killedOnce() throws Exception {
    run(1, System.nanoTime());
  }

  @Test
  @Tag("long")
  @Timeout(3600)
  void killedTwentyTimes() throws Exception {
    run(20, System.nanoTime());
  }

  private void run(int kills, long seed) throws Exception {
    Random random = new Random(seed);
    try (Broker broker = Broker.start(folder.resolve("broker"))) {
      broker.createTopic(CountingApplication.WORDS, PARTITIONS);
      broker.createTopic(CountingApplication.COUNTS, PARTITIONS);
      List<JavaProcess> instances = new ArrayList<>();
      try (KafkaProducer<String, String> producer = producer(broker);
          KafkaConsumer<String, Long> consumer = consumer(broker)) {
        for (int i = 0; i < INSTANCES; i++) {
          instances.add(startInstance(broker, i));
        }
        produce(producer, random, 2_000);
        awaitCounts(consumer, seed);
        for (int kill = 0; kill < kills; kill++) {
          produce(producer, random, 2_000);
          consumeFor(consumer, Duration.ofMillis(random.nextInt(400)));
          int victim = random.nextInt(INSTANCES);
          instances.get(victim).kill();
          produce(producer, random, 1_000);
          if (kill % 2 == 1) {
            deleteFolder(stateOf(victim));
          }
          instances.set(victim, startInstance(broker, victim));
          if (kill % 4 != 0) {
            awaitCounts(consumer, seed);
          }
        }
        awaitCounts(consumer, seed);
        for (int i = 0; i < INSTANCES; i++) {
          // The others may have counted all before this one takes part.
          Path database = stateOf(i).resolve("counting").resolve("accordion");
          WAIT.until("the database " + database, () -> Files.isDirectory(database));
        }
      } finally {
        instances.forEach(JavaProcess::close);
      }
    }
  }

  private void produce(KafkaProducer<String, String> producer, Random random, int records) {
    for (int i = 0; i < records; i++) {
      String word = "word" + random.nextInt(WORDS);
      long time = 1_000_000_000_000L + random.nextInt(10) * CountingApplication.WINDOW_MILLIS;
      long window = time - time % CountingApplication.WINDOW_MILLIS;
      producer.send(new ProducerRecord<>(CountingApplication.WORDS, null, time, word, word));
      expected.merge(word, 1L, Long::sum);
      expected.merge(word + "@" + window, 1L, Long::sum);
    }
    producer.flush();
  }

  private void awaitCounts(KafkaConsumer<String, Long> consumer, long seed) {
    long heardNanos = System.nanoTime();
    while (!counted.equals(expected) && System.nanoTime() - heardNanos < WAIT.limit().toNanos()) {
      if (consumeFor(consumer, Duration.ofMillis(100))) {
        heardNanos = System.nanoTime();
      }
    }
    assertThat(counted).as("counts, with seed " + seed).isEqualTo(expected);
  }

  /** Returns whether there were counts. */
  private boolean consumeFor(KafkaConsumer<String, Long> consumer, Duration time) {
    boolean heard = false;
    long end = System.nanoTime() + time.toNanos();
    do {
      for (ConsumerRecord<String, Long> count : consumer.poll(Duration.ofMillis(20))) {
        counted.put(count.key(), count.value());
        heard = true;
      }
    } while (System.nanoTime() < end);
    return heard;
  }

  private JavaProcess startInstance(Broker broker, int number) throws IOException {
    return JavaProcess.start(
        folder.resolve("instance" + number + ".log"),
        List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"),
        CountingApplication.class.getName(),
        broker.address(),
        stateOf(number).toString());
  }

  private Path stateOf(int instance) {
    return folder.resolve("state" + instance);
  }

  private static KafkaProducer<String, String> producer(Broker broker) {
    return new KafkaProducer<>(
        Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.address()),
        new StringSerializer(),
        new StringSerializer());
  }

  private static KafkaConsumer<String, Long> consumer(Broker broker) {
    KafkaConsumer<String, Long> consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                broker.address(),
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest"),
            new StringDeserializer(),
            new LongDeserializer());
    List<TopicPartition> partitions = new ArrayList<>();
    for (int i = 0; i < PARTITIONS; i++) {
      partitions.add(new TopicPartition(CountingApplication.COUNTS, i));
    }
    consumer.assign(partitions);
    return consumer;
  }
}
