// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogWriting;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.repair.Repairer;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.ObservedStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The power is lost at any change that a repair makes. Another repair finds all that was there. */
class RepairCrashTest {
  private static final int SEEDS = 4;
  private static final int FLUSHES = 3;
  private static final int ROWS = 80;
  private static final String STORE = "s";

  /** What is damaged. */
  private enum Damaged {
    TABLE(1),
    LOG(4),
    MANIFEST(1);

    /** Of this number of changes of the disk, the power is lost at one. */
    private final int sampled;

    Damaged(int sampled) {
      this.sampled = sampled;
    }
  }

  private static DatabaseOptions options() {
    return DatabaseOptions.builder().memoryBytes(4 << 20).logWriting(LogWriting.PLAIN).build();
  }

  /** Returns a database with sorted tables and a log, whose process was killed. */
  private static MemoryStorage written() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    Random random = new Random(1);
    try (Database database = DatabaseEngine.open(disk, options())) {
      KeyValueStore store = database.keyValueStore(STORE);
      for (int flushes = 0; flushes <= FLUSHES; flushes++) {
        for (int row = 0; row < ROWS; row++) {
          byte[] value = new byte[500];
          random.nextBytes(value);
          store.put(bytes(flushes + "-" + row), value, Durability.FSYNC);
        }
        if (flushes < FLUSHES) {
          database.flush();
          ((DatabaseEngine) database).truncateLog();
        }
      }
      return disk.copy();
    }
  }

  /** Returns the name of the damaged file. */
  private static String damage(MemoryStorage disk, Damaged damaged) throws IOException {
    String file =
        switch (damaged) {
          case TABLE -> "sst/" + disk.list("sst").get(0);
          case LOG -> BegunLogs.of(disk).get(0);
          case MANIFEST -> "CURRENT";
        };
    // In the log, a row that is in no sorted table.
    disk.flip(file, (int) (disk.size(file) * 9 / 10));
    return file;
  }

  private static List<String> keys(MemoryStorage disk) throws IOException {
    List<String> keys = new ArrayList<>();
    try (Database database = DatabaseEngine.open(disk, options());
        KeyValueIterator all = database.keyValueStore(STORE).prefix(new byte[0])) {
      while (all.hasNext()) {
        keys.add(new String(all.next().key(), US_ASCII));
      }
    }
    return keys;
  }

  @ParameterizedTest
  @EnumSource
  void whatARepairIsAboutToKeepIsNotLost(Damaged damaged) throws IOException {
    MemoryStorage disk = written();
    String file = damage(disk, damaged);
    MemoryStorage repaired = disk.copy();
    new Repairer(repaired).repair();
    List<String> kept = keys(repaired);
    assertThat(kept).hasSizeGreaterThan(FLUSHES * ROWS);
    for (int seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      MemoryStorage running = disk.copy();
      List<MemoryStorage> left = new ArrayList<>();
      Runnable loss =
          () -> {
            synchronized (left) {
              if (random.nextInt(damaged.sampled) == 0) {
                left.add(running.crash(random));
              }
            }
          };
      new Repairer(new ObservedStorage(running, loss)).repair();
      left.add(running.crash(MemoryStorage.LOSES_ALL));
      assertThat(left).hasSizeGreaterThan(3);
      for (int i = 0; i < left.size(); i++) {
        MemoryStorage image = left.get(i);
        new Repairer(image).repair();
        assertThat(keys(image)).as("seed %d, change %d", seed, i).isEqualTo(kept);
        if (damaged != Damaged.MANIFEST) {
          String lost = "lost" + file.substring(file.indexOf('/'));
          assertThat(image.bytes(lost))
              .as("seed %d, change %d", seed, i)
              .isEqualTo(disk.bytes(file));
        }
      }
    }
  }
}
