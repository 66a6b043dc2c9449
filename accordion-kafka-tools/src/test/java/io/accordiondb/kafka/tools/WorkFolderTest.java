// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import static io.accordiondb.fixtures.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a measurement leaves behind when it is interrupted. */
@Tag("slow")
class WorkFolderTest {
  private static final List<String> QUICK_START = List.of("-Xmx64m", "-XX:TieredStopAtLevel=1");

  @TempDir Path folder;

  /** Measures: has a folder, and a process that writes into it. */
  static final class Measurement {
    private Measurement() {}

    public static void main(String[] arguments) throws Exception {
      try (WorkFolder work = WorkFolder.create();
          JavaProcess writer =
              JavaProcess.start(
                  work.path().resolve("log"),
                  QUICK_START,
                  Writer.class.getName(),
                  work.path().toString(),
                  arguments[0])) {
        new CountDownLatch(writer.isAlive() ? 1 : 0).await();
      }
    }
  }

  /** Writes files until it is killed. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] arguments) throws IOException {
      Path written = Path.of(arguments[0]);
      for (long i = 0; ; i++) {
        Files.writeString(written.resolve("file" + i), "x");
        if (i == 10) {
          Path begun = Path.of(arguments[1]);
          Path whole = begun.resolveSibling("whole");
          Files.writeString(whole, ProcessHandle.current().pid() + " " + written);
          Files.move(whole, begun);
        }
      }
    }
  }

  /** Starts a process when it ends, as a measurement may that is interrupted just then. */
  static final class LateMeasurement {
    private LateMeasurement() {}

    public static void main(String[] arguments) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> measure(Path.of(arguments[0]))));
    }

    private static void measure(Path folder) {
      try {
        JavaProcess.start(
            folder.resolve("writer"),
            QUICK_START,
            Writer.class.getName(),
            folder.toString(),
            folder.resolve("begun").toString());
      } catch (IllegalStateException | IOException e) {
        await("no process is left", () -> ProcessHandle.current().children().findAny().isEmpty());
        System.out.println("no process is left: " + e.getMessage());
      }
    }
  }

  @Test
  void noProcessIsLeftThatStartsWhileTheJvmEnds() throws Exception {
    Path log = folder.resolve("log");
    try (JavaProcess measurement =
        JavaProcess.start(log, QUICK_START, LateMeasurement.class.getName(), folder.toString())) {
      assertThat(measurement.waitFor()).isZero();
    }
    assertThat(log).content().contains("no process is left: Shutdown in progress");
  }

  @Test
  void interruptedMeasurementLeavesNoFolderAndNoProcess() throws Exception {
    Path begun = folder.resolve("begun");
    try (JavaProcess measurement =
        JavaProcess.start(
            folder.resolve("log"), QUICK_START, Measurement.class.getName(), begun.toString())) {
      await("the writer", () -> Files.exists(begun));
    }
    String[] written = Files.readString(begun).split(" ");
    assertThat(ProcessHandle.of(Long.parseLong(written[0])).filter(ProcessHandle::isAlive))
        .as("process of the writer")
        .isEmpty();
    assertThat(Path.of(written[1])).doesNotExist();
  }
}
