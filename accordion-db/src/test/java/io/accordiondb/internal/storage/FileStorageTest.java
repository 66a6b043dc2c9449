// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.accordiondb.DatabaseLockedException;
import io.accordiondb.NotADatabaseException;
import io.accordiondb.OwnThreads;
import io.accordiondb.fixtures.TestThread;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class FileStorageTest extends StorageContract {
  /** Attempts that a busy machine may make too late. */
  private static final int ATTEMPTS_MAX = 100;

  @TempDir Path folder;

  @Override
  Storage newStorage() throws IOException {
    return new FileStorage(folder.resolve("a/database"));
  }

  @Test
  void folderThatIsAFileIsRefused() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> new FileStorage(file))
        .isInstanceOf(NotADatabaseException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void aFolderBelowAFileIsRefused() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> new FileStorage(file.resolve("a/database")))
        .isInstanceOf(NotADatabaseException.class)
        .hasMessageContainingAll(file.resolve("a/database").toString(), file + " is a file");
  }

  @Test
  void aLinkToNothingIsRefused() throws IOException {
    Path nothing = folder.resolve("nothing");
    Path link = Files.createSymbolicLink(folder.resolve("link"), nothing);
    for (Path path : List.of(link, link.resolve("database"))) {
      assertThatThrownBy(() -> new FileStorage(path))
          .isInstanceOf(NotADatabaseException.class)
          .hasMessageContainingAll(path.toString(), link + " is a link to " + nothing);
    }
    assertThat(nothing).doesNotExist();
  }

  /** An open file with a lock would keep out all later attempts of this process. */
  @Test
  void aLockWhoseFileIsDeletedMeanwhileIsNotLeftOpen() throws Exception {
    Path descriptors = Path.of("/proc/self/fd");
    assumeThat(descriptors).isDirectory();
    Storage storage = newStorage();
    Path file = folder.toRealPath().resolve("a/database/LOCK");
    Path otherName = folder.resolve("lock");
    boolean failed = false;
    for (int attempt = 0; attempt < ATTEMPTS_MAX && !failed; attempt++) {
      // The attempt waits for the end of this owner, but not for long.
      String owner = UUID.randomUUID().toString();
      ClaimedNames.claim(owner);
      Files.writeString(file, LockOwner.thisProcess(owner).encode());
      Files.deleteIfExists(otherName);
      Files.createLink(otherName, file);
      TestThread locking = TestThread.start("locking", () -> storage.lock("LOCK").close());
      try {
        boolean unused = locking.endsBeforeItIsBlockedIn("staysAlive");
      } finally {
        Files.delete(file);
        ClaimedNames.release(ClaimedNames.propertyOf(owner));
      }
      try {
        locking.join();
      } catch (DatabaseLockedException e) {
        // Otherwise it has waited for too long.
        failed = e.getCause() instanceof NoSuchFileException;
      }
    }
    assertThat(failed).as("an attempt has missed the file").isTrue();
    try (Stream<Path> open = Files.list(descriptors)) {
      assertThat(open.map(FileStorageTest::target)).noneMatch(name -> name.startsWith(file + ""));
    }
    assertThat(otherName).as("other processes would be kept out by their name of it").isEmptyFile();
    storage.lock("LOCK").close();
  }

  /** Else two processes could have locked the folder: each another file. */
  @Test
  void aLockWhoseFileIsReplacedMeanwhileIsNotTaken() throws Exception {
    Storage storage = newStorage();
    Path file = folder.toRealPath().resolve("a/database/LOCK");
    String owner = UUID.randomUUID().toString();
    ClaimedNames.claim(owner);
    Files.writeString(file, LockOwner.thisProcess(owner).encode());
    TestThread locking = TestThread.start("locking", () -> storage.lock("LOCK").close());
    try {
      assertThat(locking.endsBeforeItIsBlockedIn("staysAlive")).isFalse();
    } finally {
      Files.delete(file);
      Files.createFile(file);
      ClaimedNames.release(ClaimedNames.propertyOf(owner));
    }
    assertThatThrownBy(locking::join).isInstanceOf(DatabaseLockedException.class);
    storage.lock("LOCK").close();
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return ""; // It was closed just now.
    }
  }

  @Test
  void threadsThatFillAheadEndWithTheLock() throws Exception {
    assumeThat(MappingSupport.isGiven(folder)).as("files may be mapped").isTrue();
    Storage storage = newStorage();
    byte[] bytes = new byte[5 << 20];
    new Random(3).nextBytes(bytes);
    OwnThreads own = new OwnThreads();
    Closeable lock = storage.lock("LOCK");
    try (StorageWriter writer = storage.createFilled("f", bytes.length)) {
      own.run(
          () -> {
            for (int from = 0; from < bytes.length; from += 1 << 18) {
              writer.append(ByteBuffer.wrap(bytes, from, 1 << 18));
            }
          });
      assertThat(own.ofDatabases("log-ahead")).as("threads that fill ahead").isNotEmpty();
    } finally {
      lock.close();
    }
    assertThat(own.ofDatabasesAfter(Duration.ofMinutes(1))).as("outlive the lock").isEmpty();
    assertThat(Files.readAllBytes(folder.resolve("a/database/f"))).isEqualTo(bytes);
    try (StorageWriter writer = storage.createFilled("g", bytes.length)) {
      own.run(() -> writer.append(ByteBuffer.wrap(bytes)));
      assertThat(own.ofDatabases()).as("without a lock").isEmpty();
    }
    assertThat(Files.readAllBytes(folder.resolve("a/database/g"))).isEqualTo(bytes);
  }

  @Test
  void whatIsCreatedIsForTheOwnerAlone() throws IOException {
    assumeThat(folder.getFileSystem().supportedFileAttributeViews()).contains("posix");
    Storage storage = newStorage();
    storage.createDirectories("d");
    storage.create("d/f").close();
    storage.lock("LOCK").close();
    assertThat(permissions("a")).isEqualTo("rwx------");
    assertThat(permissions("a/database")).isEqualTo("rwx------");
    assertThat(permissions("a/database/d")).isEqualTo("rwx------");
    assertThat(permissions("a/database/d/f")).isEqualTo("rw-------");
    assertThat(permissions("a/database/LOCK")).isEqualTo("rw-------");
  }

  @Test
  void symbolicLinksInThePlaceOfFilesAreNotFollowed() throws IOException {
    assumeThat(folder.getFileSystem().supportedFileAttributeViews()).contains("posix");
    Storage storage = newStorage();
    Path secret = Files.writeString(folder.resolve("secret"), "secret");
    Files.createSymbolicLink(folder.resolve("a/database/link"), secret);
    assertThatThrownBy(() -> storage.open("link")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> storage.create("link")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> storage.sync("link")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> storage.lock("link")).isInstanceOf(IOException.class);
    storage.delete("link");
    assertThat(secret).hasContent("secret");
  }

  @Test
  void symbolicLinksInThePlaceOfFoldersAreNotFollowed() throws IOException {
    assumeThat(folder.getFileSystem().supportedFileAttributeViews()).contains("posix");
    Storage storage = newStorage();
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.createSymbolicLink(folder.resolve("a/database/sst"), other);
    for (String name : List.of("sst", "sst/below")) {
      assertThatThrownBy(() -> storage.createDirectories(name))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(folder.resolve("a/database/sst") + ": it is a symbolic link");
      assertThatThrownBy(() -> storage.list(name)).isInstanceOf(IOException.class);
    }
    assertThat(other).isEmptyDirectory();
  }

  /** The folder may be moved away and linked to, as its parents may. */
  @Test
  void theFolderItselfMayBecomeASymbolicLink() throws IOException {
    assumeThat(folder.getFileSystem().supportedFileAttributeViews()).contains("posix");
    Storage storage = newStorage();
    storage.create("file").close();
    Path database = folder.resolve("a/database");
    Files.createSymbolicLink(database, Files.move(database, folder.resolve("moved")));
    assertThat(storage.list("")).containsExactly("file");
    storage.createDirectories("sst");
    assertThat(folder.resolve("moved/sst")).isDirectory();
  }

  /** Whoever removes the folder of a database that is being opened wants it to be gone. */
  @Test
  void aFolderThatIsGoneIsNotCreatedAgain() throws IOException {
    Storage storage = newStorage();
    Path database = folder.resolve("a/database");
    Files.delete(database);
    assertThatThrownBy(() -> storage.createDirectories("sst/below"))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(database.toString());
    assertThat(database).doesNotExist();
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aPipeInThePlaceOfAFileIsNotWaitedFor() throws Exception {
    assumeThat(folder.getFileSystem().supportedFileAttributeViews()).contains("posix");
    Storage storage = newStorage();
    Path pipe = folder.resolve("a/database/CURRENT");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThatThrownBy(() -> storage.open("CURRENT"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a regular file");
  }

  @Test
  void folderMayBeASymbolicLink() throws IOException {
    assumeThat(folder.getFileSystem().supportedFileAttributeViews()).contains("posix");
    Path target = Files.createDirectory(folder.resolve("target"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);
    Storage storage = new FileStorage(link);
    storage.create("f").close();
    assertThat(target.resolve("f")).exists();
    try (Closeable lock = storage.lock("LOCK")) {
      assertThatThrownBy(() -> new FileStorage(target).lock("LOCK"))
          .isInstanceOf(DatabaseLockedException.class);
    }
  }

  @Test
  void interruptsWhileWritingAndReadingDoNoHarm() throws Exception {
    Storage storage = newStorage();
    Thread worker = Thread.currentThread();
    AtomicBoolean done = new AtomicBoolean();
    Thread interrupter =
        new Thread(
            () -> {
              while (!done.get()) {
                worker.interrupt();
                Thread.onSpinWait();
              }
            });
    interrupter.start();
    ByteBuffer written = ByteBuffer.allocateDirect(1 << 16);
    ByteBuffer read = ByteBuffer.allocate(1 << 16);
    try (StorageWriter writer = storage.create("f");
        StorageReader reader = storage.open("f")) {
      for (int i = 0; i < 300; i++) {
        written.clear().putInt(0, i);
        writer.append(written);
        reader.readFully(read.clear(), (long) i << 16);
        assertThat(read.getInt(0)).isEqualTo(i);
        if (i % 50 == 0) {
          writer.sync();
          storage.syncDirectory("");
        }
        Thread.interrupted();
      }
    } finally {
      done.set(true);
      while (interrupter.isAlive()) {
        Thread.onSpinWait();
      }
      Thread.interrupted();
    }
  }

  private String permissions(String name) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name)));
  }
}
