// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.accordiondb.CompactionStyle;
import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.KeyUnavailableException;
import io.accordiondb.KeyValueStore;
import io.accordiondb.OtherKeys;
import io.accordiondb.RecoveryMode;
import io.accordiondb.RepairReport;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.TableDescriptor;
import io.accordiondb.TestKeys;
import io.accordiondb.internal.crypt.EncryptedStorage;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.WrappingStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Encrypted databases that are torn, read beside their owner, loaded, or compacted. */
@Timeout(60)
class EncryptionMeetsOthersTest extends EncryptedStore {
  @Test
  void whatIsLeftOfAFrameIsSeen() throws IOException {
    MemoryStorage disk = killed();
    List<String> logs = disk.list("wal");
    String newest = "wal/" + logs.get(logs.size() - 1);
    byte[] sound = disk.bytes(newest);
    DatabaseOptions.Builder options = builder(new OtherKeys());
    DatabaseOptions absolute = options.recoveryMode(RecoveryMode.ABSOLUTE).build();
    DatabaseEngine.open(disk.copy(), absolute).close();
    for (int bytes = 1; bytes <= 60; bytes++) {
      MemoryStorage cut = disk.copy();
      cut.setBytes(newest, Arrays.copyOf(sound, sound.length - bytes));
      assertThatExceptionOfType(CorruptionException.class)
          .as("without the last %d bytes", bytes)
          .isThrownBy(() -> DatabaseEngine.open(cut, absolute))
          .withMessageContaining(newest);
      try (Database database =
          DatabaseEngine.open(cut, options.recoveryMode(RecoveryMode.TOLERATE_TORN_TAIL).build())) {
        assertHolds(database, 29);
      }
    }
  }

  @Test
  void aReaderWithoutKeysIsToldThatTheFolderHasBeenEncrypted() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    try (Database database = open(disk, null)) {
      write(database, 0, 10);
    }
    try (Database reader = DatabaseEngine.open(disk, builder(null).readOnly(true).build())) {
      try (Database owner = open(disk, new OtherKeys())) {
        write(owner, 10, 20);
      }
      assertThatExceptionOfType(KeyUnavailableException.class)
          .isThrownBy(reader::refresh)
          .withMessageContaining("DatabaseOptions.encryption");
      assertHolds(reader, 10);
      Path target = temporary.resolve("copy");
      assertThatExceptionOfType(KeyUnavailableException.class)
          .isThrownBy(() -> reader.checkpoint(target));
    }
  }

  /** A storage that lists a file that has just been deleted. */
  private static final class Busy extends WrappingStorage {
    Busy(Storage delegate) {
      super(delegate);
    }

    @Override
    public List<String> list(String directory) throws IOException {
      List<String> names = new ArrayList<>(delegate.list(directory));
      if (directory.equals("sst")) {
        names.add("000000099999.sst");
      }
      return names;
    }
  }

  @Test
  void filesOfAnOpenDatabaseMayVanishWhileTheirKeysAreLookedAt() throws IOException {
    MemoryStorage disk = killed();
    Storage busy = new Busy(disk);
    assertThat(EncryptedStorage.filesByKey(busy)).containsOnlyKeys("a");
    ((EncryptedStorage) DatabaseFolder.deciphered(busy, new OtherKeys())).checkKeys();
  }

  @Test
  void filesWithoutAHeaderYetAreNotCountedAsPlain() throws IOException {
    MemoryStorage disk = killed();
    disk.create("wal/created").close();
    assertThat(EncryptedStorage.filesByKey(disk)).containsOnlyKeys("a");
  }

  private Path sortedFile(Database database, int number) throws IOException {
    Path file = temporary.resolve("ingested" + number);
    try (SortedFileWriter writer =
        SortedFileWriter.create(file, database.describe(STORE).family(KeyValueStore.FAMILY))) {
      writer.add(key(number), new byte[0], 1, key(number));
      writer.finish();
    }
    return file;
  }

  /** A repair without a manifest advises to ingest such a file again. */
  @Test
  void anIngestedFileThatARepairHasPutAsideIsIngestedAgain() throws IOException {
    Path folder = temporary.resolve("database");
    DatabaseOptions options = builder(TestKeys.current("a")).build();
    try (Database database = Database.open(folder, options)) {
      // A compaction would write the ingested cells into a file of the database.
      FamilyDescriptor.Builder family = FamilyDescriptor.of(KeyValueStore.FAMILY).toBuilder();
      database.createTable(
          TableDescriptor.builder(STORE)
              .family(family.compactionStyle(CompactionStyle.NONE).build())
              .build());
      write(database, 0, 10);
      database.flush();
      database.ingest(STORE, KeyValueStore.FAMILY, List.of(sortedFile(database, 10)));
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.equals("CURRENT") || name.startsWith("MANIFEST")) {
          Files.delete(file);
        }
      }
    }
    RepairReport report = Database.repair(folder, TestKeys.current("b"));
    assertThat(report.lost()).anyMatch(lost -> lost.message().contains("ingest"));
    Path aside;
    try (Stream<Path> lost = Files.list(folder.resolve("lost"))) {
      aside = lost.filter(file -> file.toString().endsWith(".sst")).findFirst().orElseThrow();
    }
    try (Database other = Database.open(temporary.resolve("plain"), builder(null).build())) {
      write(other, 0, 1);
      assertThatExceptionOfType(KeyUnavailableException.class)
          .isThrownBy(() -> other.ingest(STORE, KeyValueStore.FAMILY, List.of(aside)))
          .withMessageContaining(aside.toString());
    }
    try (Database database = Database.open(folder, options)) {
      database.ingest(STORE, KeyValueStore.FAMILY, List.of(aside));
      database.ingest(STORE, KeyValueStore.FAMILY, List.of(sortedFile(database, 11)));
      assertHolds(database, 12);
      assertThat(Database.filesByKey(folder)).doesNotContainKey("");
    }
  }

  @Test
  void aMajorCompactionRewritesCopiesAndHalvesOfTablesUnderTheNewKey() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    try (Database database = open(disk, TestKeys.current("a"))) {
      write(database, 0, 50);
      database.flush();
      database.copyTable(
          STORE,
          TableDescriptor.builder("copy")
              .family(database.describe(STORE).family(KeyValueStore.FAMILY))
              .build());
      database.splitRegion("copy", key(25));
    }
    try (Database database = open(disk, TestKeys.current("b"))) {
      database.majorCompact(STORE);
      database.majorCompact("copy");
      ((DatabaseEngine) database).truncateLog();
      assertHolds(database, 50);
    }
    try (Database database = open(disk, TestKeys.current("b"))) {
      assertThat(EncryptedStorage.filesByKey(disk)).containsOnlyKeys("b");
      assertHolds(database, 50);
    }
  }
}
