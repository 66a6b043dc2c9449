// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValueStore;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A writer that waits for another one to leave the device, and may find no memory to wait. A class
 * of its own, because {@link AllocatingClasses} load it.
 */
final class WaitingWriters {
  private static final Set<Thread.State> RUNNING =
      EnumSet.of(Thread.State.NEW, Thread.State.RUNNABLE, Thread.State.BLOCKED);

  private WaitingWriters() {}

  /** Lets two writers write at the same time, and then another one. */
  static void write(long unused) throws IOException, InterruptedException {
    AtomicBoolean waits = new AtomicBoolean();
    CountDownLatch syncing = new CountDownLatch(1);
    CountDownLatch device = new CountDownLatch(1);
    Storage storage =
        DefectiveStorage.with(
                (operation, name, original) -> {
                  if (operation.equals("sync")
                      && name.startsWith("wal/")
                      && waits.getAndSet(false)) {
                    syncing.countDown();
                    device.await();
                  }
                  return original.run();
                })
            .apply(new MemoryStorage());
    DatabaseOptions options = DatabaseOptions.builder().memoryBytes(4 << 20).build();
    try (Database database = DatabaseEngine.open(storage, options)) {
      KeyValueStore store = database.keyValueStore("s");
      store.put(bytes("first"), bytes("v"), Durability.FSYNC);
      waits.set(true);
      Thread leader = start(store, "a");
      syncing.await();
      Thread waiter = start(store, "b");
      while (RUNNING.contains(waiter.getState())) {
        Thread.onSpinWait();
      }
      device.countDown();
      leader.join();
      waiter.join();
      // The first of these commits what is queued, behind itself.
      store.put(bytes("c"), bytes("v"));
      store.put(bytes("d"), bytes("v"));
      assertThat(store.get(bytes("d"))).isEqualTo(bytes("v"));
    }
  }

  private static Thread start(KeyValueStore store, String key) {
    Thread thread =
        new Thread(
            () -> {
              try {
                store.put(bytes(key), bytes("v"), Durability.FSYNC);
              } catch (IOException e) {
                throw new AssertionError(e);
              } catch (OutOfMemoryError e) {
                // The caller does not know whether the write is done.
              }
            },
            "writer-of-" + key);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
