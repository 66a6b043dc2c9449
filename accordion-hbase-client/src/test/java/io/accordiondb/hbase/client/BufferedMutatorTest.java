// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.hbase.client.TestTables.F;
import static io.accordiondb.hbase.client.TestTables.Q;
import static io.accordiondb.hbase.client.TestTables.ROW;
import static io.accordiondb.hbase.client.TestTables.TABLE;
import static io.accordiondb.hbase.client.TestTables.b;
import static io.accordiondb.hbase.client.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a buffered mutator writes, and what it does with what fails. */
class BufferedMutatorTest {
  private Connection connection;
  private Table table;

  @BeforeEach
  void open() throws IOException {
    connection = TestTables.memory();
    table = TestTables.create(connection, TABLE, 1, "f");
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
  }

  private boolean exists(String row) throws IOException {
    return table.exists(new Get(b(row)));
  }

  @Test
  void writesWhenFlushedAndWhenClosed() throws IOException {
    BufferedMutator mutator = connection.getBufferedMutator(TABLE);
    mutator.mutate(put("a", "f", "q", 1, "v"));
    assertThat(exists("a")).isFalse();
    mutator.flush();
    assertThat(exists("a")).isTrue();
    mutator.mutate(put("b", "f", "q", 1, "v"));
    mutator.close();
    mutator.close();
    assertThat(exists("b")).isTrue();
    assertThatThrownBy(() -> mutator.mutate(put("c", "f", "q", 1, "v")))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void writesWhenFull() throws IOException {
    BufferedMutatorParams params = new BufferedMutatorParams(TABLE).writeBufferSize(1);
    try (BufferedMutator mutator = connection.getBufferedMutator(params)) {
      mutator.mutate(put("a", "f", "q", 1, "v"));
      assertThat(exists("a")).isTrue();
      assertThat(mutator.getWriteBufferSize()).isEqualTo(1);
    }
  }

  @Test
  void writesAfterATime() throws Exception {
    try (BufferedMutator mutator = connection.getBufferedMutator(TABLE)) {
      mutator.setWriteBufferPeriodicFlush(1, 100);
      mutator.mutate(put("a", "f", "q", 1, "v"));
      long deadline = System.nanoTime() + 20_000_000_000L;
      while (!exists("a")) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        Thread.onSpinWait();
      }
      mutator.disableWriteBufferPeriodicFlush();
      assertThat(mutator.getWriteBufferPeriodicFlushTimeoutMs()).isZero();
    }
  }

  @Test
  void writesAfterATimeAlthoughTheListenerHasFailed() throws Exception {
    AtomicInteger failures = new AtomicInteger();
    BufferedMutatorParams params =
        new BufferedMutatorParams(TABLE)
            .listener(
                (failure, mutator) -> {
                  failures.incrementAndGet();
                  throw new NoClassDefFoundError("injected");
                });
    try (BufferedMutator mutator = connection.getBufferedMutator(params)) {
      mutator.setWriteBufferPeriodicFlush(1, 100);
      mutator.mutate(put("a", "none", "q", 1, "v"));
      await("the failure", () -> failures.get() > 0);
      mutator.mutate(put("b", "f", "q", 1, "v"));
      await("the write", () -> exists("b"));
    }
  }

  @Test
  void failuresGoToTheListenerAndTheRestIsWritten() throws IOException {
    List<Row> failed = new ArrayList<>();
    BufferedMutatorParams params =
        new BufferedMutatorParams(TABLE)
            .listener((failure, mutator) -> failed.add(failure.getRow(0)));
    Put bad = put("b", "none", "q", 1, "v");
    try (BufferedMutator mutator = connection.getBufferedMutator(params)) {
      mutator.mutate(List.of(put("a", "f", "q", 1, "v"), bad, put("c", "f", "q", 1, "v")));
      mutator.flush();
      assertThat(failed).containsExactly(bad);
      assertThat(exists("a") && exists("c")).isTrue();
      mutator.flush();
      assertThat(failed).hasSize(1);
    }
    BufferedMutator strict = connection.getBufferedMutator(TABLE);
    strict.mutate(bad);
    assertThatThrownBy(strict::close).isInstanceOf(RetriesExhaustedWithDetailsException.class);
    assertThatThrownBy(() -> connection.getBufferedMutator(TABLE).mutate(new Put(b("x"))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void losesNothingIfItsThreadIsInterrupted() throws IOException {
    BufferedMutator mutator = connection.getBufferedMutator(TABLE);
    mutator.mutate(put("a", "f", "q", 1, "v"));
    Thread.currentThread().interrupt();
    mutator.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(exists("a")).isTrue();
  }

  @Test
  void hasALimitOfItsOwn() throws IOException {
    Configuration conf = TestTables.configuration();
    conf.set("hbase.client.keyvalue.maxsize", "200");
    Put large = new Put(ROW).addColumn(F, Q, new byte[1000]);
    BufferedMutatorParams params = new BufferedMutatorParams(TABLE).maxKeyValueSize(5000);
    try (Connection strict = EmbeddedConnection.inMemory(conf);
        Table small = TestTables.create(strict, TABLE, 1, "f")) {
      try (BufferedMutator mutator = strict.getBufferedMutator(params)) {
        mutator.mutate(large);
      }
      assertThat(small.exists(new Get(ROW))).isTrue();
      assertThatThrownBy(() -> small.put(large)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> small.put(List.of(large)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
