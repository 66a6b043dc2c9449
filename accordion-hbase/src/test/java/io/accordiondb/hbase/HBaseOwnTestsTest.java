// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;

/**
 * Runs test classes of HBase's own jar as they are. The configuration of the test class path names
 * our class for all tables; each run must have opened stores of ours.
 */
@Tag("hbase-tests")
class HBaseOwnTestsTest {
  private static final String PACKAGE = "org.apache.hadoop.hbase.regionserver.";

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
        "TestHRegion",
        "TestReversibleScanners",
        "TestStoreScanner",
        "TestWideScanner",
        "TestRowTooBig",
        "TestRecoveredEdits"
      })
  void passesWithOurMemoryStore(String name) throws ClassNotFoundException {
    Class<?> test = Class.forName(PACKAGE + name);
    long openedBefore = OpenStores.opened();
    Result result = JUnitCore.runClasses(test);
    assertThat(
            result.getFailures().stream()
                .map(failure -> failure.getTestHeader() + ": " + failure.getTrace())
                .collect(Collectors.joining("\n")))
        .isEmpty();
    assertThat(result.getRunCount()).isPositive();
    assertThat(OpenStores.opened())
        .as("stores of ours opened by " + name)
        .isGreaterThan(openedBefore);
    System.out.println(
        name
            + ": "
            + result.getRunCount()
            + " tests, "
            + result.getIgnoreCount()
            + " ignored, "
            + (OpenStores.opened() - openedBefore)
            + " stores");
  }
}
