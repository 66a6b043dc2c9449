// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.Await.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.LogWriting;
import io.accordiondb.Put;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.repair.Repairer;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.StorageWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Log files of a killed database, written with SYNC, in front of which sound ones follow. */
class DamagedLogTest {
  private static final int ROWS = 300;

  private final MemoryStorage disk = new MemoryStorage();

  private static DatabaseOptions options(LogWriting writing) {
    return DatabaseOptions.builder()
        .memoryBytes(4 << 20)
        .logFileBytes(8 << 10)
        .logWriting(writing)
        .build();
  }

  private static void write(Database database, int row) throws IOException {
    byte[] bytes = ("row" + row).getBytes(US_ASCII);
    database
        .table("t")
        .put(new Put(bytes).addColumn(bytes(), bytes, bytes).setDurability(Durability.SYNC));
  }

  private static byte[] bytes() {
    return "f".getBytes(US_ASCII);
  }

  /** Flips a bit of the last record of a file. */
  private static MemoryStorage damaged(MemoryStorage sound, String log) throws IOException {
    MemoryStorage damaged = sound.copy();
    byte[] bytes = damaged.bytes(log);
    int end = bytes.length;
    while (bytes[end - 1] == 0) {
      end--;
    }
    damaged.flip(log, end - 1);
    return damaged;
  }

  /** The file is forced to the device in the background, which the log notes. */
  @ParameterizedTest
  @EnumSource
  @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
  void damageOfAFullFileIsRefused(LogWriting writing) throws IOException {
    try (Database database = DatabaseEngine.open(disk, options(writing))) {
      database.createTable(TableDescriptor.of("t", "f"));
      for (int row = 0; row < ROWS; row++) {
        write(database, row);
      }
      List<String> logs = BegunLogs.of(disk);
      assertThat(logs).hasSizeGreaterThan(2);
      // So few files that no writer has had to force them.
      assertThat(logs).hasSizeLessThan(16);
      await("a refusal", () -> isRefused(damaged(disk, logs.get(0)), writing));
      MemoryStorage damaged = damaged(disk, logs.get(0));
      assertThatThrownBy(() -> DatabaseEngine.open(damaged, options(writing)))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining(logs.get(0));
      assertThat(new Verifier(damaged).verify().problems()).isNotEmpty();
    }
  }

  private static boolean isRefused(MemoryStorage damaged, LogWriting writing) throws IOException {
    try (Database database = DatabaseEngine.open(damaged, options(writing))) {
      return false;
    } catch (CorruptionException e) {
      return true;
    }
  }

  /** Whether or not it is refused, the verifier says that sound batches follow. */
  @ParameterizedTest
  @EnumSource
  void verifyingTellsOfSoundBatchesThatAreLeftOut(LogWriting writing) throws IOException {
    try (Database database = DatabaseEngine.open(disk, options(writing))) {
      database.createTable(TableDescriptor.of("t", "f"));
      for (int row = 0; row < ROWS; row++) {
        write(database, row);
        if (row % 20 == 19) {
          List<String> logs = BegunLogs.of(disk);
          for (String log : logs.subList(0, logs.size() - 1)) {
            MemoryStorage killed = disk.copy();
            assertThat(new Verifier(killed).verify().problems()).isEmpty();
            assertThat(new Verifier(damaged(killed, log)).verify().problems()).isNotEmpty();
          }
        }
      }
    }
  }

  /** A repair that is killed may have copied a part, where the file system has no links. */
  @Test
  void aRepairKeepsTheWholeLogAlthoughAnotherOneHasCopiedAPart() throws IOException {
    LogWriting writing = LogWriting.values()[0];
    try (Database database = DatabaseEngine.open(disk, options(writing))) {
      database.createTable(TableDescriptor.of("t", "f"));
      for (int row = 0; row < ROWS; row++) {
        write(database, row);
      }
      String name = disk.list("wal").get(0);
      MemoryStorage damaged = damaged(disk, "wal/" + name);
      byte[] log = damaged.bytes("wal/" + name);
      damaged.createDirectories("lost");
      try (StorageWriter copy = damaged.create("lost/" + name)) {
        copy.append(ByteBuffer.wrap(log, 0, log.length / 2));
      }
      assertThat(new Repairer(damaged).repair().lost()).isNotEmpty();
      assertThat(damaged.bytes("lost/" + name)).isEqualTo(log);
    }
  }
}
