// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static io.accordiondb.fixtures.JavaProcess.outputOf;
import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValueStore;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.StorageWriter;
import io.accordiondb.internal.storage.WrappingStorage;
import io.accordiondb.internal.storage.WrappingWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An increment whose row another write has changed, but not visibly yet. */
@Timeout(60)
class OvertakenIncrementTest {
  private static final byte[] KEY = bytes("k");
  private static final byte[] OTHER = bytes("o");
  private static final String DONE = "done";

  @Test
  void inAVirtualThreadItLeavesTheOnlyCarrierToTheOtherWrite() throws Exception {
    assumeTrue(Runtime.version().feature() >= 21, "virtual threads");
    List<String> options =
        List.of(
            "-Djdk.virtualThreadScheduler.parallelism=1",
            "-Djdk.virtualThreadScheduler.maxPoolSize=1");
    String output = outputOf(javaProcess(options, OneCarrier.class));
    assertThat(output.strip()).endsWith(DONE);
  }

  /** A process with one carrier, in which a put waits for the log, and then for the carrier. */
  static final class OneCarrier {
    private static final int WAIT_MILLIS_MAX = 10_000;

    private static final CountDownLatch SYNCING = new CountDownLatch(1);
    private static final CountDownLatch SYNCABLE = new CountDownLatch(1);
    private static volatile boolean slow;

    private OneCarrier() {}

    /** A storage that forces the log as late as the test wants. */
    private static final class SlowStorage extends WrappingStorage {
      SlowStorage() {
        super(new MemoryStorage());
      }

      @Override
      public StorageWriter create(String name) throws IOException {
        return new WrappingWriter(delegate.create(name)) {
          @Override
          public void sync() throws IOException {
            if (slow) {
              SYNCING.countDown();
              try {
                SYNCABLE.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
            }
            super.sync();
          }
        };
      }
    }

    public static void main(String[] arguments) throws Exception {
      Database database = DatabaseEngine.open(new SlowStorage(), DatabaseOptions.defaults());
      KeyValueStore counters = database.keyValueStore("counters");
      KeyValueStore values = database.keyValueStore("values");
      counters.increment(KEY, 1);
      values.put(KEY, KEY);
      slow = true;
      Thread forces = new Thread(() -> putDurably(values));
      forces.start();
      SYNCING.await();
      Thread increments =
          WriterBesideChangesTest.OneCarrier.startVirtual(
              () -> {
                Thread puts =
                    WriterBesideChangesTest.OneCarrier.startVirtual(() -> values.put(KEY, OTHER));
                // It has the carrier until it waits for the log.
                while (puts.getState() != Thread.State.WAITING) {
                  Thread.yield();
                }
                SYNCABLE.countDown();
                // From here on it needs the carrier.
                while (forces.isAlive()) {
                  Thread.onSpinWait();
                }
                // The first one logs the put, too, and the second one finds it logged.
                counters.increment(KEY, 1);
                counters.increment(KEY, 1);
              });
      increments.join(WAIT_MILLIS_MAX);
      boolean isDone = !increments.isAlive() && counters.increment(KEY, 1) == 4;
      System.out.println(isDone ? DONE : "the put has starved");
      System.exit(0);
    }

    private static void putDurably(KeyValueStore values) {
      try {
        values.put(OTHER, OTHER, Durability.FSYNC);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
