// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.fixtures.Mount;
import io.accordiondb.fixtures.TestFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What backups and deletions keep, and what they leave behind. */
class LeftByBackupsTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);

  @TempDir private Path folder;

  @Test
  void aBackupOfADatabaseInMemoryLeavesNoFile() throws IOException {
    List<Path> before = temporaryFiles();
    try (Database database = Database.inMemory()) {
      database.keyValueStore("s").put(KEY, KEY);
      Backups.at(BackupTarget.folder(folder.resolve("backups"))).create(database);
    }
    assertThat(temporaryFiles()).isSubsetOf(before);
  }

  private static List<Path> temporaryFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).startsWith("accordion-backup"))
          .filter(Files::isRegularFile)
          .toList();
    }
  }

  @Test
  void damagedGenerationsDoNotCountAmongTheNewestThatAreKept() throws IOException {
    Path place = folder.resolve("backups");
    Backups backups = Backups.at(BackupTarget.folder(place));
    try (Database database = Database.open(folder.resolve("db"))) {
      for (int i = 1; i <= 3; i++) {
        database.keyValueStore("s").put(KEY, new byte[] {(byte) i});
        backups.create(database);
      }
    }
    Files.writeString(place.resolve("generations/0000000003"), "nonsense");
    backups.keepNewest(1);
    assertThat(backups.generations()).extracting(Generation::number).containsExactly(2L);
  }

  /** Neither listing nor restoring a moment takes the lock of the backups. */
  @Test
  void aGenerationThatIsDeletedWhileAllAreListedIsLeftOut() throws IOException {
    BackupTarget folderOfBackups = BackupTarget.folder(folder.resolve("backups"));
    Backups backups = Backups.at(folderOfBackups);
    try (Database database = Database.open(folder.resolve("db"))) {
      backups.create(database);
      backups.create(database);
    }
    Backups listing =
        Backups.at(
            new ForwardingTarget(folderOfBackups) {
              @Override
              public Map<String, Long> list(String prefix) throws IOException {
                Map<String, Long> found = super.list(prefix);
                backups.keepNewest(1);
                return found;
              }
            });
    assertThat(listing.generations()).extracting(Generation::number).containsExactly(2L);
  }

  /** Neither verifying nor restoring takes the lock of the backups. */
  @Test
  void aGenerationThatIsDeletedWhileItIsReadIsNotCalledDamaged() throws IOException {
    BackupTarget folderOfBackups = BackupTarget.folder(folder.resolve("backups"));
    Backups backups = Backups.at(folderOfBackups);
    AtomicBoolean deletes = new AtomicBoolean();
    Backups reading =
        Backups.at(
            new ForwardingTarget(folderOfBackups) {
              @Override
              public InputStream read(String name) throws IOException {
                if (name.startsWith(FileEntry.OBJECTS) && deletes.getAndSet(false)) {
                  backups.keepNewest(1);
                }
                return super.read(name);
              }
            });
    Path restored = folder.resolve("restored");
    try (Database database = Database.open(folder.resolve("db"))) {
      backups.create(database);
      backups.create(database);
      deletes.set(true);
      assertThatThrownBy(() -> reading.verify(1, BackupOptions.DEFAULTS))
          .isInstanceOf(GenerationNotFoundException.class)
          .hasMessageContaining("has no generation 1; there are [2]");
      backups.create(database);
      deletes.set(true);
      assertThatThrownBy(() -> reading.restore(2, restored))
          .isInstanceOf(GenerationNotFoundException.class);
      assertThat(restored).doesNotExist();
    }
    Path lost = TestFiles.filesBelow(folder.resolve("backups/files")).get(0);
    Files.delete(lost);
    assertThat(backups.verify(3, BackupOptions.DEFAULTS))
        .hasSize(1)
        .allMatch(problem -> problem.contains(lost.getFileName() + " is missing"));
  }

  /** The next backup has the number of the newest generation if that was deleted. */
  @Test
  void aGenerationWhoseNumberIsUsedAgainWhileItIsReadIsNotCalledDamaged() throws IOException {
    BackupTarget folderOfBackups = BackupTarget.folder(folder.resolve("backups"));
    Backups backups = Backups.at(folderOfBackups);
    Path restored = folder.resolve("restored");
    try (Database database = Database.open(folder.resolve("db"))) {
      AtomicBoolean replaces = new AtomicBoolean();
      Backups reading =
          Backups.at(
              new ForwardingTarget(folderOfBackups) {
                @Override
                public InputStream read(String name) throws IOException {
                  if (name.startsWith(FileEntry.OBJECTS) && replaces.getAndSet(false)) {
                    backups.delete(1);
                    database.keyValueStore("s").put(new byte[1], new byte[1]);
                    backups.create(database);
                  }
                  return super.read(name);
                }
              });
      backups.create(database);
      replaces.set(true);
      assertThatThrownBy(() -> reading.verify(1, BackupOptions.DEFAULTS))
          .isInstanceOf(GenerationNotFoundException.class)
          .hasMessageContaining("another one has its number");
      replaces.set(true);
      assertThatThrownBy(() -> reading.restore(1, restored))
          .isInstanceOf(GenerationNotFoundException.class);
      assertThat(restored).doesNotExist();
      assertThat(backups.verify(1, BackupOptions.DEFAULTS)).isEmpty();
    }
  }

  /** On a full disk, too, a lock may keep the name of this process, which goes on. */
  @Test
  void aLockThatCouldNotBeReleasedIsFreeForAllBackupsOfTheProcess() throws IOException {
    Path place = folder.resolve("backups");
    Path locks = place.resolve("locks");
    Path away = folder.resolve("away");
    BackupOptions locksVanish =
        BackupOptions.DEFAULTS.withProgress(
            (files, filesAll, bytes, bytesAll) -> {
              if (files == 1) {
                replaceByFile(locks, away);
              }
            });
    try (Database database = Database.open(folder.resolve("db"))) {
      Backups failing = Backups.at(BackupTarget.folder(place));
      assertThatThrownBy(() -> failing.create(database, locksVanish))
          .isInstanceOf(IOException.class);
      Files.delete(locks);
      Files.move(away, locks);
      Backups.at(BackupTarget.folder(place)).create(database);
    }
  }

  @Test
  void linksInAChosenFolderOfAKilledBackupAreDeleted() throws Exception {
    Path links = folder.resolve("links");
    Process killed = javaProcess(List.of(), Killed.class, folder).start();
    assertThat(killed.waitFor()).isEqualTo(1);
    assertThat(links).isNotEmptyDirectory();
    BackupOptions options = BackupOptions.DEFAULTS.withStaging(links);
    try (Database database = Database.open(folder.resolve("db"))) {
      Backups backups = Backups.at(BackupTarget.folder(folder.resolve("backups")));
      backups.create(database, options);
      assertThat(links).doesNotExist();
      Files.createDirectories(links.resolve("mine"));
      assertThatThrownBy(() -> backups.create(database, options))
          .isInstanceOf(DirectoryNotEmptyException.class);
      assertThat(links.resolve("mine")).exists();
      Files.delete(links.resolve("mine"));
      backups.create(database, options);
    }
  }

  /** Files of others may come to where a killed backup has left its links. */
  @Test
  void nothingInAChosenFolderIsDeletedButTheLinks() throws Exception {
    Path links = folder.resolve("links");
    assertThat(javaProcess(List.of(), Killed.class, folder).start().waitFor()).isEqualTo(1);
    Folders.delete(links);
    Path mine = Files.createDirectories(links.resolve("mine"));
    BackupOptions options = BackupOptions.DEFAULTS.withStaging(links);
    try (Database database = Database.open(folder.resolve("db"))) {
      Backups backups = Backups.at(BackupTarget.folder(folder.resolve("backups")));
      assertThatThrownBy(() -> backups.create(database, options))
          .isInstanceOf(DirectoryNotEmptyException.class);
      assertThat(mine).exists();
      Folders.delete(links);
      BackupOptions filling =
          options.withProgress((files, filesAll, bytes, bytesAll) -> createFolder(mine));
      backups.create(database, filling);
      assertThat(links).isDirectoryContaining(mine::equals);
      assertThat(TestFiles.filesBelow(links)).isEmpty();
    }
  }

  /** The folder has a name that people choose, too: a checkpoint may be kept there, or backups. */
  @Test
  void nothingBesideTheDatabaseIsDeletedButTheLinks() throws IOException {
    Path beside = folder.resolve(".db.backup");
    try (Database database = Database.open(folder.resolve("db"))) {
      Backups backups = Backups.at(BackupTarget.folder(folder.resolve("backups")));
      database.checkpoint(beside);
      List<Path> kept = TestFiles.filesBelow(beside);
      assertThatThrownBy(() -> backups.create(database))
          .isInstanceOf(DirectoryNotEmptyException.class)
          .hasMessageContainingAll(
              beside + " is to hold links", "delete the folder if an earlier version has left");
      assertThat(TestFiles.filesBelow(beside)).isEqualTo(kept);
      Folders.delete(beside);
      backups.create(database);
      assertThat(beside).doesNotExist();
      Files.createSymbolicLink(beside, Files.createDirectory(folder.resolve("disk")));
      assertThatThrownBy(() -> backups.create(database))
          .hasMessageContaining(".db.backup is to hold links, but is a symbolic link itself");
      assertThat(beside).isSymbolicLink();
    }
  }

  @Test
  void backupsWhereTheLinksComeAreRefusedAndStay() throws IOException {
    Path beside = folder.resolve(".db.backup");
    try (Database database = Database.open(folder.resolve("db"))) {
      Backups elsewhere = Backups.at(BackupTarget.folder(folder.resolve("backups")));
      for (Path place : List.of(beside, beside.resolve("daily"))) {
        Backups backups = Backups.at(BackupTarget.folder(place));
        assertThatThrownBy(() -> backups.create(database))
            .hasMessageContaining(place + " is in " + beside + ", which is to hold links");
        assertThat(beside).doesNotExist();
      }
      Path chosen = folder.resolve("links");
      Path within = chosen.resolve("accordion-backup-links/backups");
      assertThatThrownBy(
              () ->
                  Backups.at(BackupTarget.folder(within))
                      .create(database, BackupOptions.DEFAULTS.withStaging(chosen)))
          .hasMessageContaining(within + " is in " + chosen + ", which is to hold links");
      elsewhere.create(database);
      Files.move(folder.resolve("backups"), beside);
      Backups moved = Backups.at(BackupTarget.folder(beside));
      assertThatThrownBy(() -> moved.create(database)).hasMessageContaining("is to hold links");
      assertThatThrownBy(() -> elsewhere.create(database))
          .isInstanceOf(DirectoryNotEmptyException.class);
      assertThat(moved.generations()).hasSize(1);
      assertThat(moved.verify(1, BackupOptions.DEFAULTS)).isEmpty();
    }
  }

  private static void createFolder(Path created) {
    try {
      Files.createDirectories(created);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Programs keep files of this name beside their folders. */
  @Test
  void aFileWithTheNameOfTheLockProvesNothingAndStaysAsItIs() throws IOException {
    Path app = Files.createDirectories(folder.resolve("app"));
    Path mine = Files.createFile(app.resolve("mine"));
    Path lock = Files.writeString(folder.resolve("app.lock"), "4711\n");
    BackupOptions options = BackupOptions.DEFAULTS.withStaging(app);
    try (Database database = Database.open(folder.resolve("db"))) {
      Backups backups = Backups.at(BackupTarget.folder(folder.resolve("backups")));
      assertThatThrownBy(() -> backups.create(database, options))
          .isInstanceOf(DirectoryNotEmptyException.class);
      assertThat(mine).exists();
      Files.delete(mine);
      backups.create(database, options);
    }
    assertThat(lock).hasContent("4711\n");
  }

  /** Ends while it makes a backup. */
  static final class Killed {
    private Killed() {}

    public static void main(String[] arguments) throws IOException {
      Path folder = Path.of(List.of(arguments).get(0));
      try (Database database = Database.open(folder.resolve("db"))) {
        Backups.at(BackupTarget.folder(folder.resolve("backups")))
            .create(
                database,
                BackupOptions.DEFAULTS
                    .withStaging(folder.resolve("links"))
                    .withProgress(
                        (files, filesAll, bytes, bytesAll) -> Runtime.getRuntime().halt(1)));
      }
    }
  }

  /** Something else may delete the links while their names are collected. */
  @Test
  void linksThatCannotBeListedFailWithAnIoException() throws Exception {
    Path links = folder.resolve("links");
    BackupTarget target = BackupTarget.folder(folder.resolve("backups"));
    BackupOptions options = BackupOptions.DEFAULTS.withStaging(links);
    try (Database database = Database.open(folder.resolve("db"));
        Staging staging = Staging.of(database, target, options)) {
      Mount mount = UnlistableFolder.mountAt(staging.file("unlistable"));
      try {
        assertThatThrownBy(staging::names).isInstanceOf(IOException.class);
      } finally {
        mount.close();
      }
    }
  }

  /** Other processes tidy up temporary folders, for example. */
  @Test
  void aFolderThatTwoThreadsDeleteIsDeletedByBoth() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 5; round++) {
        Path deleted = folder.resolve("deleted");
        for (int i = 0; i < 500; i++) {
          Files.createFile(Files.createDirectories(deleted.resolve("folder" + i)).resolve("file"));
        }
        Callable<Void> delete =
            () -> {
              Folders.delete(deleted);
              return null;
            };
        for (Future<Void> done : threads.invokeAll(List.of(delete, delete))) {
          done.get();
        }
        assertThat(deleted).doesNotExist();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Deletions make room, but need the lock. */
  @Test
  void generationsAreDeletedFromAFullDisk() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    try (Mount mount = Mount.of("-t", "tmpfs", "-o", "size=1m", "tmpfs", disk.toString());
        Database database = Database.open(folder.resolve("db"))) {
      assertThat(mount).isNotNull();
      Backups backups = Backups.at(BackupTarget.folder(disk.resolve("backups")));
      for (int i = 1; i <= 3; i++) {
        database.keyValueStore("s").put(KEY, new byte[] {(byte) i});
        backups.create(database);
      }
      for (int kept = 2; kept > 0; kept--) {
        fillUp(disk.resolve("other" + kept));
        backups.keepNewest(kept);
        assertThat(backups.generations()).hasSize(kept);
      }
      fillUp(disk.resolve("other"));
      backups.breakLock();
      backups.restore(3, folder.resolve("restored"));
    }
  }

  private static void fillUp(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      while (true) {
        out.write(new byte[4096]);
      }
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left on device");
    }
  }

  private static void replaceByFile(Path replaced, Path away) {
    try {
      Files.move(replaced, away);
      Files.createFile(replaced);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void backupsInTheFolderOfTheDatabaseAreRefusedByAnyPath() throws IOException {
    Path path = folder.resolve("db");
    Path link = Files.createSymbolicLink(folder.resolve("link"), path);
    try (Database database = Database.open(path)) {
      Backups backups = Backups.at(BackupTarget.folder(link.resolve("a/backups")));
      assertThatThrownBy(() -> backups.create(database))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is in the folder of the database");
    }
    assertThat(path.resolve("a")).doesNotExist();
  }

  /** Otherwise a loss of power could bring the record of a generation back without its files. */
  @Test
  void theDeletionOfAGenerationIsOnTheDeviceBeforeItsFilesGo() throws Exception {
    Path place = folder.resolve("backups");
    BackupTarget target = BackupTarget.folder(place);
    try (Database database = Database.open(folder.resolve("db"))) {
      for (int i = 1; i <= 3; i++) {
        database.keyValueStore("s").put(KEY, new byte[] {(byte) i});
        Backups.at(target).create(database);
      }
    }
    assertThat(
            forcedBetween(
                GenerationRecord.OBJECTS, FileEntry.OBJECTS, target, backups -> backups.delete(1)))
        .contains(place.resolve("generations"));
    assertThat(
            forcedBetween(
                GenerationRecord.OBJECTS,
                FileEntry.OBJECTS,
                target,
                backups -> backups.keepNewest(1)))
        .contains(place.resolve("generations"));
  }

  /** A backup that is killed may have copied a file without forcing its name to the device. */
  @Test
  void theNamesOfFilesThatAnotherBackupHasCopiedAreOnTheDeviceBeforeTheGeneration()
      throws IOException {
    Path place = folder.resolve("backups");
    BackupTarget target = BackupTarget.folder(place);
    Path path = folder.resolve("db");
    try (Database database = Database.open(path)) {
      database.keyValueStore("s").put(KEY, KEY);
    }
    try (Database database =
        Database.open(path, DatabaseOptions.builder().readOnly(true).build())) {
      Backups.at(target).create(database);
      Map<String, Long> files = target.list(FileEntry.OBJECTS);
      Files.delete(place.resolve("generations/0000000001"));
      assertThat(
              forcedBetween(
                  "", GenerationRecord.OBJECTS, target, backups -> backups.create(database)))
          .contains(place, place.resolve("files"));
      assertThat(target.list(FileEntry.OBJECTS)).isEqualTo(files);
    }
  }

  /** A backup that is killed may have created the folder without forcing its name to the device. */
  @Test
  void theNameOfAnEmptyFolderIsOnTheDeviceBeforeTheGeneration() throws IOException {
    Path left = Files.createDirectories(folder.resolve("elsewhere/left"));
    BackupTarget within = BackupTarget.folder(left.resolve("backups"));
    try (Database database = Database.open(folder.resolve("db"))) {
      assertThat(
              forcedBetween(
                  "", GenerationRecord.OBJECTS, within, backups -> backups.create(database)))
          .contains(folder.resolve("elsewhere"), left);
      Path empty = Files.createDirectory(left.resolve("empty"));
      assertThat(
              forcedBetween(
                  "",
                  GenerationRecord.OBJECTS,
                  BackupTarget.folder(empty),
                  backups -> backups.create(database)))
          .contains(left);
    }
  }

  /** A deletion that failed may have deleted a generation without forcing that to the device. */
  @Test
  void aDeletionThatFailedIsOnTheDeviceBeforeFilesGo() throws IOException {
    Path place = folder.resolve("backups");
    BackupTarget target = BackupTarget.folder(place);
    try (Database database = Database.open(folder.resolve("db"))) {
      for (int i = 1; i <= 2; i++) {
        database.keyValueStore("s").put(KEY, new byte[] {(byte) i});
        Backups.at(target).create(database);
      }
    }
    Files.delete(place.resolve("generations/0000000001"));
    assertThat(forcedBetween("", FileEntry.OBJECTS, target, backups -> backups.keepNewest(1)))
        .contains(place.resolve("generations"));
  }

  /** A target keeps what it has got, whether or not it can delete it again. */
  @Test
  void aFileThatChangesWhileItIsCopiedIsNotInTheTarget() throws IOException {
    Path staging = folder.resolve("staging");
    BackupTarget target = BackupTarget.folder(folder.resolve("backups"));
    BackupTarget changing =
        new ForwardingTarget(target) {
          @Override
          public void write(String name, InputStream content, long bytes) throws IOException {
            if (name.startsWith(FileEntry.OBJECTS)) {
              for (Path file : TestFiles.filesBelow(staging)) {
                if (bytes > 0 && Files.size(file) == bytes) {
                  TestFiles.flip(file, bytes / 2);
                }
              }
            }
            super.write(name, content, bytes);
          }

          @Override
          public void delete(String name) throws IOException {
            throw new IOException("no connection");
          }
        };
    // The staging folder has copies of the files of a database in memory.
    try (Database database = Database.inMemory()) {
      database.keyValueStore("s").put(KEY, KEY);
      assertThatThrownBy(
              () ->
                  Backups.at(changing)
                      .create(database, BackupOptions.DEFAULTS.withStaging(staging)))
          .hasMessageContaining("changed while it was copied");
      assertThat(target.list(FileEntry.OBJECTS)).isEmpty();
    }
  }

  /** The process lives on, and nobody else could tell that it has no backup running. */
  @Test
  void aLockThatCouldNotBeReleasedDoesNotLockItsOwnerOut() throws IOException {
    AtomicInteger failures = new AtomicInteger(1);
    BackupTarget target =
        new ForwardingTarget(BackupTarget.folder(folder.resolve("backups"))) {
          @Override
          public void write(String name, InputStream content, long bytes) throws IOException {
            if (name.startsWith(BackupLock.OBJECTS) && failures.getAndDecrement() > 0) {
              throw new IOException("no connection");
            }
            super.write(name, content, bytes);
          }
        };
    try (Database database = Database.inMemory()) {
      Backups backups = Backups.at(target);
      assertThatThrownBy(() -> backups.create(database)).hasMessage("no connection");
      assertThatThrownBy(() -> Backups.at(target).create(database))
          .isInstanceOf(BackupLockedException.class);
      backups.create(database);
      Backups.at(target).keepNewest(1);
      assertThat(backups.generations()).extracting(Generation::number).containsExactly(2L);
    }
  }

  /** A process may take the lock for that of one that has ended, and delete what is written. */
  @Test
  void aBackupWhoseLockWasTakenAwayWritesNoGeneration() throws IOException {
    BackupTarget target = BackupTarget.folder(folder.resolve("backups"));
    Backups backups = Backups.at(target);
    BackupOptions broken =
        BackupOptions.DEFAULTS.withProgress(
            (files, filesAll, bytes, bytesAll) -> breakLockOf(backups));
    BackupOptions taken =
        BackupOptions.DEFAULTS.withProgress(
            (files, filesAll, bytes, bytesAll) -> {
              breakLockOf(backups);
              deleteOld(Backups.at(target));
            });
    try (Database database = Database.open(folder.resolve("db"))) {
      for (BackupOptions options : List.of(broken, taken)) {
        assertThatThrownBy(() -> backups.create(database, options))
            .hasMessageContaining("the lock was removed");
        assertThat(backups.generations()).isEmpty();
      }
      backups.create(database);
    }
  }

  private static void breakLockOf(Backups backups) {
    try {
      backups.breakLock();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void deleteOld(Backups backups) {
    try {
      backups.keepNewest(1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aDeletionWhoseLockWasTakenAwayDeletesNoFile() throws IOException {
    Path place = folder.resolve("backups");
    BackupTarget target =
        new ForwardingTarget(BackupTarget.folder(place)) {
          @Override
          public void delete(String name) throws IOException {
            super.delete(name);
            if (name.startsWith(GenerationRecord.OBJECTS)) {
              Backups.at(this).breakLock();
            }
          }
        };
    try (Database database = Database.open(folder.resolve("db"))) {
      Backups.at(target).create(database);
    }
    List<Path> files = TestFiles.filesBelow(place.resolve("files"));
    assertThatThrownBy(() -> Backups.at(target).delete(1))
        .hasMessageContaining("the lock was removed");
    assertThat(TestFiles.filesBelow(place.resolve("files"))).isNotEmpty().isEqualTo(files);
  }

  private interface Work {
    void run(Backups backups) throws IOException;
  }

  /**
   * Returns the files and folders that are forced to the device from the first change of an object
   * to that of another one.
   *
   * @param from how the name of the one begins; empty for all that is forced
   * @param to how the name of the other begins
   */
  private List<Path> forcedBetween(String from, String to, BackupTarget target, Work work)
      throws IOException {
    Path dump = folder.resolve("events.jfr");
    Files.deleteIfExists(dump);
    try (Recording recording = new Recording()) {
      recording.enable("jdk.FileForce").withoutThreshold();
      if (from.isEmpty()) {
        recording.start();
      }
      work.run(
          Backups.at(
              new ForwardingTarget(target) {
                private void note(String name) throws IOException {
                  if (name.startsWith(from) && recording.getState() == RecordingState.NEW) {
                    recording.start();
                  }
                  if (name.startsWith(to) && !Files.exists(dump)) {
                    recording.dump(dump);
                  }
                }

                @Override
                public boolean writeNew(String name, byte[] content) throws IOException {
                  note(name);
                  return super.writeNew(name, content);
                }

                @Override
                public void delete(String name) throws IOException {
                  note(name);
                  super.delete(name);
                }
              }));
    }
    return RecordingFile.readAllEvents(dump).stream()
        .filter(event -> event.getEventType().getName().equals("jdk.FileForce"))
        .map(event -> Path.of(event.getString("path")))
        .toList();
  }
}
