// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A file system that a test mounts. Where it may not mount one, the test is skipped. */
public final class Mount implements AutoCloseable {
  private final String target;

  private Mount(String target) {
    this.target = target;
  }

  /**
   * Mounts a file system until this is closed.
   *
   * @param arguments of the command; the last one is the folder where it is mounted
   */
  public static Mount of(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("mount"));
    command.addAll(List.of(arguments));
    assumeThat(succeeds(command)).as("may mount").isTrue();
    return new Mount(arguments[arguments.length - 1]);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    // Lazily, because a test that failed may have left files open.
    assertThat(succeeds(List.of("umount", "-l", target))).as("umount").isTrue();
  }

  /** Returns whether a command can be run, and succeeds. */
  public static boolean succeeds(List<String> command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
