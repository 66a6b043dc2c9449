// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static io.accordiondb.fixtures.TestFiles.deleteFolder;
import static io.accordiondb.fixtures.TestFiles.filesBelow;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.RestorePoint;
import io.accordiondb.fixtures.Mount;
import io.accordiondb.fixtures.TestThread;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class BackupsTest {
  private static final long WRITE_PAUSE_NANOS = 100_000;

  private static final int VALUE_BYTES = 1000;

  @TempDir private Path folder;
  private Path databaseFolder;
  private Path targetFolder;
  private Backups backups;

  @BeforeEach
  void place() {
    databaseFolder = folder.resolve("database");
    targetFolder = folder.resolve("backups");
    backups = Backups.at(BackupTarget.folder(targetFolder));
  }

  /** The target may be a wrong path, or a bucket that others use as well. */
  @Test
  void filesThatNoBackupHasWrittenAreNotDeleted() throws IOException {
    Path photo = targetFolder.resolve("files/photos/a.jpg");
    Files.createDirectories(photo.getParent());
    Files.writeString(photo, "a photo");
    assertThat(backups.keepNewest(1)).isZero();
    assertThat(photo).hasContent("a photo");
  }

  @Test
  void everyGenerationRestoresWhatTheDatabaseHeld() throws IOException {
    List<Map<String, String>> contents = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(1);
    for (int generation = 0; generation < 5; generation++) {
      try (Database database = open()) {
        KeyValueStore store = database.keyValueStore("carts");
        for (int i = 0; i < 300; i++) {
          byte[] key = ("key" + random.nextInt(500)).getBytes(UTF_8);
          if (random.nextInt(4) == 0) {
            store.delete(key);
          } else {
            store.put(key, ("value" + i + " of " + generation).getBytes(UTF_8));
          }
        }
        if (random.nextBoolean()) {
          database.flush();
        }
        contents.add(contentsOf(database));
        assertThat(backups.create(database).number()).isEqualTo(generation + 1);
      }
    }
    for (int generation = 1; generation <= 5; generation++) {
      assertThat(backups.verify(generation, BackupOptions.DEFAULTS)).isEmpty();
      assertThat(restored(generation)).isEqualTo(contents.get(generation - 1));
    }
    assertNoStaging();
  }

  @Test
  void onlyNewFilesAreCopied() throws IOException {
    try (Database database = open()) {
      fill(database, "a", 2000);
      database.flush();
      Generation first = backups.create(database);
      assertThat(first.bytesAdded()).isEqualTo(first.bytes()).isGreaterThan(2000 * VALUE_BYTES);

      database.keyValueStore("carts").put(new byte[] {1}, new byte[] {2});
      Generation second = backups.create(database);
      assertThat(second.bytes()).isGreaterThan(2000 * VALUE_BYTES);
      assertThat(second.bytesAdded()).isLessThan(100_000);

      Generation third = backups.create(database, BackupOptions.DEFAULTS.withReadsAll(true));
      assertThat(third.bytesAdded()).isLessThan(100_000);
    }
  }

  @Test
  void deletingAGenerationLeavesTheOthersWhole() throws IOException {
    try (Database database = open()) {
      for (int i = 0; i < 4; i++) {
        fill(database, "run" + i, 200);
        database.flush();
        if (i == 2) {
          database.majorCompact("carts");
        }
        backups.create(database);
      }
    }
    Map<String, String> newest = restored(4);
    assertThat(backups.delete(2)).isPositive();
    assertThat(backups.generations()).extracting(Generation::number).containsExactly(1L, 3L, 4L);
    assertThat(backups.verify(1, BackupOptions.DEFAULTS)).isEmpty();
    backups.keepNewest(1);
    assertThat(backups.generations()).extracting(Generation::number).containsExactly(4L);
    deleteFolder(folder.resolve("restored4"));
    assertThat(restored(4)).isEqualTo(newest);
    try (Database database = open()) {
      assertThat(backups.create(database).number()).isEqualTo(5);
    }
  }

  @Test
  void aBackupWhileWritesGoOnIsOneMoment() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    AtomicLong acknowledged = new AtomicLong();
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore("carts");
      TestThread writer =
          TestThread.start(
              "writer",
              () -> {
                for (long i = 1; !ended.get(); i++) {
                  store.put(key(i), new byte[100], Durability.SYNC);
                  acknowledged.set(i);
                  // Without a pause, there is more to restore the longer it takes.
                  LockSupport.parkNanos(WRITE_PAUSE_NANOS);
                }
              });
      for (int generation = 1; generation <= 5; generation++) {
        TimeUnit.MILLISECONDS.sleep(20);
        long before = acknowledged.get();
        backups.create(database);
        long after = acknowledged.get() + 1;
        int size = restored(generation).size();
        // Keys are written in order, one after another.
        assertThat((long) size).isBetween(before, after);
      }
      ended.set(true);
      writer.join();
    }
  }

  @Test
  void aDatabaseInMemoryIsBackedUp() throws IOException {
    try (Database database = Database.inMemory()) {
      fill(database, "a", 100);
      Map<String, String> contents = contentsOf(database);
      assertThat(restored(backups.create(database).number())).isEqualTo(contents);
    }
  }

  @Test
  void aBackupThatWasInterruptedIsResumed() throws IOException {
    FailingTarget failing = new FailingTarget(BackupTarget.folder(targetFolder));
    Backups interrupted = Backups.at(failing);
    try (Database database = open()) {
      for (int i = 0; i < 5; i++) {
        fill(database, "run" + i, 200);
        database.flush();
      }
      failing.writesLeft = 2;
      assertThatThrownBy(() -> interrupted.create(database)).hasMessage("the network is gone");
      assertThat(backups.generations()).isEmpty();
      assertNoStaging();

      Generation made = backups.create(database);
      assertThat(made.bytesAdded()).isLessThan(made.bytes());
      assertThat(restored(1)).isEqualTo(contentsOf(database));
    }
  }

  @Test
  void everyChangedByteIsFound() throws IOException {
    try (Database database = open()) {
      fill(database, "a", 20);
      database.flush();
      backups.create(database);
    }
    int objects = 0;
    for (Path object : filesBelow(targetFolder)) {
      if (object.getParent().endsWith("locks")) {
        continue;
      }
      objects++;
      byte[] sound = Files.readAllBytes(object);
      for (int i = 0; i < sound.length; i += 1 + sound.length / 50) {
        byte[] changed = sound.clone();
        changed[i] ^= 4;
        Files.write(object, changed);
        assertDamaged(object);
      }
      Files.write(object, java.util.Arrays.copyOf(sound, sound.length / 2));
      assertDamaged(object);
      if (!object.getParent().endsWith("generations")) {
        Files.delete(object);
        assertDamaged(object);
      }
      Files.write(object, sound);
    }
    assertThat(objects).isGreaterThan(3);
    assertThat(backups.verify(1, BackupOptions.DEFAULTS)).isEmpty();
  }

  private void assertDamaged(Path object) {
    String name = object.getFileName().toString();
    Path restored = folder.resolve("damaged");
    assertThatThrownBy(() -> backups.restore(1, restored))
        .isInstanceOf(BackupDamagedException.class)
        .hasMessageContaining(name);
    assertThat(restored.resolve("CURRENT")).doesNotExist();
    try {
      assertThat(backups.verify(1, BackupOptions.DEFAULTS)).hasSize(1);
      deleteFolder(restored);
    } catch (BackupDamagedException e) {
      assertThat(e).hasMessageContaining(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a crash leaves before the last file is no database. */
  @Test
  void currentIsRestoredLast() throws IOException {
    try (Database database = open()) {
      fill(database, "a", 20);
      database.flush();
      backups.create(database);
    }
    Path restored = folder.resolve("restored in order");
    List<Boolean> isDatabase = new ArrayList<>();
    backups.restore(
        1,
        restored,
        BackupOptions.DEFAULTS.withProgress(
            (filesDone, filesAll, bytesDone, bytesAll) ->
                isDatabase.add(Files.exists(restored.resolve("CURRENT")))));
    assertThat(isDatabase).hasSizeGreaterThan(3);
    assertThat(isDatabase.indexOf(true)).isEqualTo(isDatabase.size() - 1);
  }

  /** A crash may come while a file is read, which takes long from an object store. */
  @Test
  void aFolderIsNoDatabaseWhileFilesAreRead() throws IOException {
    try (Database database = open()) {
      fill(database, "a", 20);
      backups.create(database);
    }
    Path restored = folder.resolve("restored");
    List<Boolean> isDatabase = new ArrayList<>();
    Backups reading =
        Backups.at(
            new ForwardingTarget(BackupTarget.folder(targetFolder)) {
              @Override
              public InputStream read(String name) throws IOException {
                isDatabase.add(Files.exists(restored.resolve("CURRENT")));
                return super.read(name);
              }
            });
    reading.restore(1, restored);
    assertThat(isDatabase).hasSizeGreaterThan(3).doesNotContain(true);
    assertThat(restored.resolve("CURRENT")).isNotEmptyFile();
    assertThat(restored.resolve("restoring")).doesNotExist();
  }

  @Test
  void aDamagedGenerationLeavesTheOthersAlone() throws IOException {
    Map<String, String> contents;
    try (Database database = open()) {
      fill(database, "a", 50);
      backups.create(database);
      contents = contentsOf(database);
      fill(database, "b", 50);
      backups.create(database);
      Files.writeString(targetFolder.resolve("generations/0000000002"), "nonsense");
      assertThat(backups.generations()).extracting(Generation::number).containsExactly(1L);
      assertThat(backups.problems()).hasSize(1).allMatch(it -> it.contains("0000000002"));
      assertThat(backups.create(database).number()).isEqualTo(3);
    }
    // Nobody knows which files the damaged one needs.
    assertThat(backups.delete(3)).isZero();
    assertThat(restored(1)).isEqualTo(contents);
    backups.delete(2);
    assertThat(backups.problems()).isEmpty();
    assertThat(backups.verify(1, BackupOptions.DEFAULTS)).isEmpty();
  }

  @Test
  void oneBackupAtATime() throws IOException {
    try (Database database = open()) {
      fill(database, "a", 10);
      Backups nested = backups;
      List<Throwable> refused = new ArrayList<>();
      BackupOptions options =
          BackupOptions.DEFAULTS.withProgress(
              (files, filesAll, bytes, bytesAll) -> {
                try {
                  nested.keepNewest(1);
                } catch (IOException e) {
                  refused.add(e);
                }
              });
      backups.create(database, options);
      assertThat(refused)
          .isNotEmpty()
          .allSatisfy(
              e ->
                  assertThat(e)
                      .isInstanceOf(BackupLockedException.class)
                      .hasMessageContaining("process " + ProcessHandle.current().pid()));
    }
  }

  @Test
  void theLockOfAProcessThatHasEndedCountsForNothing() throws Exception {
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    try (Database database = open()) {
      Files.createDirectories(targetFolder);
      backups.create(database);
      String host = java.net.InetAddress.getLocalHost().getHostName();
      Files.writeString(
          targetFolder.resolve("locks/0000000007"),
          "process " + ended.pid() + " of " + host + " since 2020-01-01T00:00:00Z");
      assertThat(backups.create(database).number()).isEqualTo(2);

      Files.writeString(targetFolder.resolve("locks/0000000009"), "process 1 of elsewhere since ?");
      assertThatThrownBy(() -> backups.create(database))
          .isInstanceOf(BackupLockedException.class)
          .hasMessageContaining("elsewhere")
          .hasMessageContaining("breakLock");
      backups.breakLock();
      assertThat(backups.create(database).number()).isEqualTo(3);
    }
  }

  @Test
  void whatAKilledBackupLeftInTheStagingFolderGoes() throws IOException {
    try (Database database = open()) {
      fill(database, "a", 10);
      Path staging = folder.resolve(".database.backup/accordion-backup-links");
      Files.createDirectories(staging.resolve("tables"));
      Files.writeString(staging.resolve("tables/000001.sst"), "left");
      backups.create(database);
      assertThat(restored(1)).isEqualTo(contentsOf(database));
      assertNoStaging();
    }
  }

  @Test
  void aBackupIsAsSlowAsAskedFor() throws IOException {
    try (Database database = open()) {
      fill(database, "a", 500);
      database.flush();
      long start = System.nanoTime();
      Generation made =
          backups.create(database, BackupOptions.DEFAULTS.withBytesPerSecondMax(1 << 20));
      // Each file is read twice: to name it, and to copy it.
      double seconds = 2.0 * made.bytes() / (1 << 20);
      assertThat((System.nanoTime() - start) / 1e9).isGreaterThan(seconds * 0.9);
    }
  }

  @Test
  void badInputIsNamedAndChangesNothing() throws IOException {
    try (Database database = open()) {
      fill(database, "a", 10);
      backups.create(database);
      Path occupied = Files.createDirectories(folder.resolve("occupied"));
      Files.writeString(occupied.resolve("mine"), "kept");
      assertThatThrownBy(() -> backups.restore(1, occupied))
          .isInstanceOf(DirectoryNotEmptyException.class)
          .hasMessageContaining("occupied");
      assertThatThrownBy(() -> backups.restore(1, databaseFolder))
          .isInstanceOf(DirectoryNotEmptyException.class);
      Path among = folder.resolve("backups/restored");
      RestorePoint moment = RestorePoint.sequence(1);
      DatabaseOptions defaults = DatabaseOptions.defaults();
      assertThatThrownBy(() -> backups.restore(1, among))
          .hasMessageContaining("restored is in the folder of the backups");
      assertThatThrownBy(() -> backups.restore(moment, among, defaults, BackupOptions.DEFAULTS))
          .hasMessageContaining("restored is in the folder of the backups");
      assertThat(among).doesNotExist();
      assertThatThrownBy(
              () -> backups.create(database, BackupOptions.DEFAULTS.withStaging(occupied)))
          .isInstanceOf(DirectoryNotEmptyException.class);
      Path stage = Files.createSymbolicLink(folder.resolve("stage"), folder.resolve("disk"));
      assertThatThrownBy(() -> backups.create(database, BackupOptions.DEFAULTS.withStaging(stage)))
          .hasMessageContaining("stage is to hold links, but is a symbolic link itself");
      assertThat(stage).isSymbolicLink();
      for (String name : List.of("backups", "other")) {
        Path target = folder.resolve(name);
        BackupOptions within = BackupOptions.DEFAULTS.withStaging(target.resolve("links"));
        assertThatThrownBy(() -> Backups.at(BackupTarget.folder(target)).create(database, within))
            .hasMessageContaining("links is to hold links, but is in the folder of the backups");
        assertThat(target.resolve("links.lock")).doesNotExist();
      }
      Path link = Files.createSymbolicLink(folder.resolve("link"), folder);
      BackupOptions linked =
          BackupOptions.DEFAULTS.withStaging(link.resolve("missing").resolve("links"));
      Backups missing = Backups.at(BackupTarget.folder(folder.resolve("missing")));
      assertThatThrownBy(() -> missing.create(database, linked))
          .hasMessageContaining("links is to hold links, but is in the folder of the backups");
      assertThat(folder.resolve("missing")).doesNotExist();
      assertThatThrownBy(() -> Backups.at(BackupTarget.folder(occupied)).create(database))
          .hasMessageContaining("occupied holds other things than backups, for example mine");
      for (String inside : List.of("", "backups", "sst/../deeper")) {
        Path own = databaseFolder.resolve(inside);
        assertThatThrownBy(() -> Backups.at(BackupTarget.folder(own)).create(database))
            .hasMessageContaining("is in the folder of the database");
      }
      assertThat(occupied.resolve("mine")).hasContent("kept");
    }
    assertThatThrownBy(() -> backups.restore(7, folder.resolve("new")))
        .isInstanceOf(GenerationNotFoundException.class)
        .hasMessageContaining("no generation 7; there are [1]");
    assertThatThrownBy(() -> backups.verify(7, BackupOptions.DEFAULTS))
        .isInstanceOf(GenerationNotFoundException.class);
    assertThatThrownBy(() -> backups.delete(7)).isInstanceOf(GenerationNotFoundException.class);
    assertThatIllegalArgumentException().isThrownBy(() -> backups.keepNewest(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BackupOptions.DEFAULTS.withBytesPerSecondMax(-1));
    assertThat(backups.verify(1, BackupOptions.DEFAULTS)).isEmpty();
  }

  @Test
  void foldersOfTheTargetMayBeLinks() throws IOException {
    for (String name : List.of("files", "generations", "locks")) {
      Path elsewhere = Files.createDirectories(folder.resolve("disk").resolve(name));
      Files.createDirectories(targetFolder);
      Files.createSymbolicLink(targetFolder.resolve(name), elsewhere);
    }
    try (Database database = open()) {
      fill(database, "a", 10);
      backups.create(database);
      fill(database, "b", 10);
      backups.create(database);
    }
    assertThat(backups.generations()).hasSize(2);
    assertThat(backups.keepNewest(1)).isPositive();
    assertThat(backups.generations()).hasSize(1);
    assertThat(backups.verify(2, BackupOptions.DEFAULTS)).isEmpty();
    assertThat(restored(2)).hasSize(20);
  }

  @Test
  void backupsGoOnBesideWhatAFileManagerLeaves() throws IOException {
    try (Database database = open()) {
      fill(database, "a", 10);
      backups.create(database);
      Files.writeString(targetFolder.resolve(".DS_Store"), "icons");
      assertThat(backups.create(database).number()).isEqualTo(2);
      assertThat(backups.keepNewest(1)).isPositive();
      assertThat(backups.generations()).hasSize(1);
    }
    assertThat(targetFolder.resolve(".DS_Store")).hasContent("icons");
  }

  @Test
  void aRecordThatLeadsOutOfTheFolderIsRefused() throws IOException {
    BackupTarget target = BackupTarget.folder(targetFolder);
    FileEntry outside = new FileEntry("../outside", 0, FileDigest.sha256(new byte[0]), "0");
    GenerationRecord record =
        new GenerationRecord(1, java.time.Instant.EPOCH, 0, null, List.of(outside));
    target.writeNew(GenerationRecord.objectOf(1), record.encode());
    target.write(outside.object(), InputStream.nullInputStream(), 0);
    assertThatThrownBy(() -> backups.restore(1, folder.resolve("new")))
        .isInstanceOf(BackupDamagedException.class)
        .hasMessageContaining("../outside");
    assertThat(folder.resolve("outside")).doesNotExist();
  }

  @Test
  void namesWhatItHasNoRoomFor() throws Exception {
    byte[] large = new byte[200_000];
    new SplittableRandom(1).nextBytes(large);
    try (Database database = open()) {
      database.keyValueStore("s").put(key(1), large);
      Backups.at(BackupTarget.folder(folder.resolve("roomy"))).create(database);
    }
    Path small = Files.createDirectory(folder.resolve("small"));
    try (Mount mount = Mount.of("-t", "tmpfs", "-o", "size=64k", "tmpfs", small.toString());
        Database database = open()) {
      assertThat(mount).isNotNull();
      Path target = small.resolve("target");
      assertThatThrownBy(() -> Backups.at(BackupTarget.folder(target)).create(database))
          .hasMessageContainingAll(target + "/files/", "No space left on device");
      deleteFolder(target);
      Path restored = small.resolve("restored");
      assertThatThrownBy(
              () -> Backups.at(BackupTarget.folder(folder.resolve("roomy"))).restore(1, restored))
          .hasMessageContainingAll(restored + "/", "No space left on device");
      assertThat(restored).doesNotExist();
    }
  }

  private Database open() throws IOException {
    return Database.open(databaseFolder, DatabaseOptions.builder().logFileBytes(64 << 10).build());
  }

  private static void fill(Database database, String prefix, int count) throws IOException {
    SplittableRandom random = new SplittableRandom(count);
    KeyValueStore store = database.keyValueStore("carts");
    byte[] value = new byte[VALUE_BYTES];
    for (int i = 0; i < count; i++) {
      random.nextBytes(value);
      store.put((prefix + i).getBytes(UTF_8), value);
    }
  }

  private static byte[] key(long i) {
    return String.format("%012d", i).getBytes(UTF_8);
  }

  private Map<String, String> restored(long generation) throws IOException {
    Path restored = folder.resolve("restored" + generation);
    backups.restore(generation, restored);
    assertThat(Database.verify(restored).isSound()).isTrue();
    try (Database database = Database.open(restored)) {
      return contentsOf(database);
    }
  }

  private static Map<String, String> contentsOf(Database database) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (KeyValueIterator all = database.keyValueStore("carts").range(null, null)) {
      while (all.hasNext()) {
        KeyValue entry = all.next();
        contents.put(new String(entry.key(), UTF_8), new String(entry.value(), UTF_8));
      }
    }
    return contents;
  }

  private void assertNoStaging() {
    assertThat(folder.resolve(".database.backup")).doesNotExist();
    assertThat(targetFolder.resolve("locks")).isDirectoryContaining("regex:.*/[0-9]{10}");
  }

  /** A target that fails after some writes. */
  private static final class FailingTarget extends ForwardingTarget {
    private int writesLeft;

    FailingTarget(BackupTarget target) {
      super(target);
    }

    @Override
    public void write(String name, InputStream content, long bytes) throws IOException {
      if (writesLeft-- == 0) {
        throw new IOException("the network is gone");
      }
      super.write(name, content, bytes);
    }
  }
}
