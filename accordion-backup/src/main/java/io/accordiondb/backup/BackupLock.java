// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks a target against other writers by a numbered object that names the owner of the lock. A
 * lock of a process on this machine that has ended is ignored.
 *
 * <p>The object with the highest number counts. A writer takes the lock by writing the next number,
 * which only one writer can do. So two writers that have seen the same dead owner cannot both take
 * its lock. The highest number never decreases: an owner that releases the lock marks its object as
 * free, and deletes only lower ones. A slow writer may therefore write a number that was deleted;
 * it then finds a higher one and does not get the lock. A random second line tells the locks of a
 * process apart, which may have the same number one after another; older locks have none.
 */
final class BackupLock implements Closeable {
  /** The prefix of the names of locks. */
  static final String OBJECTS = "locks/";

  private static final Logger LOG = LoggerFactory.getLogger(BackupLock.class);

  private static final String FREE = "free";

  /** A process that is just writing its lock, or was killed then. */
  private static final String UNKNOWN = "a process that has not written its name";

  private static final int OWNER_BYTES_MAX = 4096;

  /** An attempt is repeated only if another writer has changed the locks since it began. */
  private static final int ATTEMPTS_MAX = 20;

  private final BackupTarget target;
  private final Set<String> unreleased;
  private final long number;
  private final String content;

  private BackupLock(BackupTarget target, Set<String> unreleased, long number, String content) {
    this.target = target;
    this.unreleased = unreleased;
    this.number = number;
    this.content = content;
  }

  /**
   * Takes the lock, and lets the target delete what interrupted writes have left.
   *
   * @param unreleased the contents of locks that this process could not release, or may have
   *     written in a call that failed: they name a process that lives, and nobody holds them. One
   *     for each failed call. Thread-safe
   * @throws BackupLockedException if the lock is held
   */
  static BackupLock take(BackupTarget target, Set<String> unreleased) throws IOException {
    String content = ProcessName.own() + '\n' + UUID.randomUUID();
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      long last = lastNumber(target);
      String owner = owner(target, last);
      if (!isFree(owner) && !unreleased.contains(owner)) {
        String process = processOf(owner);
        if (!ProcessName.hasEnded(process)) {
          throw new BackupLockedException(target, process);
        }
        LOG.warn("{} was locked by {}, which has ended", target, process);
      }
      if (writeNew(target, last + 1, content, unreleased)) {
        BackupLock lock = new BackupLock(target, unreleased, last + 1, content);
        if (lock.isLast()) {
          return lock;
        }
        target.delete(objectOf(lock.number));
      }
    }
    throw new BackupLockedException(target, processOf(owner(target, lastNumber(target))));
  }

  /**
   * Writes a lock, if there is none with its number. If the call fails, the target may have written
   * the lock all the same. No caller holds that lock, so it counts as unreleased.
   */
  private static boolean writeNew(
      BackupTarget target, long number, String content, Set<String> unreleased) throws IOException {
    boolean answered = false;
    try {
      boolean written = target.writeNew(objectOf(number), content.getBytes(UTF_8));
      answered = true;
      return written;
    } finally {
      if (!answered) {
        unreleased.add(content);
      }
    }
  }

  /** Completes the taking; releases the lock if that fails. */
  private boolean isLast() throws IOException {
    boolean done = false;
    try {
      boolean last = lastNumber(target) == number;
      if (last) {
        target.deleteUnfinished();
      }
      done = true;
      return last;
    } finally {
      if (!done) {
        close();
      }
    }
  }

  /**
   * Checks that the lock is still held, before a step that two writers must not both take.
   *
   * @throws IOException if it was broken, or another process took it for that of an ended one
   */
  void check() throws IOException {
    long last = lastNumber(target);
    if (last != number || isFree(content(target, number))) {
      throw new IOException(
          target
              + ": the lock was removed while this process was at work; nothing more is written or"
              + " deleted");
    }
  }

  /** Removes the lock of any owner. */
  static void breakIn(BackupTarget target) throws IOException {
    long last = lastNumber(target);
    if (last > 0) {
      free(target, last);
    }
  }

  static String objectOf(long number) {
    return NumberedObjects.nameOf(OBJECTS, number);
  }

  /** Returns the highest number, or 0 if no process has ever taken the lock. */
  private static long lastNumber(BackupTarget target) throws IOException {
    List<Long> numbers = NumberedObjects.numbers(target, OBJECTS);
    return numbers.isEmpty() ? 0 : numbers.get(numbers.size() - 1);
  }

  private static void free(BackupTarget target, long number) throws IOException {
    byte[] free = FREE.getBytes(UTF_8);
    target.write(objectOf(number), new ByteArrayInputStream(free), free.length);
  }

  /** Returns the owner of a lock; one that was deleted since has none. */
  private static String owner(BackupTarget target, long number) throws IOException {
    String owner = number == 0 ? FREE : content(target, number);
    if (!owner.isEmpty()) {
      return owner;
    }
    String killed = target instanceof FolderTarget folder ? killedIn(folder) : UNKNOWN;
    String now = content(target, number);
    return now.isEmpty() ? killed : now;
  }

  private static String content(BackupTarget target, long number) throws IOException {
    try (InputStream in = target.read(objectOf(number))) {
      return new String(in.readNBytes(OWNER_BYTES_MAX), UTF_8).strip();
    } catch (NoSuchFileException e) {
      return FREE;
    }
  }

  /**
   * Returns a process that has left its lock without its name, or {@link #UNKNOWN} if one that may
   * live is about to write its name.
   *
   * <p>Where files have no second names, a process creates its lock empty, and then replaces it by
   * a file that has held its name before. So as long as the lock stays empty, that file is there.
   * If all such files are of processes that have ended, so has the owner of the lock. The caller
   * must therefore look at the lock again afterwards. A file that is to release a lock is not of
   * the owner.
   */
  private static String killedIn(FolderTarget target) throws IOException {
    String killed = UNKNOWN;
    for (String writer : target.unfinished(OBJECTS)) {
      if (isFree(writer)) {
        continue;
      }
      if (!ProcessName.hasEnded(processOf(writer))) {
        return UNKNOWN;
      }
      killed = writer;
    }
    return killed;
  }

  private static String processOf(String owner) {
    return owner.lines().findFirst().orElse(owner);
  }

  private static boolean isFree(String owner) {
    return owner.equals(FREE);
  }

  /**
   * Releases the lock, even if the thread is interrupted: most targets then write nothing, and a
   * lock that stays counts for as long as this process lives, except for takers with the same set
   * of unreleased locks.
   */
  @Override
  public void close() throws IOException {
    boolean interrupted = Thread.interrupted();
    boolean released = false;
    try {
      while (!released) {
        try {
          release();
          released = true;
        } catch (IOException e) {
          if (!Thread.interrupted()) {
            throw e;
          }
          interrupted = true;
        }
      }
    } finally {
      if (!released) {
        unreleased.add(content);
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void release() throws IOException {
    List<Long> numbers = NumberedObjects.numbers(target, OBJECTS);
    if (!numbers.isEmpty() && numbers.get(numbers.size() - 1) > number) {
      // The lock was broken, and another process has taken it since.
      target.delete(objectOf(number));
      return;
    }
    free(target, number);
    for (long lower : numbers) {
      if (lower < number) {
        target.delete(objectOf(lower));
      }
    }
  }
}
