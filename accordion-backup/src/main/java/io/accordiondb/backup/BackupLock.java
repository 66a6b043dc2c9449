// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks a target against other writers by an object that names the owner of the lock. A lock of a
 * process on this machine that has ended is ignored.
 */
final class BackupLock implements Closeable {
  static final String OBJECT = "lock";

  private static final Logger LOG = LoggerFactory.getLogger(BackupLock.class);

  private static final int OWNER_BYTES_MAX = 4096;

  private final BackupTarget target;

  private BackupLock(BackupTarget target) {
    this.target = target;
  }

  /**
   * Takes the lock.
   *
   * @throws BackupLockedException if the lock is held
   */
  static BackupLock take(BackupTarget target) throws IOException {
    byte[] mine = ownName().getBytes(UTF_8);
    // The second time if the owner of the lock has ended.
    for (int attempt = 0; attempt < 2; attempt++) {
      if (target.writeNew(OBJECT, mine)) {
        return new BackupLock(target);
      }
      String owner = owner(target);
      if (!hasEnded(owner)) {
        throw new BackupLockedException(target, owner);
      }
      LOG.warn("{} was locked by {}, which has ended", target, owner);
      target.delete(OBJECT);
    }
    throw new BackupLockedException(target, owner(target));
  }

  private static String owner(BackupTarget target) throws IOException {
    try (InputStream in = target.read(OBJECT)) {
      return new String(in.readNBytes(OWNER_BYTES_MAX), UTF_8).strip();
    } catch (NoSuchFileException e) {
      return "a process that has just ended";
    }
  }

  /** Names this process so that it cannot be taken for another one. */
  private static String ownName() {
    ProcessHandle self = ProcessHandle.current();
    return "process " + self.pid() + " of " + hostName() + " since " + startOf(self);
  }

  private static boolean hasEnded(String owner) {
    String[] words = owner.split(" ");
    if (words.length != 6 || !words[0].equals("process") || !words[3].equals(hostName())) {
      return false;
    }
    try {
      Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(words[1]));
      return process.isEmpty() || !startOf(process.get()).equals(words[5]);
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static String startOf(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toString).orElse("?");
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  @Override
  public void close() throws IOException {
    target.delete(OBJECT);
  }
}
