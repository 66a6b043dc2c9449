// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static io.accordiondb.fixtures.JavaProcess.outputOf;
import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.function.IoConsumer;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.StorageWriter;
import io.accordiondb.internal.storage.WrappingStorage;
import io.accordiondb.internal.storage.WrappingWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
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
  private static final String WRITTEN = "written";

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
        assertThat(written).succeedsWithin(5, TimeUnit.MINUTES);
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

  @Test
  void anInterruptedWriterInAVirtualThreadLeavesTheOnlyCarrierToATruncation() throws Exception {
    assumeTrue(Runtime.version().feature() >= 21, "virtual threads");
    List<String> options = List.of("-Djdk.virtualThreadScheduler.parallelism=1");
    String output = outputOf(javaProcess(options, OneCarrier.class));
    assertThat(output.strip()).endsWith(WRITTEN);
  }

  /** A process with one carrier, in which an interrupted virtual thread waits for another one. */
  static final class OneCarrier {
    private static final int WAIT_MILLIS_MAX = 10_000;

    private OneCarrier() {}

    public static void main(String[] arguments) throws Exception {
      WriterBesideChangesTest test = new WriterBesideChangesTest();
      CountDownLatch waits = new CountDownLatch(1);
      InstantSource clock =
          () -> {
            if (Thread.currentThread().isInterrupted()) {
              waits.countDown();
            }
            return Instant.now();
          };
      Database database =
          DatabaseEngine.open(test.storage, DatabaseOptions.builder().clock(clock).build());
      database.createTable(TableDescriptor.of("t", "f"));
      test.slow = true;
      Thread truncation = startVirtual(() -> database.truncateTable("t"));
      test.recording.await();
      Thread writer =
          startVirtual(
              () -> {
                Thread.currentThread().interrupt();
                database.table("t").put(new Put(ROW).addColumn(F, Q, bytes("v")));
              });
      waits.await();
      test.recordable.countDown();
      truncation.join(WAIT_MILLIS_MAX);
      writer.join(WAIT_MILLIS_MAX);
      boolean isWritten = !truncation.isAlive() && database.table("t").exists(new Get(ROW));
      System.out.println(isWritten ? WRITTEN : "the truncation has starved");
      System.exit(0);
    }

    static Thread startVirtual(IoRunnable work) {
      Runnable unchecked =
          () -> {
            try {
              work.run();
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          };
      try {
        return (Thread)
            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, unchecked);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
