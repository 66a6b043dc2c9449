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

  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path SPACE = Path.of("/proc/self/ns/pid");

  private ProcessName() {}

  /** Returns the name of this process. */
  static String own() {
    ProcessHandle self = ProcessHandle.current();
    return "process " + self.pid() + " of " + hostName() + " since " + startOf(self);
  }

  /** Returns whether a process has certainly ended; false if it cannot be seen from here. */
  static boolean hasEnded(String name) {
    return hasEnded(name, hostName(), ProcessHandle::of);
  }

  /**
   * Same as above.
   *
   * @param processes finds a process by its number
   */
  static boolean hasEnded(
      String name, String ownHost, LongFunction<Optional<ProcessHandle>> processes) {
    Matcher words = NAME.matcher(name);
    if (!words.matches() || !words.group(2).equals(ownHost)) {
      return false;
    }
    Matcher theirs = TICKS.matcher(words.group(3));
    Matcher ours = TICKS.matcher(startOf(ProcessHandle.current()));
    if (theirs.matches() && ours.matches()) {
      if (!theirs.group(1).equals(ours.group(1))) {
        // The machine was restarted since, unless it is another one that has no name either.
        return !ownHost.startsWith("localhost");
      }
      if (!theirs.group(2).equals(ours.group(2))) {
        return false;
      }
    }
    Optional<ProcessHandle> process = processes.apply(Long.parseLong(words.group(1)));
    if (process.isEmpty()) {
      // Linux can hide the processes of other users, and then hides its first one, too.
      return !Files.exists(SPACE) || processes.apply(FIRST).isPresent();
    }
    String start = startOf(process.get());
    return !start.equals(UNKNOWN) && !start.equals(words.group(3));
  }

  private static String startOf(ProcessHandle process) {
    try {
      OptionalLong ticks = startTicks(process.pid());
      if (ticks.isPresent()) {
        String boot = Files.readString(BOOT).strip();
        return boot + "/" + Files.readSymbolicLink(SPACE) + "/" + ticks.getAsLong();
      }
    } catch (IOException | UnsupportedOperationException e) {
      // Not Linux, or the process has just ended.
    }
    return process.info().startInstant().map(Instant::toString).orElse(UNKNOWN);
  }

  private static OptionalLong startTicks(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
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
