// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs HBase's own client tests from its jar, unmodified, against the embedded database, which
 * stands in for the mini cluster (see {@link org.apache.hadoop.hbase.HBaseTestingUtility}). Prints
 * for each class how many methods ran and passed, and which do not apply and why.
 *
 * <p>A class fails if another method fails than those of {@code open-defects.txt}, or one of those
 * passes. They count as failed all the same: of the methods that apply, nine in ten must pass.
 */
@Tag("slow")
class HBaseClientTestsTest {
  private static final double PASSED_MIN = 0.9;
  private static final Path TABLE = Path.of("target", "hbase-client-tests.txt");

  private static final MethodList NOT_APPLICABLE = new MethodList("/not-applicable.txt");
  private static final MethodList OPEN_DEFECTS = new MethodList("/open-defects.txt");
  private static final List<ClassResult> RESULTS = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "client.TestAppendFromClientSide",
        "client.TestAsyncTable",
        "client.TestCheckAndMutate",
        "client.TestGetScanPartialResult",
        "client.TestIncrementsFromClientSide",
        "client.TestMultipleTimestamps",
        "client.TestPutDeleteEtcCellIteration",
        "client.TestRawAsyncTableLimitedScanWithFilter",
        "client.TestRawAsyncTablePartialScan",
        "client.TestResult",
        "client.TestScannersFromClientSide2",
        "client.TestTimestampsFilter",
        "filter.TestFilterWrapper",
        "filter.TestFiltersWithBinaryComponentComparator",
        "filter.TestFuzzyRowAndColumnRangeFilter",
        "filter.TestFuzzyRowFilterEndToEnd",
        "filter.TestMultiRowRangeFilter",
        "filter.TestScanRowPrefix"
      })
  void passesInSeconds(String name) throws ClassNotFoundException {
    passes(name);
  }

  @Tag("hbase-client-tests")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "client.TestAdmin",
        "client.TestAdmin1",
        "client.TestAdmin2",
        "client.TestAdmin3",
        "client.TestAdmin4",
        "client.TestAsyncAdminMasterSwitch",
        "client.TestAsyncBufferMutator",
        "client.TestAsyncNamespaceAdminApi",
        "client.TestAsyncRegionAdminApi",
        "client.TestAsyncRegionAdminApi2",
        "client.TestAsyncSnapshotAdminApi",
        "client.TestAsyncTableAdminApi",
        "client.TestAsyncTableAdminApi2",
        "client.TestAsyncTableAdminApi3",
        "client.TestAsyncTableBatch",
        "client.TestAsyncTableGetMultiThreaded",
        "client.TestAsyncTableNoncedRetry",
        "client.TestAsyncTableRegionLocator",
        "client.TestAsyncTableScan",
        "client.TestAsyncTableScanAll",
        "client.TestAsyncTableScanException",
        "client.TestAsyncTableScanMetrics",
        "client.TestAsyncTableScanRenewLease",
        "client.TestAsyncTableScanner",
        "client.TestAsyncToolAdminApi",
        "client.TestClientTableMetrics",
        "client.TestFlushFromClient",
        "client.TestFromClientSide",
        "client.TestFromClientSide3",
        "client.TestFromClientSide4",
        "client.TestFromClientSide5",
        "client.TestFromClientSideNoCodec",
        "client.TestFromClientSideWithCoprocessor",
        "client.TestGetScanColumnsWithNewVersionBehavior",
        "client.TestIncrementFromClientSideWithCoprocessor",
        "client.TestLimitedScanWithFilter",
        "client.TestPutWithDelete",
        "client.TestRawAsyncTableScan",
        "client.TestRegionLocator",
        "client.TestResultFromCoprocessor",
        "client.TestResultSizeEstimation",
        "client.TestScannersFromClientSide",
        "client.TestServerLoadDurability",
        "client.TestSizeFailures",
        "client.TestSmallReversedScanner",
        "client.TestSnapshotCloneIndependence",
        "client.TestSnapshotFromClient",
        "client.TestSnapshotMetadata",
        "client.TestSnapshotWithTTLFromClient",
        "client.TestSplitOrMergeAtTableLevel",
        "client.TestSplitOrMergeStatus",
        "client.TestTableOperationException",
        "filter.TestColumnRangeFilter",
        "filter.TestFilterListOnMini",
        "filter.TestFilterListOrOperatorWithBlkCnt",
        "filter.TestFilterWithScanLimits",
        "filter.TestSeekHints"
      })
  void passes(String name) throws ClassNotFoundException {
    ClassResult result = ClassRun.run(name, NOT_APPLICABLE, OPEN_DEFECTS);
    RESULTS.add(result);
    TreeSet<String> open = new TreeSet<>(result.failed().keySet());
    open.removeIf(method -> OPEN_DEFECTS.reason(result.simpleName(), method).isEmpty());
    assertThat(result.failed().keySet())
        .as(() -> "failed:\n" + String.join("\n", result.failed().values()))
        .isEqualTo(open);
    assertThat(OPEN_DEFECTS.methods(result.simpleName()))
        .as("open defects of which the method passes or does not apply")
        .isEqualTo(open);
    assertThat(result.run()).as("methods").isPositive();
  }

  @AfterAll
  static void printAndCount() throws IOException {
    int passed = sum(ClassResult::passed);
    int failed = sum(result -> result.failed().size());
    int notApplicable = sum(result -> result.notApplicable().size());
    String table =
        RESULTS.stream()
            .map(result -> result.line() + "\n" + result.reasons() + result.defects())
            .collect(
                Collectors.joining(
                    "",
                    ClassResult.header() + "\n",
                    ClassResult.line(
                            "all", sum(ClassResult::run), passed, notApplicable, failed, millis())
                        + "\n"
                        + String.format(
                            "of the methods that apply %.1f%% pass%n",
                            100.0 * passed / (passed + failed))));
    System.out.print(table);
    Files.writeString(TABLE, table);
    assertThat((double) passed / (passed + failed)).isGreaterThanOrEqualTo(PASSED_MIN);
  }

  private static long millis() {
    return RESULTS.stream().mapToLong(ClassResult::millis).sum();
  }

  private static int sum(ToIntFunction<ClassResult> number) {
    return RESULTS.stream().mapToInt(number).sum();
  }
}
