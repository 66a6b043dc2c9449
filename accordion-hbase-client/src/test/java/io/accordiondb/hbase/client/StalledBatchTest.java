// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.hbase.client.TestTables.F;
import static io.accordiondb.hbase.client.TestTables.Q;
import static io.accordiondb.hbase.client.TestTables.b;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.WriteStalledException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Test;

/** Batches while the database has no room for writes. */
class StalledBatchTest {
  @Test
  void aStoreThatStopsWritesStopsABatchOnce() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try (Database real = Database.inMemory()) {
      Table stalled = TestTables.embedded(stalling(real, attempts), pool);
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        puts.add(new Put(b("r" + i)).addColumn(F, Q, new byte[30_000]));
      }
      assertThatThrownBy(() -> stalled.put(puts))
          .isInstanceOfSatisfying(
              RetriesExhaustedWithDetailsException.class,
              e -> {
                assertThat(e.getNumExceptions()).isEqualTo(100);
                assertThat(e.getCauses()).allMatch(RegionTooBusyException.class::isInstance);
              });
      assertThat(attempts).hasValue(1);
    } finally {
      pool.shutdown();
    }
  }

  /** Returns a database of which every write is stopped for too long. */
  private static Database stalling(Database real, AtomicInteger attempts) {
    return InterceptedDatabase.of(
        real,
        (type, method) -> {
          if (type == io.accordiondb.Table.class && method.equals("mutate")) {
            attempts.incrementAndGet();
            throw new WriteStalledException("stopped on demand");
          }
        });
  }
}
