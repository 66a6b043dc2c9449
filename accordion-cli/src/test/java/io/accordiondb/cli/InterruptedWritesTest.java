// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.accordiondb.Database;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C while a command writes. */
@Tag("slow")
@EnabledOnOs(value = OS.LINUX, disabledReason = "sends signals and looks into /proc")
class InterruptedWritesTest {
  private static final int INTERRUPTED = 130;

  /** Only a process that hangs takes that long. */
  private static final long SECONDS_MAX = 300;

  private static final int SIGINT_BIT = 1;

  @TempDir Path folder;

  private Path db() {
    return folder.resolve("db");
  }

  /** A process that a shell starts in the background ignores the signal for as long as it runs. */
  private static boolean isSignalIgnored() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("SigIgn:")) {
        return (Long.parseUnsignedLong(line.substring(7).strip(), 16) >> SIGINT_BIT & 1) == 1;
      }
    }
    return false;
  }

  private Process start() throws IOException {
    List<String> options = ManagementFactory.getRuntimeMXBean().getInputArguments();
    return javaProcess(options, Main.class, "shell", db(), "--create")
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output").toFile())
        .start();
  }

  @Test
  void leavesNothingBroken() throws Exception {
    assumeFalse(isSignalIgnored(), "the signal of Ctrl-C is ignored here");
    Process process = start();
    try {
      int written = 0;
      try (OutputStream statements = process.getOutputStream()) {
        statements.write("create t, f\n".getBytes(US_ASCII));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        while (!Files.readString(folder.resolve("output")).contains("value=1000")) {
          assertThat(process.isAlive()).as(Files.readString(folder.resolve("output"))).isTrue();
          assertThat(System.nanoTime()).as("time to begin").isLessThan(deadline);
          String put =
              String.format(
                  Locale.ROOT, "put t row%07d f:q %d; get t row%07d\n", written, written, written);
          statements.write(put.getBytes(US_ASCII));
          statements.flush();
          written++;
        }
        new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
        assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
      } catch (IOException e) {
        // The process reads no more.
        assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
      }
      assertThat(process.exitValue()).isEqualTo(INTERRUPTED);
    } finally {
      process.destroyForcibly();
    }
    assertThat(Database.verify(db()).problems()).isEmpty();
    int rows = 0;
    try (Database database = Database.open(db());
        ResultScanner scanner = database.table("t").scan(new Scan())) {
      for (Result row : scanner) {
        assertThat(row.row())
            .isEqualTo(String.format(Locale.ROOT, "row%07d", rows).getBytes(US_ASCII));
        rows++;
      }
    }
    assertThat(rows).as("what was printed is there").isGreaterThan(1000);
  }
}
