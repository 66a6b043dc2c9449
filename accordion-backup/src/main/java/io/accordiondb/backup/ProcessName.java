// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names a process uniquely, and decides from a name whether that process has ended.
 *
 * <p>The name avoids the clock where it can: setting the clock while the process runs changes the
 * start time that the system reports. Linux reports the start in ticks since the machine was
 * started. Containers may share the name of a host but not its processes, so the name includes the
 * namespace of process numbers.
 */
final class ProcessName {
  private static final Pattern NAME = Pattern.compile("process (\\d{1,18}) of (\\S+) since (\\S+)");
  private static final Pattern TICKS = Pattern.compile("([^/]+)/([^/]+)/([^/]+)");

  /** The number of the field in {@code /proc/PID/stat} after the name, which is in parentheses. */
  private static final int START_FIELD = 20;

  /** The number of the first process of a machine or container. */
  private static final long FIRST = 1;

  /** A start that the system does not tell. */
  private static final String UNKNOWN = "?";

  private static final Path PROCESSES = Path.of("/proc");
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path SPACE = Path.of("/proc/self/ns/pid");

  private ProcessName() {}

  /** Returns the name of this process. */
  static String own() {
    ProcessHandle self = ProcessHandle.current();
    return "process " + self.pid() + " of " + hostName() + " since " + startOf(self, PROCESSES);
  }

  /** Returns whether a process has certainly ended; false if it cannot be seen from here. */
  static boolean hasEnded(String name) {
    return hasEnded(name, hostName(), PROCESSES, ProcessHandle::of);
  }

  /**
   * Same as above.
   *
   * @param folder what Linux tells of each process; other systems have no such folder
   * @param processes finds a process by its number
   */
  static boolean hasEnded(
      String name, String ownHost, Path folder, LongFunction<Optional<ProcessHandle>> processes) {
    Matcher words = NAME.matcher(name);
    if (!words.matches() || !words.group(2).equals(ownHost) || words.group(3).equals(UNKNOWN)) {
      return false;
    }
    Matcher theirs = TICKS.matcher(words.group(3));
    if (theirs.matches()) {
      Matcher ours = TICKS.matcher(startOf(ProcessHandle.current(), folder));
      if (!ours.matches()) {
        return false;
      }
      if (!theirs.group(1).equals(ours.group(1))) {
        // The machine was restarted since, unless it is another one that has no name either.
        return !ownHost.startsWith("localhost");
      }
      if (!theirs.group(2).equals(ours.group(2))) {
        return false;
      }
    }
    long pid = Long.parseLong(words.group(1));
    Optional<ProcessHandle> process = processes.apply(pid);
    if (process.isEmpty()) {
      return isGone(pid, folder, processes);
    }
    String start = startOf(process.get(), folder);
    return isSameForm(start, words.group(3)) && !start.equals(words.group(3));
  }

  /** Returns whether a process that was not found does not exist. */
  private static boolean isGone(
      long pid, Path folder, LongFunction<Optional<ProcessHandle>> processes) {
    // A process is also not found if this one may open no more files; to look at a name needs none.
    // Linux can hide the processes of other users, and then hides its first one, too.
    return Files.notExists(statusOf(pid, folder))
        && (!Files.exists(SPACE) || processes.apply(FIRST).isPresent());
  }

  /** Starts of different forms say nothing of each other. */
  private static boolean isSameForm(String start, String other) {
    return !start.equals(UNKNOWN)
        && TICKS.matcher(start).matches() == TICKS.matcher(other).matches();
  }

  /**
   * Returns when a process started. On Linux that is never a time: a read that fails for a moment
   * must not give the process another name.
   */
  static String startOf(ProcessHandle process, Path folder) {
    if (!Files.exists(BOOT)) {
      return process.info().startInstant().map(Instant::toString).orElse(UNKNOWN);
    }
    try {
      OptionalLong ticks = startTicks(statusOf(process.pid(), folder));
      if (ticks.isPresent()) {
        String boot = Files.readString(BOOT).strip();
        return boot + "/" + Files.readSymbolicLink(SPACE) + "/" + ticks.getAsLong();
      }
    } catch (IOException | UnsupportedOperationException e) {
      // The process has just ended, or this one may open no more files.
    }
    return UNKNOWN;
  }

  private static Path statusOf(long pid, Path folder) {
    return folder.resolve(Long.toString(pid)).resolve("stat");
  }

  private static OptionalLong startTicks(Path status) throws IOException {
    String stat = Files.readString(status);
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
    return fields.length < START_FIELD
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseLong(fields[START_FIELD - 1]));
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
