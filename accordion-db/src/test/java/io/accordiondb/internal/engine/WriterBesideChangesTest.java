// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Put;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.function.IoConsumer;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.StorageWriter;
import io.accordiondb.internal.storage.WrappingStorage;
import io.accordiondb.internal.storage.WrappingWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes of a table delay no write of another one. */
@Timeout(60)
class WriterBesideChangesTest {
  private static final byte[] ROW = bytes("r");
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");
  private static final int ATTEMPTS = 100;

  private final CountDownLatch recording = new CountDownLatch(1);
  private final CountDownLatch recordable = new CountDownLatch(1);
  private volatile boolean slow;

  /** A storage in which a commit of the manifest takes as long as the test wants. */
  private final WrappingStorage storage =
      new WrappingStorage(new MemoryStorage()) {
        @Override
        public StorageWriter create(String name) throws IOException {
          StorageWriter writer = delegate.create(name);
          return name.startsWith("MANIFEST-") ? new ManifestWriter(writer) : writer;
        }
      };

  private final class ManifestWriter extends WrappingWriter {
    ManifestWriter(StorageWriter writer) {
      super(writer);
    }

    @Override
    public void append(ByteBuffer... buffers) throws IOException {
      if (slow) {
        recording.countDown();
        try {
          recordable.await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
      super.append(buffers);
    }
  }

  @Test
  void anIncrementThatWaitsForATruncationDelaysNoPutIntoAnotherTable() throws Exception {
    assertWritesBesideAnIncrementThatWaits(
        table -> table.put(new Put(ROW).addColumn(F, Q, bytes("v"))));
  }

  @Test
  void anIncrementThatWaitsForATruncationDelaysNoIncrementInAnotherTable() throws Exception {
    assertWritesBesideAnIncrementThatWaits(
        table -> assertThat(table.increment(ROW, F, Q, 1)).isEqualTo(1));
  }

  private void assertWritesBesideAnIncrementThatWaits(IoConsumer<Table> write) throws Exception {
    ThreadLocal<AtomicInteger> attempts = new ThreadLocal<>();
    InstantSource clock =
        () -> {
          AtomicInteger counted = attempts.get();
          if (counted != null) {
            counted.incrementAndGet();
          }
          return Instant.now();
        };
    ExecutorService executor = Executors.newCachedThreadPool();
    try (Database database =
        DatabaseEngine.open(storage, DatabaseOptions.builder().clock(clock).build())) {
      database.createTable(TableDescriptor.of("t", "f"));
      database.createTable(TableDescriptor.of("u", "f"));
      slow = true;
      Future<?> truncation =
          executor.submit(
              () -> {
                database.truncateTable("t");
                return true;
              });
      recording.await();
      AtomicInteger made = new AtomicInteger();
      Future<Long> increment =
          executor.submit(
              () -> {
                attempts.set(made);
                return database.table("t").increment(ROW, F, Q, 5);
              });
      await("attempts", () -> made.get() > ATTEMPTS);
      Future<?> written =
          executor.submit(
              () -> {
                write.accept(database.table("u"));
                return true;
              });
      try {
        assertThat(written).succeedsWithin(10, TimeUnit.SECONDS);
      } finally {
        recordable.countDown();
      }
      truncation.get();
      assertThat(increment.get()).isEqualTo(5);
    } finally {
      recordable.countDown();
      executor.shutdown();
    }
  }
}
