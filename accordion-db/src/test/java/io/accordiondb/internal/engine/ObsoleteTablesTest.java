// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Put;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.WrappingStorage;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which threads delete the tables that a compaction has replaced, or a truncation dropped. */
@Timeout(60)
class ObsoleteTablesTest {
  private final MemoryStorage disk = new MemoryStorage();
  private final CountDownLatch deletable = new CountDownLatch(1);
  private final LinkedBlockingQueue<String> deleters = new LinkedBlockingQueue<>();

  /** A storage in which the deletion of a table takes as long as the test wants. */
  private final WrappingStorage slow =
      new WrappingStorage(disk) {
        @Override
        public void delete(String name) throws IOException {
          if (name.startsWith("sst/")) {
            try {
              deletable.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            deleters.add(Thread.currentThread().getName());
          }
          delegate.delete(name);
        }
      };

  private static Table createdWithTwoTables(Database database) throws IOException {
    database.createTable(TableDescriptor.of("t", "f"));
    Table table = database.table("t");
    for (String row : new String[] {"a", "b"}) {
      table.put(new Put(bytes(row)).addColumn(bytes("f"), bytes("q"), bytes("v")));
      database.flush();
    }
    return table;
  }

  private static Thread started(IoRunnable work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    thread.start();
    return thread;
  }

  @Test
  void aReaderDoesNotWaitForTheDeletionOfWhatItHasRead() throws Exception {
    try (Database database = DatabaseEngine.open(slow, DatabaseOptions.builder().build())) {
      Table table = createdWithTwoTables(database);
      ResultScanner scanner = table.scan(new Scan());
      assertThat(scanner.next()).isNotNull();
      database.majorCompact("t");
      // Ends, though nothing can be deleted.
      scanner.close();
      deletable.countDown();
      for (int i = 0; i < 2; i++) {
        assertThat(deleters.poll(30, TimeUnit.SECONDS)).startsWith("accordion-deletion-");
      }
    }
    assertThat(disk.list("sst")).hasSize(1);
  }

  @Test
  void aReaderDoesNotWaitForTheDeletionOfATableThatWasTruncated() throws Exception {
    try (Database database = DatabaseEngine.open(slow, DatabaseOptions.builder().build())) {
      Table table = createdWithTwoTables(database);
      ResultScanner scanner = table.scan(new Scan());
      assertThat(scanner.next()).isNotNull();
      started(() -> database.truncateTable("t")).join();
      // Ends, though nothing can be deleted.
      scanner.close();
      deletable.countDown();
      for (int i = 0; i < 2; i++) {
        assertThat(deleters.poll(30, TimeUnit.SECONDS)).startsWith("accordion-deletion-");
      }
    }
    assertThat(disk.list("sst")).isEmpty();
  }

  @Test
  void aReaderThatHasTruncatedTheTableItselfDoesNotWaitEither() throws Exception {
    try (Database database = DatabaseEngine.open(slow, DatabaseOptions.builder().build())) {
      Table table = createdWithTwoTables(database);
      Thread reader =
          started(
              () -> {
                try (ResultScanner scanner = table.scan(new Scan())) {
                  assertThat(scanner.next()).isNotNull();
                  database.truncateTable("t");
                }
              });
      reader.join(10_000);
      boolean ended = !reader.isAlive();
      deletable.countDown();
      reader.join();
      assertThat(ended).isTrue();
    }
    assertThat(deleters).hasSize(2).allMatch(name -> name.startsWith("accordion-deletion-"));
    assertThat(disk.list("sst")).isEmpty();
  }

  @Test
  void closingTheDatabaseWaitsForDeletions() throws Exception {
    Database database = DatabaseEngine.open(slow, DatabaseOptions.builder().build());
    Table table = createdWithTwoTables(database);
    ResultScanner scanner = table.scan(new Scan());
    assertThat(scanner.next()).isNotNull();
    database.majorCompact("t");
    scanner.close();
    Thread closing = started(database::close);
    closing.join(100);
    assertThat(closing.isAlive()).isTrue();
    deletable.countDown();
    closing.join();
    assertThat(deleters).hasSize(2);
    assertThat(disk.list("sst")).hasSize(1);
  }

  @Test
  void withoutReadersACompactionHasDeletedItsInputsWhenItEnds() throws IOException {
    deletable.countDown();
    try (Database database = DatabaseEngine.open(slow, DatabaseOptions.builder().build())) {
      createdWithTwoTables(database);
      database.majorCompact("t");
      assertThat(disk.list("sst")).hasSize(1);
      assertThat(deleters).hasSize(2).noneMatch(name -> name.startsWith("accordion-deletion-"));
    }
  }
}
