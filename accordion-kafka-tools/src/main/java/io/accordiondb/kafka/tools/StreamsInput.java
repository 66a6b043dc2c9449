// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import java.io.IOException;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** Writes the records of a measurement: keys by Zipf's law, the same for the same seed. */
final class StreamsInput {
  private static final long SEED = 42;
  private static final long START_MILLIS = 1_700_000_000_000L;

  /** As many records of event time make up a second. */
  private static final int RECORDS_PER_SECOND = 5_000;

  private StreamsInput() {}

  /**
   * Writes the records.
   *
   * @throws IOException if the broker does not have all of them
   */
  static void write(String broker, long records, int words, int valueBytes) throws IOException {
    AtomicReference<Exception> failure = new AtomicReference<>();
    Random random = new Random(SEED);
    String filler = "abcdefghij".repeat(valueBytes / 10 + 2);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                broker,
                ProducerConfig.LINGER_MS_CONFIG,
                20,
                ProducerConfig.BATCH_SIZE_CONFIG,
                256 << 10),
            new StringSerializer(),
            new StringSerializer())) {
      for (long i = 0; i < records && failure.get() == null; i++) {
        String word = "word" + zipfian(random, words);
        int offset = random.nextInt(10);
        String line = filler.substring(offset, offset + valueBytes + random.nextInt(2));
        long time = START_MILLIS + i * 1000 / RECORDS_PER_SECOND;
        var unused =
            producer.send(
                new ProducerRecord<>(StreamsWorkload.INPUT, null, time, word, line),
                (metadata, e) -> failure.compareAndSet(null, e));
      }
      producer.flush();
    }
    if (failure.get() != null) {
      // A run would wait for the missing records until its limit.
      throw new IOException("The input could not be written", failure.get());
    }
  }

  /** Returns a rank: low ones often, by a continuous law whose exponent is near one. */
  private static long zipfian(Random random, int words) {
    return (long) Math.pow(words, random.nextDouble()) - 1;
  }
}
