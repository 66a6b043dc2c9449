// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One process of a cluster, in its present incarnation. It ends with this process at the latest,
 * see {@link WatchedMain}. Thread-safe.
 */
public final class ClusterProcess {
  private final ProcessPlan plan;

  @GuardedBy("this")
  private @Nullable Process process;

  ClusterProcess(ProcessPlan plan) {
    this.plan = plan;
  }

  /** Returns what it runs and where. */
  public ProcessPlan plan() {
    return plan;
  }

  /** Returns its name. */
  public String name() {
    return plan.name();
  }

  /** Starts it; what it prints goes to the end of its log. */
  synchronized void start() throws IOException {
    if (process != null && process.isAlive()) {
      throw new IllegalStateException(name() + " runs already, pid " + process.pid());
    }
    process = launch(plan.command());
  }

  /**
   * Runs its main class with other arguments, and waits for the end.
   *
   * @throws IOException if the exit code is not 0; the message has the end of the log
   */
  void runOnce(List<String> arguments) throws IOException, InterruptedException {
    Process running = launch(plan.command(arguments));
    try {
      if (running.waitFor() != 0) {
        throw ended(name() + " " + arguments, running.exitValue());
      }
    } finally {
      running.destroyForcibly();
    }
  }

  private Process launch(List<String> command) throws IOException {
    return new ProcessBuilder(command)
        .directory(plan.folder().toFile())
        .redirectErrorStream(true)
        .redirectOutput(Redirect.appendTo(plan.log().toFile()))
        .start();
  }

  /** Returns whether it runs. */
  public synchronized boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** Returns the id of the process, also of one that has ended; 0 before the first start. */
  public synchronized long pid() {
    return process == null ? 0 : process.pid();
  }

  /** Ends it with SIGKILL, and waits until it is gone. */
  synchronized void kill() throws InterruptedException {
    if (process != null) {
      process.destroyForcibly().waitFor();
    }
  }

  /** Asks it to end, with SIGTERM. */
  synchronized void askToStop() {
    if (process != null) {
      // Process.destroy would close the pipe as well, after which the process halts.
      boolean unused = process.toHandle().destroy();
    }
  }

  /** Waits until it has ended, and kills it after a deadline of {@link System#nanoTime}. */
  synchronized void awaitStop(long deadlineNanos) throws InterruptedException {
    if (process != null
        && !process.waitFor(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS)) {
      kill();
    }
  }

  /**
   * Verifies that it runs.
   *
   * @throws IOException if it has ended; the message has its exit code and the end of its log
   */
  public synchronized void verifyAlive() throws IOException {
    if (process != null && !process.isAlive()) {
      throw ended(name(), process.exitValue());
    }
  }

  private IOException ended(String what, int exitCode) throws IOException {
    return new IOException(
        what
            + " has ended with exit code "
            + exitCode
            + "; the end of "
            + plan.log()
            + ":\n"
            + LogTail.of(plan.log()));
  }

  /** Returns its resident memory; 0 if it has ended or where the system does not tell. */
  public long residentBytes() {
    return isAlive() ? residentBytes(pid(), "VmRSS:") : 0;
  }

  /** Returns its highest resident memory; 0 if it has ended or where the system does not tell. */
  public long peakResidentBytes() {
    return isAlive() ? residentBytes(pid(), "VmHWM:") : 0;
  }

  private static long residentBytes(long pid, String name) {
    Path status = Path.of("/proc", "" + pid, "status");
    try {
      return Files.readAllLines(status).stream()
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(name.length()).replace("kB", "").strip())
          .mapToLong(kilobytes -> Long.parseLong(kilobytes) * 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}
