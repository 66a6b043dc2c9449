// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The lock of a process that has ended goes to one of those that want it. */
@Timeout(120)
class BackupLockTest {
  private static final int THREADS = 6;
  private static final int ROUNDS = 200;

  @TempDir private Path folder;
  private byte[] deadOwner = new byte[0];

  @BeforeEach
  void endProcess() throws Exception {
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    deadOwner =
        ("process "
                + ended.pid()
                + " of "
                + InetAddress.getLocalHost().getHostName()
                + " since 2020-01-01T00:00:00Z")
            .getBytes(UTF_8);
  }

  static BackupLock take(BackupTarget target) throws IOException {
    return BackupLock.take(target, ConcurrentHashMap.newKeySet());
  }

  private static void write(BackupTarget target, String name, byte[] content) throws IOException {
    target.write(name, new ByteArrayInputStream(content), content.length);
  }

  @Test
  void twoThatSeeTheSameDeadOwnerDoNotBothTakeTheLock() throws IOException {
    ObjectTarget target = new ObjectTarget();
    write(target, BackupLock.objectOf(7), deadOwner);
    List<BackupLock> first = new ArrayList<>();
    target.afterRead = () -> first.add(take(target));
    assertThatThrownBy(() -> take(target)).isInstanceOf(BackupLockedException.class);
    assertThat(first).hasSize(1);
    first.get(0).close();
    take(target).close();
  }

  @Test
  void oneThatWritesLateFindsTheLockThatWasTakenSince() throws IOException {
    ObjectTarget target = new ObjectTarget();
    write(target, BackupLock.objectOf(7), deadOwner);
    List<BackupLock> held = new ArrayList<>();
    target.afterRead =
        () -> {
          // The number that the slow one is about to write is taken, released and deleted.
          take(target).close();
          take(target).close();
          held.add(take(target));
        };
    assertThatThrownBy(() -> take(target)).isInstanceOf(BackupLockedException.class);
    held.get(0).close();
    assertThat(target.list(BackupLock.OBJECTS)).hasSize(1);
    take(target).close();
  }

  @Test
  void aBrokenLockThatIsReleasedLeavesThatOfItsFollower() throws IOException {
    ObjectTarget target = new ObjectTarget();
    BackupLock broken = take(target);
    BackupLock.breakIn(target);
    BackupLock follower = take(target);
    broken.close();
    assertThatThrownBy(() -> take(target)).isInstanceOf(BackupLockedException.class);
    follower.close();
    take(target).close();
  }

  @Test
  void aLockThatCannotBeCompletedIsReleased() throws IOException {
    ObjectTarget target = new ObjectTarget();
    target.deletesUnfinished = false;
    assertThatThrownBy(() -> take(target)).hasMessage("cannot delete");
    target.deletesUnfinished = true;
    take(target).close();
  }

  /** A third thread has seen the first lock that was not released when there is a second one. */
  @Test
  void aSecondLockThatCannotBeReleasedDoesNotLockItsProcessOut() throws IOException {
    ObjectTarget target = new ObjectTarget();
    Set<String> unreleased = ConcurrentHashMap.newKeySet();
    leaveUnreleased(target, unreleased);
    target.afterRead = () -> leaveUnreleased(target, unreleased);
    BackupLock lock = BackupLock.take(target, unreleased);
    assertThatThrownBy(() -> BackupLock.take(target, unreleased))
        .isInstanceOf(BackupLockedException.class)
        .hasMessageContaining("in use by " + ProcessName.own() + ";");
    lock.close();
  }

  /** As it may be when a connection breaks: the object store has the lock, and nobody holds it. */
  @Test
  void aLockWhoseAnswerIsLostDoesNotLockItsProcessOut() throws IOException {
    ObjectTarget target = new ObjectTarget();
    Set<String> unreleased = ConcurrentHashMap.newKeySet();
    target.answers = false;
    assertThatThrownBy(() -> BackupLock.take(target, unreleased)).hasMessage("no answer");
    target.answers = true;
    assertThat(target.list(BackupLock.OBJECTS)).hasSize(1);
    BackupLock lock = BackupLock.take(target, unreleased);
    assertThatThrownBy(() -> BackupLock.take(target, unreleased))
        .isInstanceOf(BackupLockedException.class);
    lock.close();
  }

  private static void leaveUnreleased(ObjectTarget target, Set<String> unreleased)
      throws IOException {
    BackupLock lock = BackupLock.take(target, unreleased);
    target.writes = false;
    assertThatThrownBy(lock::close).hasMessage("cannot write");
    target.writes = true;
  }

  @Test
  void aLockIsTakenThoughTheUnfinishedFileStays() throws IOException {
    FolderTarget target =
        new FolderTarget(
            folder.resolve("backups"),
            (name, file) -> {
              Files.createLink(name, file);
              Files.delete(file);
              // Cannot be deleted.
              Files.createDirectories(file.resolve("busy"));
            });
    take(target).close();
    take(target).close();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aLockThatCannotBeTakenBackDoesNotLockItsProcessOut() throws IOException {
    Path locks = folder.resolve("backups/locks");
    Path away = folder.resolve("away");
    FolderTarget failing =
        new FolderTarget(
            folder.resolve("backups"),
            (name, file) -> {
              Files.createLink(name, file);
              Files.move(locks, away);
              // No path leads over a link to itself, to whatever end.
              Files.createSymbolicLink(locks, locks);
            });
    assertThatThrownBy(() -> BackupLock.take(failing, failing.unreleased()))
        .isInstanceOf(FileSystemException.class);
    Files.delete(locks);
    Files.move(away, locks);
    FolderTarget target = new FolderTarget(folder.resolve("backups"));
    BackupLock lock = BackupLock.take(target, target.unreleased());
    assertThatThrownBy(() -> BackupLock.take(target, target.unreleased()))
        .isInstanceOf(BackupLockedException.class);
    lock.close();
  }

  @Test
  void manyTakersOfAFolder() throws Exception {
    manyTakers(BackupTarget.folder(folder.resolve("backups")));
  }

  @Test
  void manyTakersOfAFolderWithoutLinks() throws Exception {
    manyTakers(withoutLinks());
  }

  /** FAT refuses links; other file systems do not support them. */
  private FolderTarget withoutLinks() {
    return new FolderTarget(
        folder.resolve("backups"),
        (name, file) -> {
          throw new FileSystemException(
              name.toString(), file.toString(), "Operation not permitted");
        });
  }

  @Test
  void anObjectIsNewOnceInAFolderWithoutLinks() throws IOException {
    BackupTarget target = withoutLinks();
    String name = GenerationRecord.objectOf(1);
    assertThat(target.writeNew(name, new byte[] {1})).isTrue();
    assertThat(target.writeNew(name, new byte[] {2, 2})).isFalse();
    assertThat(target.read(name).readAllBytes()).containsExactly(1);
    assertThat(folder.resolve("backups/generations")).isDirectoryNotContaining("glob:**.partial");
  }

  /** A process that is killed while it takes the lock may leave an empty object. */
  @Test
  void aLockWithoutOwnerIsBrokenAsAnyOther() throws IOException {
    BackupTarget target = BackupTarget.folder(folder.resolve("backups"));
    write(target, BackupLock.objectOf(1), new byte[0]);
    assertThatThrownBy(() -> take(target))
        .isInstanceOf(BackupLockedException.class)
        .hasMessageContaining("in use by a process that has not written its name");
    BackupLock.breakIn(target);
    take(target).close();
  }

  /** Such a process has written its name already, but not moved it to the lock. */
  @Test
  void aLockThatAKilledProcessHasNotNamedIsTaken() throws IOException {
    leaveUnnamedLock(deadOwner);
    BackupLock lock = take(withoutLinks());
    assertThatThrownBy(() -> take(withoutLinks())).isInstanceOf(BackupLockedException.class);
    lock.close();
    assertThat(withoutLinks().list(BackupLock.OBJECTS)).hasSize(1);
  }

  @Test
  void aLockThatALivingProcessIsAboutToNameIsHeld() throws IOException {
    leaveUnnamedLock(deadOwner);
    byte[] living = ProcessName.own().getBytes(UTF_8);
    Path partial = partial(folder.resolve("backups/locks"), living);
    assertThatThrownBy(() -> take(withoutLinks())).isInstanceOf(BackupLockedException.class);
    Files.write(partial, new byte[0]);
    assertThatThrownBy(() -> take(withoutLinks())).isInstanceOf(BackupLockedException.class);
    Files.delete(partial);
    take(withoutLinks()).close();
  }

  /** Another process may have been killed before, when it was about to release its lock. */
  @Test
  void anUnfinishedReleaseDoesNotKeepAnUnnamedLock() throws IOException {
    Path locks = folder.resolve("backups/locks");
    leaveUnnamedLock(deadOwner);
    partial(locks, "free".getBytes(UTF_8));
    partial(locks, "free".getBytes(UTF_8));
    take(withoutLinks()).close();
  }

  @Test
  void anUnfinishedReleaseDoesNotTellWhoHasNotNamedALock() throws IOException {
    Path lock = folder.resolve("backups").resolve(BackupLock.objectOf(7));
    partial(lock.getParent(), "free".getBytes(UTF_8));
    Files.createFile(lock);
    assertThatThrownBy(() -> take(withoutLinks())).isInstanceOf(BackupLockedException.class);
  }

  private void leaveUnnamedLock(byte[] owner) throws IOException {
    Path lock = folder.resolve("backups").resolve(BackupLock.objectOf(7));
    partial(lock.getParent(), owner);
    Files.createFile(lock);
  }

  @Test
  void manyTakersOfAnObjectStore() throws Exception {
    manyTakers(new ObjectTarget());
  }

  /** Threads take the lock, and release it or die; there is never more than one owner. */
  private void manyTakers(BackupTarget target) throws Exception {
    AtomicInteger owners = new AtomicInteger();
    AtomicInteger taken = new AtomicInteger();
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      running.add(
          executor.submit(
              () -> {
                for (int round = 0; round < ROUNDS; round++) {
                  takeOnce(target, owners, taken);
                }
                return null;
              }));
    }
    for (Future<?> each : running) {
      each.get();
    }
    executor.shutdown();
    assertThat(taken).hasPositiveValue();
    take(target).close();
    assertThat(target.list(BackupLock.OBJECTS)).hasSize(1);
  }

  private void takeOnce(BackupTarget target, AtomicInteger owners, AtomicInteger taken)
      throws IOException {
    BackupLock lock;
    try {
      lock = take(target);
    } catch (BackupLockedException e) {
      return;
    }
    assertThat(owners.incrementAndGet()).isEqualTo(1);
    taken.incrementAndGet();
    Thread.yield();
    owners.decrementAndGet();
    if (ThreadLocalRandom.current().nextInt(8) > 0) {
      lock.close();
    } else {
      String object = new TreeMap<>(target.list(BackupLock.OBJECTS)).lastKey();
      write(target, object, deadOwner);
    }
  }

  @Test
  void whatAKilledBackupHasNotCompletedGoes() throws IOException {
    Path place = folder.resolve("backups");
    BackupTarget target = BackupTarget.folder(place);
    take(target).close();
    Path file = partial(place.resolve("files"));
    Path generation = partial(place.resolve("generations"));
    Path oldLock = partial(place.resolve("locks"));
    Files.setLastModifiedTime(oldLock, FileTime.from(Instant.now().minus(Duration.ofDays(1))));
    Path newLock = partial(place.resolve("locks"));
    Path foreign = Files.writeString(place.resolve("files/mine.partial"), "x");
    try (BackupLock lock = take(target)) {
      assertThat(file).doesNotExist();
      assertThat(generation).doesNotExist();
      assertThat(oldLock).doesNotExist();
      assertThat(newLock).as("another process may be writing it").exists();
      assertThat(foreign).exists();
      Path mine = partial(place.resolve("files"));
      assertThatThrownBy(() -> take(target)).isInstanceOf(BackupLockedException.class);
      assertThat(mine).as("of the process that has the lock").exists();
    }
  }

  private static Path partial(Path place) throws IOException {
    return partial(place, "begun".getBytes(UTF_8));
  }

  private static Path partial(Path place, byte[] content) throws IOException {
    Files.createDirectories(place);
    return Files.write(place.resolve(UUID.randomUUID() + ".partial"), content);
  }

  /** What a test does between two steps of another one. */
  private interface Step {
    void run() throws IOException;
  }

  /** An object store in memory, which another process may use between two requests. */
  private static final class ObjectTarget implements BackupTarget {
    private final Map<String, byte[]> objects = new ConcurrentSkipListMap<>();
    private boolean writes = true;
    private boolean answers = true;
    private boolean deletesUnfinished = true;
    private Step afterRead = () -> {};

    @Override
    public void write(String name, InputStream content, long bytes) throws IOException {
      if (!writes) {
        throw new IOException("cannot write");
      }
      objects.put(name, content.readAllBytes());
    }

    @Override
    public boolean writeNew(String name, byte[] content) throws IOException {
      boolean written = objects.putIfAbsent(name, content) == null;
      if (!answers) {
        throw new IOException("no answer");
      }
      return written;
    }

    @Override
    public InputStream read(String name) throws IOException {
      byte[] found = objects.get(name);
      if (found == null) {
        throw new NoSuchFileException(name);
      }
      Step step = afterRead;
      afterRead = () -> {};
      step.run();
      return new ByteArrayInputStream(found);
    }

    @Override
    public Map<String, Long> list(String prefix) {
      Map<String, Long> found = new TreeMap<>();
      objects.forEach(
          (name, content) -> {
            if (name.startsWith(prefix)) {
              found.put(name, (long) content.length);
            }
          });
      return found;
    }

    @Override
    public void delete(String name) {
      objects.remove(name);
    }

    @Override
    public void deleteUnfinished() throws IOException {
      if (!deletesUnfinished) {
        throw new IOException("cannot delete");
      }
    }
  }
}
