// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueStore;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.engine.OpenParts;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.wal.KeptLogs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LogTruncationTest {
  private static final int ATTEMPTS = 5;
  private static final String KEPT = KeptLogs.DIRECTORY + "/000000000003-77.log";

  /** It is tried again each second. What receives the failures logs those of one cause once. */
  @Test
  void filesThatCannotBeDeletedAreAFailureOfBackgroundWork() throws IOException {
    OpenParts parts = new OpenParts();
    FaultyStorage disk = new FaultyStorage(new MemoryStorage());
    LogTruncation truncation =
        new LogTruncation(
            parts.catalog,
            parts.log,
            KeptLogs.asTheyAre(disk),
            () -> 0,
            () -> {},
            () -> {},
            parts.telemetry.errors());
    disk.failForEver(Set.of(Operation.LOOK), 1);
    for (int i = 0; i < ATTEMPTS; i++) {
      truncation.run();
    }
    assertThat(parts.telemetry.errors().count()).isEqualTo(ATTEMPTS);
    assertThat(parts.telemetry.errors().last()).contains("could not delete old log files");
  }

  /** With the stores asked first, all of them would be empty, and the log of the write needless. */
  @Test
  void aWriteThatEndsJustBeforeItIsAskedForKeepsItsLog() throws IOException {
    OpenParts parts = new OpenParts();
    ByteBuffer cell = ByteBuffer.allocate(100);
    byte[] row = bytes("row");
    byte[] family = bytes(KeyValueStore.FAMILY);
    KeyValueLayout.write(cell, 0, row, family, row, 1, CellType.PUT.code(), row);
    LogTruncation truncation =
        new LogTruncation(
            parts.catalog,
            parts.log,
            KeptLogs.asTheyAre(parts.disk),
            () -> {
              parts.store().memStore().add(cell, 0, 1, 1);
              return 1;
            },
            () -> {},
            () -> {},
            parts.telemetry.errors());
    assertThat(truncation.oldestNeeded()).isEqualTo(1);
  }

  /** A flush truncates the log when it has ended, which may be after the database was closed. */
  @Test
  void afterClosingNothingIsDeletedThatTheNextOwnerOfTheFolderKeeps() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    DatabaseEngine closed = (DatabaseEngine) DatabaseEngine.open(disk, DatabaseOptions.defaults());
    closed.close();
    disk.createDirectories(KeptLogs.DIRECTORY);
    disk.create(KEPT).close();
    closed.truncateLog();
    assertThat(disk.exists(KEPT)).isTrue();
  }
}
