// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import java.time.Duration;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.KTable;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.SessionWindows;
import org.apache.kafka.streams.kstream.TimeWindows;

/** A topology that is measured. Its records have words as keys and lines of words as values. */
enum StreamsWorkload {
  /** Counts words, which are the keys of the lines. */
  WORD_COUNT {
    @Override
    void build(KStream<String, String> lines) {
      lines
          .groupByKey()
          .count()
          .toStream()
          .to(OUTPUT, Produced.with(Serdes.String(), Serdes.Long()));
    }
  },
  /** The longest line of each key, in hopping windows of a minute. */
  WINDOWED_AGGREGATION {
    @Override
    void build(KStream<String, String> lines) {
      lines
          .groupByKey()
          .windowedBy(
              TimeWindows.ofSizeAndGrace(Duration.ofMinutes(1), Duration.ofMinutes(5))
                  .advanceBy(Duration.ofSeconds(30)))
          .reduce((longest, line) -> line.length() > longest.length() ? line : longest)
          .toStream((key, line) -> key.key())
          .to(OUTPUT, Produced.with(Serdes.String(), Serdes.String()));
    }
  },
  /** Joins the last line of each key with the last one whose length is odd. */
  TABLE_JOIN {
    @Override
    void build(KStream<String, String> lines) {
      KTable<String, String> last = lines.toTable();
      KTable<String, String> odd = lines.filter((key, line) -> line.length() % 2 == 1).toTable();
      last.join(odd, (one, other) -> one + other)
          .toStream()
          .to(OUTPUT, Produced.with(Serdes.String(), Serdes.String()));
    }
  },
  /** Counts the lines of each key in sessions that end after ten seconds of silence. */
  SESSIONS {
    @Override
    void build(KStream<String, String> lines) {
      lines
          .groupByKey()
          .windowedBy(
              SessionWindows.ofInactivityGapAndGrace(Duration.ofSeconds(10), Duration.ofMinutes(5)))
          .count()
          .toStream((key, count) -> key.key())
          .mapValues(count -> count == null ? 0L : count)
          .to(OUTPUT, Produced.with(Serdes.String(), Serdes.Long()));
    }
  };

  static final String INPUT = "lines";
  static final String OUTPUT = "results";

  /** Adds what is measured to a stream of lines. */
  abstract void build(KStream<String, String> lines);

  /** Adds the stream of lines and what is measured to a topology. */
  void build(StreamsBuilder builder, Runnable onRecord) {
    KStream<String, String> lines =
        builder.stream(INPUT, Consumed.with(Serdes.String(), Serdes.String()));
    build(lines.peek((key, line) -> onRecord.run()));
  }
}
