// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import static io.accordiondb.internal.manifest.Edits.addFile;
import static io.accordiondb.internal.manifest.Edits.putRegion;
import static io.accordiondb.internal.manifest.Edits.putTable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.CorruptionException;
import io.accordiondb.DatabaseFailedException;
import io.accordiondb.NotADatabaseException;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.InjectedFault;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageWriter;
import io.accordiondb.internal.storage.WrappingStorage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ManifestTest {
  private final MemoryStorage disk = new MemoryStorage();
  private final FaultyStorage storage = new FaultyStorage(disk);

  @AfterEach
  void nothingStaysOpen() {
    assertThat(disk.openFiles()).isZero();
  }

  @Test
  void commitsAreThereWhenOpenedAgain() throws IOException {
    Random random = new Random(1);
    String before;
    assertThat(Manifest.exists(storage)).isFalse();
    try (Manifest manifest = Manifest.create(storage)) {
      for (int i = 0; i < 50; i++) {
        manifest.commit(Edits.fitting(manifest.version(), manifest::nextNumber, random));
      }
      before = withoutLimit(manifest.version());
    }
    assertThat(Manifest.exists(storage)).isTrue();
    for (int i = 0; i < 3; i++) {
      try (Manifest manifest = Manifest.open(storage)) {
        assertThat(withoutLimit(manifest.version())).isEqualTo(before);
        assertThat(manifest.failure()).isNull();
      }
    }
  }

  private static String withoutLimit(Version version) {
    return Edits.describe(version).replaceFirst("SetNextNumber.*\n", "");
  }

  @Test
  void aListenerThatFailsNeitherHidesACommitNorKeepsItFromOthers() throws IOException {
    List<List<VersionEdit>> heard = new ArrayList<>();
    try (Manifest manifest = Manifest.create(storage)) {
      manifest.onCommit(heard::add);
      for (Throwable thrown : List.of(new IllegalStateException(), new LinkageError())) {
        manifest.onCommit(
            edits -> {
              if (thrown instanceof Error error) {
                throw error;
              }
              throw (RuntimeException) thrown;
            });
      }
      manifest.onCommit(heard::add);
      List<VersionEdit> edits = List.of(new VersionEdit.SetClockFloor(5));
      assertThatCode(() -> manifest.commit(edits)).doesNotThrowAnyException();
      assertThat(heard).containsExactly(edits, edits);
      assertThat(manifest.failure()).isNull();
      assertThat(manifest.version().clockFloor()).isEqualTo(5);
    }
  }

  @Test
  void versionsGivenOutDoNotChange() throws IOException {
    try (Manifest manifest = Manifest.create(storage)) {
      Version before = manifest.version();
      manifest.commit(List.of(putTable(manifest.nextNumber(), "t", 1)));
      assertThat(before.tables()).isEmpty();
      assertThat(manifest.version().tables()).hasSize(1);
    }
  }

  @Test
  void editsThatDoNotFitChangeNothing() throws IOException {
    try (Manifest manifest = Manifest.create(storage)) {
      long table = manifest.nextNumber();
      byte[] before = disk.bytes(manifestFile());
      assertThatThrownBy(
              () ->
                  manifest.commit(List.of(putTable(table, "t", 1), new VersionEdit.DropRegion(99))))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(manifest.version().tables()).isEmpty();
      assertThat(disk.bytes(manifestFile())).isEqualTo(before);
      manifest.commit(List.of(putTable(table, "t", 1)));
      assertThat(manifest.version().table("t")).isNotNull();
    }
  }

  @Test
  void oneCommitIsOneSync() throws IOException {
    try (Manifest manifest = Manifest.create(storage)) {
      long table = manifest.nextNumber();
      storage.count(Set.of(Operation.SYNC));
      manifest.commit(List.of(putTable(table, "t", 1), new VersionEdit.SetClockFloor(5)));
      assertThat(storage.count()).isEqualTo(1);
    }
  }

  @Test
  void numbersAreNeverGivenTwice() throws IOException {
    Set<Long> given = new HashSet<>();
    Manifest.create(storage).close();
    for (int i = 0; i < 5; i++) {
      try (Manifest manifest = Manifest.open(storage)) {
        for (int j = 0; j < 100; j++) {
          assertThat(given.add(manifest.nextNumber())).isTrue();
        }
      }
    }
  }

  @Test
  void numbersAreGivenToManyThreads() throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(4);
    try (Manifest manifest = Manifest.create(storage)) {
      Callable<List<Long>> taking =
          () -> {
            List<Long> taken = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
              taken.add(manifest.nextNumber());
              if (i % 100 == 0) {
                manifest.commit(List.of(new VersionEdit.SetClockFloor(i)));
              }
            }
            return taken;
          };
      List<Long> given = new ArrayList<>();
      for (Future<List<Long>> taken : executor.invokeAll(List.of(taking, taking, taking, taking))) {
        given.addAll(taken.get());
      }
      assertThat(given).hasSize(8000).doesNotHaveDuplicates();
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void numbersAreRarelyWaitedFor() throws IOException {
    try (Manifest manifest = Manifest.create(storage)) {
      storage.count(Set.of(Operation.SYNC));
      for (int i = 0; i < 1000; i++) {
        manifest.nextNumber();
      }
      assertThat(storage.count()).isLessThan(20);
    }
  }

  @Test
  void fileThatHasGrownIsReplaced() throws IOException {
    try (Manifest manifest = Manifest.create(storage)) {
      growBeyond(manifest, 300_000);
      assertThat(manifestFiles()).hasSize(1).doesNotContain("MANIFEST-000000000001");
      assertThat(disk.size(manifestFile())).isLessThan(300_000);
    }
    try (Manifest manifest = Manifest.open(storage)) {
      assertThat(manifest.version().files()).hasSize(1);
    }
  }

  /** Commits so much that a manifest file of the size would be too large. */
  private static void growBeyond(Manifest manifest, int bytes) throws IOException {
    long table = manifest.nextNumber();
    long region = manifest.nextNumber();
    long file = manifest.nextNumber();
    manifest.commit(
        List.of(
            putTable(table, "t", 1), putRegion(region, table, "", ""), addFile(file, region, 1)));
    for (int written = 0; written < bytes; written += 40) {
      long next = manifest.nextNumber();
      manifest.commit(List.of(addFile(next, region, 1), new VersionEdit.RemoveFile(file)));
      file = next;
    }
  }

  @Test
  void oldFileGoesOnWhenNoNewOneCanBeBegun() throws IOException {
    try (Manifest manifest = Manifest.create(storage)) {
      storage.failForEver(Set.of(Operation.CREATE), 1);
      growBeyond(manifest, 300_000);
      assertThat(storage.count()).isBetween(1L, 3L);
      assertThat(manifestFiles()).containsExactly("MANIFEST-000000000001");
      storage.count(Set.of());
      growMore(manifest, 600_000);
      assertThat(manifestFiles()).hasSize(1).doesNotContain("MANIFEST-000000000001");
    }
  }

  @Test
  void oldFileGoesOnWhenThereIsNoMemoryForANewOne() throws IOException {
    AtomicInteger failures = new AtomicInteger();
    Storage starved =
        new WrappingStorage(disk) {
          @Override
          public StorageWriter create(String name) throws IOException {
            if (name.startsWith("MANIFEST") && failures.getAndDecrement() > 0) {
              throw new OutOfMemoryError("injected");
            }
            return super.create(name);
          }
        };
    try (Manifest manifest = Manifest.create(starved)) {
      failures.set(1);
      growBeyond(manifest, 300_000);
      assertThat(failures).hasValue(0);
      assertThat(manifestFiles()).containsExactly("MANIFEST-000000000001");
      growMore(manifest, 600_000);
      assertThat(manifestFiles()).hasSize(1).doesNotContain("MANIFEST-000000000001");
    }
  }

  private static void growMore(Manifest manifest, int bytes) throws IOException {
    for (int written = 0; written < bytes; written += 30) {
      manifest.commit(List.of(new VersionEdit.SetClockFloor(written)));
    }
  }

  @Test
  void afterAFailedCommitOthersAreTakenOnceAnotherFileIsBegun() throws IOException {
    for (Operation operation : List.of(Operation.APPEND, Operation.SYNC)) {
      MemoryStorage memory = new MemoryStorage();
      FaultyStorage faulty = new FaultyStorage(memory);
      try (Manifest manifest = Manifest.create(faulty)) {
        faulty.failFor(Set.of(operation), 1, 3);
        for (long floor = 5; floor < 7; floor++) {
          List<VersionEdit> edits = List.of(new VersionEdit.SetClockFloor(floor));
          assertThatThrownBy(() -> manifest.commit(edits))
              .isInstanceOf(WritesSuspendedException.class)
              .hasCauseInstanceOf(InjectedFault.class);
        }
        assertThat(faulty.count()).isEqualTo(1);
        assertThat(manifest.version().clockFloor()).isZero();
        for (int i = 0; i < 2; i++) {
          assertThatThrownBy(manifest::resume).isInstanceOf(WritesSuspendedException.class);
        }
        manifest.resume();
        assertThat(Manifest.read(memory).clockFloor()).isZero();
        manifest.commit(List.of(new VersionEdit.SetClockFloor(7)));
        assertThat(ManifestFile.list(memory)).hasSize(1);
      }
      assertThat(Manifest.read(memory).clockFloor()).isEqualTo(7);
      assertThat(memory.openFiles()).isZero();
    }
  }

  @Test
  void aFailureToPutAFileInForceIsForEver() throws IOException {
    FaultyStorage faulty = new FaultyStorage(disk);
    try (Manifest manifest = Manifest.create(faulty)) {
      faulty.failFor(Set.of(Operation.APPEND, Operation.RENAME), 1, 1);
      assertThatThrownBy(() -> manifest.commit(List.of(new VersionEdit.SetClockFloor(5))))
          .isInstanceOf(WritesSuspendedException.class);
      faulty.failOnce(Set.of(Operation.RENAME), 1);
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(manifest::resume)
            .isExactlyInstanceOf(DatabaseFailedException.class)
            .hasCauseInstanceOf(InjectedFault.class);
      }
      assertThatThrownBy(() -> manifest.commit(List.of(new VersionEdit.SetClockFloor(6))))
          .isExactlyInstanceOf(DatabaseFailedException.class);
    }
  }

  @Test
  void aManifestOlderThanTheFilesBesideItIsRefused() throws IOException {
    byte[] old;
    try (Manifest manifest = Manifest.create(storage)) {
      storage.createDirectories("sst");
      old = disk.bytes("MANIFEST-000000000001");
      for (int i = 0; i < 200; i++) {
        manifest.nextNumber();
      }
      disk.setBytes(String.format("sst/%012d.sst", manifest.nextNumber()), new byte[] {1});
    }
    Manifest.read(disk);
    disk.setBytes("MANIFEST-000000000001", old);
    assertThatThrownBy(() -> Manifest.open(disk))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("lost its end");
    assertThat(disk.list("sst")).hasSize(1);
  }

  @Test
  void aConfirmationThatCannotBeWrittenEndsTheFileAlone() throws IOException {
    try (Manifest manifest = Manifest.create(storage)) {
      storage.failOnce(Set.of(Operation.APPEND), 2);
      manifest.commit(List.of(new VersionEdit.SetClockFloor(1)));
      assertThat(disk.copy().list("")).contains("MANIFEST-000000000001");
      manifest.commit(List.of(new VersionEdit.SetClockFloor(2)));
      assertThat(disk.list("")).doesNotContain("MANIFEST-000000000001");
      assertThat(manifest.failure()).isNull();
      assertThat(Manifest.read(disk.copy()).clockFloor()).isEqualTo(2);
    }
  }

  @Test
  void failureWhileSwitchingFilesIsTheLast() throws IOException {
    for (Operation operation : List.of(Operation.RENAME, Operation.SYNC_DIRECTORY)) {
      MemoryStorage memory = new MemoryStorage();
      FaultyStorage faulty = new FaultyStorage(memory);
      try (Manifest manifest = Manifest.create(faulty)) {
        faulty.failOnce(Set.of(operation), 1);
        assertThatThrownBy(() -> growBeyond(manifest, 300_000))
            .isInstanceOf(DatabaseFailedException.class);
        assertThatThrownBy(() -> manifest.commit(List.of()))
            .isInstanceOf(DatabaseFailedException.class);
      }
      assertThat(memory.openFiles()).isZero();
      try (Manifest manifest = Manifest.open(memory)) {
        assertThat(manifest.version().files()).hasSize(1);
      }
    }
  }

  @Test
  void oldFileThatCannotBeDeletedDoesNoHarm() throws IOException {
    Manifest.create(storage).close();
    storage.failForEver(Set.of(Operation.DELETE), 1);
    try (Manifest manifest = Manifest.open(storage)) {
      manifest.commit(List.of(new VersionEdit.SetClockFloor(5)));
    }
    assertThat(manifestFiles()).hasSize(2);
    storage.count(Set.of());
    try (Manifest manifest = Manifest.open(storage)) {
      assertThat(manifest.version().clockFloor()).isEqualTo(5);
    }
    assertThat(manifestFiles()).hasSize(1);
  }

  @Test
  void closedManifestTakesNoCommits() throws IOException {
    Manifest manifest = Manifest.create(storage);
    manifest.close();
    manifest.close();
    assertThatThrownBy(() -> manifest.commit(List.of())).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void folderWithoutManifestIsNoDatabase() throws IOException {
    assertThatThrownBy(() -> Manifest.open(storage))
        .isInstanceOf(NotADatabaseException.class)
        .hasMessageContaining(disk.path(""));
  }

  @Test
  void lostCurrentIsDamage() throws IOException {
    Manifest.create(storage).close();
    disk.delete("CURRENT");
    assertThatThrownBy(() -> Manifest.open(storage))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("CURRENT")
        .hasMessageContaining("MANIFEST-000000000001")
        .hasMessageContaining("repair");
  }

  @Test
  void currentThatNamesNoManifestIsDamage() throws IOException {
    Manifest.create(storage).close();
    String good = new String(disk.bytes("CURRENT"), StandardCharsets.US_ASCII);
    for (String bad :
        List.of("", "\n", "MANIFEST-000000000001", good.strip(), good + "\n", "x".repeat(1000))) {
      disk.setBytes("CURRENT", bad.getBytes(StandardCharsets.US_ASCII));
      assertThatThrownBy(() -> Manifest.open(storage))
          .as(bad)
          .isInstanceOf(CorruptionException.class);
    }
    disk.setBytes("CURRENT", good.getBytes(StandardCharsets.US_ASCII));
    disk.delete("MANIFEST-000000000001");
    assertThatThrownBy(() -> Manifest.open(storage))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("a file that exists");
  }

  @Test
  void manifestIsNotBegunTwice() throws IOException {
    Manifest.create(storage).close();
    assertThatThrownBy(() -> Manifest.create(storage)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void largeVersionsAreReadBack() throws IOException {
    try (Manifest manifest = Manifest.create(storage)) {
      List<VersionEdit> edits = new ArrayList<>();
      long table = manifest.nextNumber();
      long region = manifest.nextNumber();
      edits.add(putTable(table, "t", 1));
      edits.add(putRegion(region, table, "", ""));
      for (int i = 0; i < 5000; i++) {
        edits.add(addFile(manifest.nextNumber(), region, 1));
      }
      manifest.commit(edits);
    }
    for (int i = 0; i < 2; i++) {
      try (Manifest manifest = Manifest.open(storage)) {
        assertThat(manifest.version().files()).hasSize(5000);
      }
    }
  }

  private List<String> manifestFiles() throws IOException {
    return disk.list("").stream().filter(name -> name.startsWith("MANIFEST")).toList();
  }

  private String manifestFile() throws IOException {
    return manifestFiles().get(0);
  }
}
