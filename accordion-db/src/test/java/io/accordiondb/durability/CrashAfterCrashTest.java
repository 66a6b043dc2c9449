// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.internal.storage.MemoryStorage.LOSES_ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValueStore;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.ObservedStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The process dies while the manifest has a commit that is not on the device yet; the next process
 * reads the commit and opens the database; then the power is lost, and the commit with it. What was
 * done because of the commit must not have outlived it.
 */
class CrashAfterCrashTest {
  private static final int ROWS = 24;

  /** Of the moments at which the first process dies, one in this many is tried. */
  private static final int MOMENTS = 6;

  /** A loss of power after which nothing is left that was not synced. */
  private static DatabaseOptions options() {
    return DatabaseOptions.builder()
        .memoryBytes(1 << 20)
        .logFileBytes(4 << 10)
        .durability(Durability.FSYNC)
        .build();
  }

  @Test
  void whatFollowsFromACommitDoesNotOutliveIt() throws IOException {
    List<MemoryStorage> images = new ArrayList<>();
    MemoryStorage disk = new MemoryStorage();
    Runnable camera =
        () -> {
          synchronized (images) {
            if (hasCommitInFlight(disk)) {
              images.add(disk.copy());
            }
          }
        };
    try (Database database = DatabaseEngine.open(new ObservedStorage(disk, camera), options())) {
      KeyValueStore store = database.keyValueStore("s");
      for (int i = 0; i < ROWS; i++) {
        store.put(bytes("key" + i % 10), new byte[400]);
        if (i % 12 == 11) {
          database.flush();
        }
      }
    }
    int losses = 0;
    for (int i = 0; i < images.size(); i += MOMENTS) {
      for (MemoryStorage left : lossesOfPowerDuringOpening(images.get(i))) {
        DatabaseEngine.open(left, options()).close();
        losses++;
      }
    }
    assertThat(losses).isGreaterThan(100);
  }

  private static List<MemoryStorage> lossesOfPowerDuringOpening(MemoryStorage image)
      throws IOException {
    List<MemoryStorage> losses = new ArrayList<>();
    Runnable camera =
        () -> {
          synchronized (losses) {
            losses.add(image.crash(LOSES_ALL));
          }
        };
    Database database = DatabaseEngine.open(new ObservedStorage(image, camera), options());
    List<MemoryStorage> whileOpening;
    synchronized (losses) {
      whileOpening = List.copyOf(losses);
    }
    database.close();
    return whileOpening;
  }

  /** Returns whether a manifest is longer than what a loss of power would leave of it. */
  private static boolean hasCommitInFlight(MemoryStorage disk) {
    MemoryStorage left = disk.crash(LOSES_ALL);
    try {
      for (String name : left.list("")) {
        if (name.startsWith("MANIFEST-")
            && disk.exists(name)
            && left.size(name) < disk.size(name)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
