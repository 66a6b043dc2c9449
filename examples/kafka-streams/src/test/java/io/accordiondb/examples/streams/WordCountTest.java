// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.examples.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WordCountTest {
  @TempDir Path state;

  @Test
  void countsWords() {
    Properties properties = WordCount.properties("localhost:1", state.toString());
    try (TopologyTestDriver driver =
        new TopologyTestDriver(WordCount.topology(properties), properties)) {
      TestInputTopic<String, String> lines =
          driver.createInputTopic(WordCount.LINES, new StringSerializer(), new StringSerializer());
      TestOutputTopic<String, Long> counts =
          driver.createOutputTopic(
              WordCount.COUNTS, new StringDeserializer(), new LongDeserializer());
      lines.pipeInput("The quick brown fox");
      lines.pipeInput("and the lazy dog.");
      assertThat(counts.readKeyValuesToMap())
          .containsAllEntriesOf(Map.of("the", 2L, "fox", 1L, "dog", 1L));
      KeyValueStore<String, Long> store = driver.getKeyValueStore(WordCount.COUNTS);
      assertThat(store.get("the")).isEqualTo(2);
      assertThat(state.resolve("word-count").resolve("accordion")).isDirectory();
    }
  }
}
