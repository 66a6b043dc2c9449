// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Durability;
import io.accordiondb.bench.Rows;
import io.accordiondb.memstore.MemStorePolicy;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountingEngineTest {
  private static final int KEY_BYTES = 24;

  private final FirstMillion firstMillion = new FirstMillion();

  @TempDir Path folder;

  private EngineOptions options(int fields) {
    return new EngineOptions(
        folder, fields, 8 << 20, 8 << 20, Durability.ASYNC, MemStorePolicy.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource({"1, 44", "3, 150", "12, 612"})
  void keysAndValuesAreCountedAsInTheStatisticsOfADatabase(int fields, int rowBytes)
      throws IOException {
    Rows rows = new Rows(KEY_BYTES, fields, 20);
    AccordionEngine accordion = new AccordionEngine(options(fields));
    try (CountingEngine engine = new CountingEngine(accordion, fields, firstMillion);
        Engine.Session session = engine.session()) {
      byte[][] keys = {rows.key(1), rows.key(2), rows.key(3)};
      byte[][][] values = {rows.values(1, 1), rows.values(2, 2), rows.values(3, 3)};
      session.write(keys, values, 2);
      assertThat(engine.contentBytes()).isEqualTo(2 * rowBytes);
      session.write(keys, values, 3);
      session.delete(keys[0]);
      assertThat(engine.contentBytes()).isEqualTo(5 * rowBytes + KEY_BYTES);
      assertThat(accordion.statistics().writes().bytes()).isEqualTo(engine.contentBytes());
    }
  }

  @Test
  void aCounterCountsItsKeyAndEightBytes() throws IOException {
    byte[][] keys = {new Rows(KEY_BYTES, 1, 8).key(1)};
    AccordionEngine accordion = new AccordionEngine(options(1).withCounters());
    try (CountingEngine engine = new CountingEngine(accordion, 1, firstMillion);
        Engine.Session session = engine.session()) {
      session.count(keys, 1);
      assertThat(engine.contentBytes()).isEqualTo(KEY_BYTES + Long.BYTES);
      assertThat(accordion.statistics().writes().bytes()).isEqualTo(engine.contentBytes());
      assertThat(session.counter(keys[0])).isOne();
    }
  }

  @Test
  void theMillionthRowIsTimedFromTheStartOfTheProcess() throws IOException {
    firstMillion.add(999_998);
    Rows rows = new Rows(KEY_BYTES, 1, 20);
    byte[][] keys = {rows.key(1), rows.key(2)};
    byte[][][] values = {rows.values(1, 1), rows.values(2, 2)};
    try (CountingEngine engine =
            new CountingEngine(new AccordionEngine(options(1)), 1, firstMillion);
        Engine.Session session = engine.session()) {
      session.write(keys, values, 1);
      assertThat(firstMillion.seconds()).isNull();
      double before = ManagementFactory.getRuntimeMXBean().getUptime() / 1e3;
      session.write(keys, values, 2);
      double after = ManagementFactory.getRuntimeMXBean().getUptime() / 1e3;
      assertThat(firstMillion.seconds()).isBetween(before, after);
      Double first = firstMillion.seconds();
      session.write(keys, values, 2);
      assertThat(firstMillion.seconds()).isSameAs(first);
    }
  }
}
