// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;

/**
 * Runs test classes of HBase's own jar as they are, each in a process of its own, as they expect.
 * The configuration on their class path names our class for all tables; each run must have opened
 * stores of ours.
 */
@Tag("hbase-tests")
class HBaseOwnTestsTest {
  private static final String PACKAGE = "org.apache.hadoop.hbase.regionserver.";
  private static final int MINUTES_MAX = 15;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TestAtomicOperation",
        "TestScanner",
        "TestColumnSeeking",
        "TestRegionIncrement",
        "TestParallelPut",
        "TestMinVersions",
        "TestBulkLoad",
        "TestSeekOptimizations",
        "TestMultiColumnScannerWithAlgoGZAndNoDataEncoding",
        "TestMultiColumnScannerWithAlgoGZAndUseDataEncoding",
        "TestMultiColumnScannerWithNoneAndNoDataEncoding",
        "TestMultiColumnScannerWithNoneAndUseDataEncoding",
        "TestTags",
        "TestKeepDeletes",
        "TestReversibleScanners",
        "TestWideScanner",
        "TestRowTooBig"
      })
  void passesWithOurMemoryStore(String name) throws IOException, InterruptedException {
    Path folder = Path.of("target", "hbase-tests", name);
    Files.createDirectories(folder);
    Path output = folder.resolve("output.txt");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (!option.startsWith("-javaagent")) {
        command.add(option);
      }
    }
    command.add("-cp");
    command.add(classPath());
    command.add(Run.class.getName());
    command.add(PACKAGE + name);
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)).as("ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as("exit code; the output is in " + output).isZero();
  }

  /** Returns the class path with absolute folders, since the process has a folder of its own. */
  private static String classPath() {
    String paths =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> absolute = new ArrayList<>();
    for (String path : paths.split(File.pathSeparator)) {
      absolute.add(new File(path).getAbsolutePath());
    }
    return String.join(File.pathSeparator, absolute);
  }

  /** Runs one class and exits with 0 if all passed with stores of ours. */
  static final class Run {
    private Run() {}

    public static void main(String[] args) throws ClassNotFoundException {
      Result result = JUnitCore.runClasses(Class.forName(args[0]));
      for (Failure failure : result.getFailures()) {
        System.out.println("FAILED " + failure.getTestHeader() + ": " + failure.getTrace());
      }
      System.out.println(
          args[0]
              + ": "
              + result.getRunCount()
              + " tests, "
              + result.getFailureCount()
              + " failed, "
              + result.getIgnoreCount()
              + " ignored; "
              + OpenStores.opened()
              + " stores of ours were opened");
      boolean passed = result.wasSuccessful() && result.getRunCount() > 0;
      Runtime.getRuntime().halt(passed && OpenStores.opened() > 0 ? 0 : 1);
    }
  }
}
