// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A command that is ended by a signal, as by Ctrl-C, removes its temporary files. */
@Tag("slow")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "ends processes without a signal")
class InterruptedCommandTest {
  private static final long SECONDS_MAX = 60;

  @TempDir Path temporary;
  @TempDir Path output;

  private Process start(String... arguments) throws IOException {
    return start(Main.class, arguments);
  }

  private Process start(Class<?> program, String... arguments) throws IOException {
    List<String> options =
        new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
    options.add("-Djava.io.tmpdir=" + temporary);
    return javaProcess(options, program, (Object[]) arguments)
        .redirectErrorStream(true)
        .redirectOutput(output.resolve("output").toFile())
        .start();
  }

  private boolean holdsLog() {
    try (Stream<Path> paths = Files.walk(temporary)) {
      return paths.anyMatch(path -> path.endsWith("wal"));
    } catch (IOException | UncheckedIOException e) {
      // The process changes what is walked through.
      return false;
    }
  }

  private List<Path> left() throws IOException {
    try (Stream<Path> paths = Files.list(temporary)) {
      return paths.filter(path -> path.getFileName().toString().startsWith("accordion")).toList();
    }
  }

  private void interruptAtWork(Process process) throws IOException, InterruptedException {
    try {
      await(
          "the log of the store",
          () -> {
            assertThat(process.isAlive()).as(Files.readString(output.resolve("output"))).isTrue();
            return holdsLog();
          });
      process.destroy();
      assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isNotZero();
      assertThat(left()).isEmpty();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void removesTheStoreOfADemonstration() throws Exception {
    interruptAtWork(start("demo", "--operations=100000000"));
  }

  @Test
  void removesTheStoreOfAProcessOfItsOwn() throws Exception {
    interruptAtWork(
        start("bench", "compare", "--engines=accordion", "--operations=100000000", "--memory=16"));
  }

  /** Runs a measurement in a process of its own and then says so, if its own end gives it time. */
  static final class OneAfterAnother {
    public static void main(String[] arguments) throws IOException {
      Thread thread = Thread.currentThread();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> join(thread)));
      try {
        String unused = ChildProcess.run(List.of(arguments));
      } finally {
        System.out.println("the next one begins");
      }
    }

    private static void join(Thread thread) {
      try {
        thread.join(TimeUnit.SECONDS.toMillis(2));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void beginsNoFurtherProcess() throws Exception {
    interruptAtWork(
        start(OneAfterAnother.class, "bench", "write", "--operations=100000000", "--memory=16"));
    assertThat(output.resolve("output")).content().doesNotContain("the next one begins");
  }
}
