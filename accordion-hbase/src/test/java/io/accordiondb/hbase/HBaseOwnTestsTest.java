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
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;

/**
 * Runs test classes of HBase's own jar as they are, each in a process of its own, as they expect.
 * The configuration on their class path names our class for all tables; each run must have opened
 * stores of ours. A test that casts the memory store to HBase's own class tests that class, and
 * does not count.
 */
@Tag("hbase-tests")
class HBaseOwnTestsTest {
  private static final String PACKAGE = "org.apache.hadoop.hbase.regionserver.";
  private static final int MINUTES_MAX = 15;

  /** What a test fails with that looks inside HBase's own memory store. */
  private static final Pattern LOOKS_INSIDE =
      Pattern.compile(
          "AccordionMemStore cannot be cast to class "
              + "org\\.apache\\.hadoop\\.hbase\\.regionserver\\.(Abstract|Default|Compacting)MemStore");

  /** Tests that are not ours to pass, and why. */
  private static final Map<String, String> NOT_OURS =
      Map.of(
          "testFlushSizeSizing", "wants the heap that a cell takes in HBase's own store",
          "testExtendsDefaultMemStore", "wants a class that extends HBase's own store",
          "testInMemoryCompactionTypeWithLowerCase", "turns HBase's in-memory compaction on",
          "testBatchPut_whileNoRowLocksHeld",
              "reads the count of log syncs while a sync may still be counting itself; of 20 runs 6"
                  + " fail with DefaultMemStore and 2 with CompactingMemStore",
          "testAtomicBatchPut", "reads the same count in the same way",
          "testWALClosureFailureAndCleanup",
              "reads the count of failed closings, which another thread may still have to do; beside"
                  + " busy processes 2 of 2 runs fail with DefaultMemStore");

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
        "TestRowTooBig",
        "TestHRegion",
        "TestHStore",
        "TestHMobStore",
        "TestGetClosestAtOrBefore",
        "TestHRegionReplayEvents",
        "TestBlocksRead",
        "TestResettingCounters",
        "TestScannerWithBulkload",
        "TestHRegionServerBulkLoad",
        "wal.TestFSHLog"
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
      int failed = 0;
      for (Failure failure : result.getFailures()) {
        String excuse = excuse(failure);
        if (excuse == null) {
          failed++;
        }
        System.out.println(
            (excuse == null ? "FAILED " : "not ours, " + excuse + ": ")
                + failure.getTestHeader()
                + ": "
                + failure.getTrace());
      }
      System.out.println(
          args[0]
              + ": "
              + result.getRunCount()
              + " tests, "
              + failed
              + " failed, "
              + (result.getFailureCount() - failed)
              + " not ours, "
              + result.getIgnoreCount()
              + " ignored; "
              + OpenStores.opened()
              + " stores of ours were opened");
      boolean passed = failed == 0 && result.getRunCount() > result.getFailureCount();
      Runtime.getRuntime().halt(passed && OpenStores.opened() > 0 ? 0 : 1);
    }

    /** Returns why a test need not pass, or null. */
    private static @Nullable String excuse(Failure failure) {
      String method = failure.getDescription().getMethodName();
      if (method != null && NOT_OURS.containsKey(method)) {
        return NOT_OURS.get(method);
      }
      return LOOKS_INSIDE.matcher(failure.getTrace()).find()
          ? "looks inside HBase's own memory store"
          : null;
    }
  }
}
