// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a lock, as the lock file names it: one line for each component. Immutable.
 *
 * <p>The record shows whether its owner still runs, by whatever path the folder was reached and
 * even if the lock of the operating system was lost. An owner that cannot be looked up, because it
 * ran on another host, before the last boot or in another container, counts as dead: then only the
 * lock of the operating system decides.
 *
 * @param pid number of the process
 * @param start when the process started, which distinguishes it from a later process of the same
 *     number
 * @param place the scope of the process number: one boot of one host, and one PID namespace
 * @param token of this lock alone, by which the process knows whether it still holds it
 */
public record LockOwner(long pid, String start, String place, String token) {
  /** The longest record, in bytes. */
  static final int BYTES_MAX = 512;

  private static final int LINES = 4;
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");

  /**
   * Indices of fields of /proc/PID/stat, counted behind the name of the program, which may contain
   * spaces.
   */
  private static final int STATE_FIELD = 0;

  private static final int START_FIELD = 19;

  /**
   * Returns the number of the process that holds the lock of a file; empty if none is known to.
   *
   * @throws IOException if the file exists and cannot be read
   */
  public static OptionalLong running(Path lock) throws IOException {
    if (!Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS)) {
      return OptionalLong.empty();
    }
    String text;
    try (InputStream file = Files.newInputStream(lock, LinkOption.NOFOLLOW_LINKS)) {
      text = new String(file.readNBytes(BYTES_MAX), StandardCharsets.UTF_8);
    }
    LockOwner owner = parse(text);
    return owner != null && (owner.isAlive() || owner.mayBeAlive())
        ? OptionalLong.of(owner.pid)
        : OptionalLong.empty();
  }

  /** Returns this process as the owner of a lock. */
  static LockOwner thisProcess(String token) {
    long pid = ProcessHandle.current().pid();
    String start = startOf(pid);
    return new LockOwner(pid, start == null ? "" : start, thisPlace(), token);
  }

  /**
   * Returns the owner that a lock file names; null if it names none, or was written by an older
   * version.
   */
  static @Nullable LockOwner parse(String text) {
    List<String> lines = text.lines().toList();
    if (lines.size() != LINES) {
      return null;
    }
    try {
      return new LockOwner(Long.parseLong(lines.get(0)), lines.get(1), lines.get(2), lines.get(3));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  String encode() {
    return pid + "\n" + start + "\n" + place + "\n" + token + "\n";
  }

  /** Returns whether the owner is known to run and to hold the lock. */
  boolean isAlive() {
    if (start.isEmpty() || !place.equals(thisPlace()) || !start.equals(startOf(pid))) {
      return false;
    }
    return pid != ProcessHandle.current().pid() || ClaimedNames.isClaimed(token);
  }

  /** Returns whether there is such a process, where the system tells neither start nor place. */
  private boolean mayBeAlive() {
    return start.isEmpty()
        && place.isEmpty()
        && thisPlace().isEmpty()
        && ProcessHandle.of(pid).isPresent();
  }

  private static String thisPlace() {
    try {
      return Files.readString(BOOT).strip() + " " + Files.readSymbolicLink(NAMESPACE);
    } catch (IOException | UnsupportedOperationException e) {
      return "";
    }
  }

  /** Returns when a running process started; null if it does not run, or the time is unknown. */
  private static @Nullable String startOf(long pid) {
    if (Files.exists(BOOT)) {
      // In ticks since the boot. A time derived from the clock would change when the clock is set.
      return ticksOf(pid);
    }
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().startInstant())
        .map(Instant::toString)
        .orElse(null);
  }

  private static @Nullable String ticksOf(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
      // A zombie has ended, although its exit status has not been read.
      boolean ended = fields[STATE_FIELD].equals("Z") || fields[STATE_FIELD].equals("X");
      return ended || fields.length <= START_FIELD ? null : fields[START_FIELD];
    } catch (IOException e) {
      return null;
    }
  }
}
