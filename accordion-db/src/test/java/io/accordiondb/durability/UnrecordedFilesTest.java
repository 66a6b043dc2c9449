// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.KeyValueStore;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A failure in the middle of a compaction leaves no file behind that takes room. */
class UnrecordedFilesTest {
  @Test
  void aCompactionThatTheManifestCannotRecordLeavesNoFile() throws IOException {
    List<String> left = new ArrayList<>();
    boolean failed = true;
    for (int nth = 1; failed; nth++) {
      MemoryStorage disk = new MemoryStorage();
      FaultyStorage storage = new FaultyStorage(disk);
      DatabaseOptions options = DatabaseOptions.builder().memoryBytes(4 << 20).build();
      try (Database database = DatabaseEngine.open(storage, options)) {
        KeyValueStore store = database.keyValueStore("s");
        for (int i = 0; i < 2; i++) {
          store.put(bytes("k" + i), bytes("v"));
          database.flush();
        }
        storage.failOnce(Set.of(Operation.APPEND), nth);
        try {
          database.majorCompact("s");
          failed = false;
        } catch (WritesSuspendedException e) {
          storage.count(Set.of());
          database.resume();
          database.majorCompact("s");
        } catch (IOException e) {
          storage.count(Set.of());
          database.majorCompact("s");
        }
        if (disk.list("sst").size() != 1) {
          left.add(nth + ": " + disk.list("sst"));
        }
      }
    }
    assertThat(left).isEmpty();
  }

  /**
   * While a failed ingestion deletes its file, a flush writes one whose record in the manifest may
   * or may not be on the device.
   */
  @Test
  void aFailedIngestionDeletesNoFileThatTheManifestMayHaveRecorded(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("file");
    try (SortedFileWriter writer =
        SortedFileWriter.create(file, FamilyDescriptor.of(KeyValueStore.FAMILY))) {
      writer.add(bytes("a"), new byte[0], 1, bytes("v"));
      writer.finish();
    }
    MemoryStorage disk = new MemoryStorage();
    Mischance mischance = new Mischance();
    DatabaseOptions options = DatabaseOptions.builder().memoryBytes(4 << 20).build();
    try (Database database = DatabaseEngine.open(mischance.over(disk), options)) {
      KeyValueStore store = database.keyValueStore("s");
      store.put(bytes("k"), bytes("v"));
      mischance.beforeDeletion.set(
          () -> {
            mischance.syncOfManifestFails.set(true);
            assertThatThrownBy(database::flush).isInstanceOf(WritesSuspendedException.class);
          });
      assertThatThrownBy(() -> database.ingest("s", "unknown", List.of(file)))
          .isInstanceOf(FamilyNotFoundException.class);
      assertThat(mischance.beforeDeletion.get()).isNull();
      try (Database killed = DatabaseEngine.open(disk.copy(), options)) {
        assertThat(killed.keyValueStore("s").get(bytes("k"))).isEqualTo(bytes("v"));
      }
      database.resume();
      database.flush();
    }
    assertThat(disk.list("sst")).hasSize(1);
  }

  /** While a resumption deletes a file that was given up, the manifest fails again. */
  @Test
  void aResumptionDeletesNoFileThatWasGivenUpAfterIt() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    Mischance mischance = new Mischance();
    DatabaseOptions options = DatabaseOptions.builder().memoryBytes(4 << 20).build();
    try (Database database = DatabaseEngine.open(mischance.over(disk), options)) {
      KeyValueStore store = database.keyValueStore("s");
      store.put(bytes("k"), bytes("v"));
      mischance.syncOfManifestFails.set(true);
      assertThatThrownBy(database::flush).isInstanceOf(WritesSuspendedException.class);
      mischance.beforeDeletion.set(
          () -> {
            mischance.syncOfManifestFails.set(true);
            assertThatThrownBy(database::flush).isInstanceOf(WritesSuspendedException.class);
          });
      Throwable unused = catchThrowable(database::resume);
      assertThat(mischance.beforeDeletion.get()).isNull();
      try (Database killed = DatabaseEngine.open(disk.copy(), options)) {
        assertThat(killed.keyValueStore("s").get(bytes("k"))).isEqualTo(bytes("v"));
      }
      mischance.syncOfManifestFails.set(false);
      database.resume();
      database.flush();
    }
    assertThat(disk.list("sst")).hasSize(1);
  }

  /** What happens to a storage. */
  private static final class Mischance {
    final AtomicReference<@Nullable Runnable> beforeDeletion = new AtomicReference<>();
    final AtomicBoolean syncOfManifestFails = new AtomicBoolean();

    Storage over(Storage disk) {
      return DefectiveStorage.with(
              (operation, name, original) -> {
                Runnable action =
                    operation.equals("exists") && name.startsWith("sst/")
                        ? beforeDeletion.getAndSet(null)
                        : null;
                if (action != null) {
                  action.run();
                }
                Object result = original.run();
                if (operation.equals("sync")
                    && name.startsWith("MANIFEST-")
                    && syncOfManifestFails.getAndSet(false)) {
                  throw new IOException("the device has failed");
                }
                return result;
              })
          .apply(disk);
    }
  }
}
