// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.Merge;
import io.accordiondb.TableDescriptor;
import io.accordiondb.WriteBatch;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.StorageWriter;
import io.accordiondb.internal.storage.WrappingStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * The names of tables are kept with the log after a commit of the manifest. If there is no memory
 * for that, the commit is in force all the same.
 */
class UnsavedNamesTest {
  private static final byte[] ROW = bytes("row");
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");
  private static final byte[] ONE = ByteBuffer.allocate(Long.BYTES).putLong(1).array();

  private final MemoryStorage disk = new MemoryStorage();
  private final AtomicBoolean isDiskFull = new AtomicBoolean();
  private final AtomicBoolean isMemoryOut = new AtomicBoolean();

  private final class Names extends WrappingStorage {
    Names() {
      super(disk);
    }

    @Override
    public StorageWriter create(String name) throws IOException {
      if (name.startsWith("kept/names") && isDiskFull.getAndSet(false)) {
        throw new IOException("no room for " + name);
      }
      if (name.startsWith("kept/names") && isMemoryOut.getAndSet(false)) {
        throw new OutOfMemoryError("Cannot reserve 4096 bytes of direct buffer memory");
      }
      return disk.create(name);
    }
  }

  private Database open() throws IOException {
    Database database =
        DatabaseEngine.open(
            new Names(),
            DatabaseOptions.builder()
                .memoryBytes(4 << 20)
                .logRetention(Duration.ofHours(1))
                .build());
    isDiskFull.set(true);
    database.createTable(
        TableDescriptor.builder("t")
            .family(FamilyDescriptor.builder("f").mergeOperator("counter").build())
            .build());
    assertThat(isDiskFull).isFalse();
    addOne(database);
    return database;
  }

  /** Runs an action that saves names, for which there is no memory; JUnit would end with that. */
  private void withoutMemory(IoRunnable action) throws IOException {
    isMemoryOut.set(true);
    try {
      action.run();
    } catch (OutOfMemoryError e) {
      throw new AssertionError("the action failed although it is in force", e);
    }
    assertThat(isMemoryOut).isFalse();
  }

  private static void addOne(Database database) throws IOException {
    database.write(new WriteBatch().merge("t", new Merge(ROW).addColumn(F, Q, ONE)));
  }

  private static long sum(Database database) throws IOException {
    byte[] sum = database.table("t").get(new Get(ROW)).value(F, Q);
    return ByteBuffer.wrap(sum).getLong();
  }

  @Test
  void aFlushIsNotRepeatedOnceItIsRecorded() throws IOException {
    try (Database database = open()) {
      withoutMemory(database::flush);
      assertThat(sum(database)).isEqualTo(1);
      assertThat(disk.list("sst")).hasSize(1);
    }
  }

  @Test
  void aSplitIsNotTakenBackOnceItIsRecorded() throws IOException {
    try (Database database = open()) {
      database.flush();
      isDiskFull.set(true);
      database.createTable(TableDescriptor.of("other", "f"));
      withoutMemory(() -> database.splitRegion("t", bytes("s")));
      addOne(database);
      assertThat(sum(database)).isEqualTo(2);
      database.majorCompact("t");
      assertThat(disk.list("sst")).hasSize(1);
    }
  }
}
