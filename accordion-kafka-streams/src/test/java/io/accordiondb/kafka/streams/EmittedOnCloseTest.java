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
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.EmitStrategy;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.KGroupedStream;
import org.apache.kafka.streams.kstream.KTable;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.SessionWindows;
import org.apache.kafka.streams.kstream.SlidingWindows;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.state.BuiltInDslStoreSuppliers;
import org.apache.kafka.streams.state.DslStoreSuppliers;
import org.apache.kafka.streams.state.WindowStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What Kafka Streams emits when windows and sessions close is the same as with RocksDB. */
@Tag("slow")
class EmittedOnCloseTest {
  private static final int RECORDS = 100;
  private static final Duration SIZE = Duration.ofSeconds(5);
  private static final Duration GRACE = Duration.ofSeconds(2);

  @TempDir Path folder;

  private final long seed = System.nanoTime();

  /** How records are grouped by time. */
  private enum Windowing {
    TUMBLING {
      @Override
      KTable<Windowed<String>, Long> count(
          KGroupedStream<String, String> records, boolean keptLonger) {
        return records
            .windowedBy(TimeWindows.ofSizeAndGrace(SIZE, GRACE))
            .emitStrategy(EmitStrategy.onWindowClose())
            .count(windows(keptLonger));
      }
    },
    HOPPING {
      @Override
      KTable<Windowed<String>, Long> count(
          KGroupedStream<String, String> records, boolean keptLonger) {
        return records
            .windowedBy(TimeWindows.ofSizeAndGrace(SIZE, GRACE).advanceBy(Duration.ofSeconds(1)))
            .emitStrategy(EmitStrategy.onWindowClose())
            .count(windows(keptLonger));
      }
    },
    SLIDING {
      @Override
      KTable<Windowed<String>, Long> count(
          KGroupedStream<String, String> records, boolean keptLonger) {
        return records
            .windowedBy(SlidingWindows.ofTimeDifferenceAndGrace(SIZE, GRACE))
            .emitStrategy(EmitStrategy.onWindowClose())
            .count(windows(keptLonger));
      }
    },
    SESSIONS {
      @Override
      KTable<Windowed<String>, Long> count(
          KGroupedStream<String, String> records, boolean keptLonger) {
        return records
            .windowedBy(SessionWindows.ofInactivityGapAndGrace(SIZE, GRACE))
            .emitStrategy(EmitStrategy.onWindowClose())
            .count();
      }
    };

    abstract KTable<Windowed<String>, Long> count(
        KGroupedStream<String, String> records, boolean keptLonger);
  }

  private static Materialized<String, Long, WindowStore<Bytes, byte[]>> windows(
      boolean keptLonger) {
    Materialized<String, Long, WindowStore<Bytes, byte[]>> windows =
        Materialized.with(Serdes.String(), Serdes.Long());
    return keptLonger ? windows.withRetention(Duration.ofMinutes(1)) : windows;
  }

  @ParameterizedTest
  @EnumSource
  void resultsAreThoseOfRocksDb(Windowing windowing) {
    // A cache would hide from the store what time it is.
    List<String> expected =
        results(windowing, 0, BuiltInDslStoreSuppliers.RocksDBDslStoreSuppliers.class);
    assertThat(results(windowing, 0, AccordionStoreSuppliers.class))
        .as("results, with seed " + seed)
        .isNotEmpty()
        .containsExactlyElementsOf(expected);
  }

  /** The cache merges what it holds with what the store returns, in the order of keys. */
  @ParameterizedTest
  @EnumSource
  void aCacheShowsNoResultTwice(Windowing windowing) {
    List<String> expected =
        results(windowing, 2_000, BuiltInDslStoreSuppliers.RocksDBDslStoreSuppliers.class);
    assertThat(results(windowing, 2_000, AccordionStoreSuppliers.class))
        .as("results, with seed " + seed)
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  /** Several windows of several keys close at once, and a later step drops what comes too late. */
  @ParameterizedTest
  @EnumSource
  void laterStepCountsWhatItCountsWithRocksDb(Windowing windowing) {
    List<String> expected =
        countsOfCounts(windowing, BuiltInDslStoreSuppliers.RocksDBDslStoreSuppliers.class);
    assertThat(countsOfCounts(windowing, AccordionStoreSuppliers.class))
        .isNotEmpty()
        .containsExactlyElementsOf(expected);
  }

  private List<String> countsOfCounts(
      Windowing windowing, Class<? extends DslStoreSuppliers> suppliers) {
    Properties properties = StoreContexts.ofTopology(folder, suppliers);
    properties.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
    // As in an application; the driver itself has every record emit what it closes.
    properties.put(
        StreamsConfig.InternalConfig.EMIT_INTERVAL_MS_KSTREAMS_WINDOWED_AGGREGATION, 1_000L);
    StreamsBuilder builder = new StreamsBuilder();
    windowing
        .count(builder.<String, String>stream("in").groupByKey(), true)
        .toStream()
        .groupBy((window, count) -> "all", Grouped.with(Serdes.String(), Serdes.Long()))
        .windowedBy(TimeWindows.ofSizeWithNoGrace(SIZE))
        .count()
        .toStream((window, count) -> window.toString())
        .to("out", Produced.with(Serdes.String(), Serdes.Long()));
    try (TopologyTestDriver driver =
        new TopologyTestDriver(builder.build(properties), properties, Instant.EPOCH)) {
      TestInputTopic<String, String> input =
          driver.createInputTopic("in", new StringSerializer(), new StringSerializer());
      TestOutputTopic<String, Long> output =
          driver.createOutputTopic("out", new StringDeserializer(), new LongDeserializer());
      for (long time = 0; time <= 20_000; time += 10_000) {
        input.pipeInput("a", "value", time);
        input.pipeInput("b", "value", time);
      }
      driver.advanceWallClockTime(Duration.ofSeconds(1));
      input.pipeInput("c", "value", 40_000);
      return output.readRecordsToList().stream().map(Object::toString).toList();
    }
  }

  private List<String> results(
      Windowing windowing, int cacheBytes, Class<? extends DslStoreSuppliers> suppliers) {
    Properties properties = StoreContexts.ofTopology(folder, suppliers);
    properties.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, cacheBytes);
    StreamsBuilder builder = new StreamsBuilder();
    windowing
        .count(builder.<String, String>stream("in").groupByKey(), false)
        .toStream((window, count) -> window.toString())
        .to("out", Produced.with(Serdes.String(), Serdes.Long()));
    Random random = new Random(seed);
    List<String> results = new ArrayList<>();
    try (TopologyTestDriver driver =
        new TopologyTestDriver(builder.build(properties), properties, Instant.EPOCH)) {
      TestInputTopic<String, String> input =
          driver.createInputTopic("in", new StringSerializer(), new StringSerializer());
      TestOutputTopic<String, Long> output =
          driver.createOutputTopic("out", new StringDeserializer(), new LongDeserializer());
      long time = 0;
      for (int i = 0; i < RECORDS; i++) {
        // In whole seconds, so that records come at the moment at which windows close.
        time += random.nextInt(4) * 1_000;
        long late = Math.max(0, time - random.nextInt(3) * 1_000);
        input.pipeInput("key" + random.nextInt(4), "value", late);
        driver.advanceWallClockTime(Duration.ofSeconds(1));
        output.readRecordsToList().forEach(result -> results.add(result.toString()));
      }
    }
    return results;
  }
}
