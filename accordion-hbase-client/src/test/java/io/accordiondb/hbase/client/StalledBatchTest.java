// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.hbase.client.TestTables.F;
import static io.accordiondb.hbase.client.TestTables.Q;
import static io.accordiondb.hbase.client.TestTables.TABLE;
import static io.accordiondb.hbase.client.TestTables.b;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.WriteStalledException;
import io.accordiondb.hbase.client.catalog.Catalog;
import io.accordiondb.hbase.client.data.EmbeddedTableBuilder;
import io.accordiondb.hbase.client.data.RowLocks;
import io.accordiondb.hbase.client.data.Session;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** Batches while the database has no room for writes. */
class StalledBatchTest {
  @Test
  void aStoreThatStopsWritesStopsABatchOnce() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try (Database real = Database.inMemory()) {
      Catalog catalog = Catalog.open(stalling(real, attempts));
      catalog
          .changes()
          .create(
              TableDescriptorBuilder.newBuilder(TABLE)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                  .build());
      Session session =
          new Session(
              catalog.database(), catalog, new RowLocks(), TestTables.configuration(), pool);
      Table stalled = new EmbeddedTableBuilder(session, TABLE, StalledBatchTest::noLocator).build();
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

  private static RegionLocator noLocator(TableName name) {
    throw new UnsupportedOperationException("nobody asks for regions");
  }

  /** Returns a database of which every write is stopped for too long. */
  private static Database stalling(Database real, AtomicInteger attempts) {
    return (Database)
        Proxy.newProxyInstance(
            Database.class.getClassLoader(),
            new Class<?>[] {Database.class},
            (proxy, method, arguments) -> {
              Object result = invoke(real, method, arguments);
              return result instanceof io.accordiondb.Table found
                  ? Proxy.newProxyInstance(
                      Database.class.getClassLoader(),
                      new Class<?>[] {io.accordiondb.Table.class},
                      (any, called, values) -> {
                        if (called.getName().equals("mutate")) {
                          attempts.incrementAndGet();
                          throw new WriteStalledException("stopped on demand");
                        }
                        return invoke(found, called, values);
                      })
                  : result;
            });
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
