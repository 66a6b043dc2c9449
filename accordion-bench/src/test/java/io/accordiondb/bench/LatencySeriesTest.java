// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.accordiondb.bench.BenchResult.LatencyPoint;
import java.util.List;
import org.junit.jupiter.api.Test;

class LatencySeriesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MAX = 60 * SECOND;

  @Test
  void aPauseShowsInItsInterval() {
    LatencySeries series = new LatencySeries(MAX);
    for (int i = 0; i < 1000; i++) {
      series.record(SECOND + i * 10_000_000L, 1000);
    }
    series.record(SECOND + 5 * SECOND + 1, 400_000_000);
    List<LatencyPoint> points = series.points();
    assertThat(points).hasSize(40);
    assertThat(points.get(0).p50()).isCloseTo(1, within(0.1));
    assertThat(points).allSatisfy(point -> assertThat(point.perSecond()).isBetween(95.0, 110.0));
    List<LatencyPoint> slow = points.stream().filter(point -> point.max() > 1000).toList();
    assertThat(slow).hasSize(1);
    assertThat(slow.get(0).seconds()).isCloseTo(5, within(0.26));
  }

  @Test
  void longRunsHaveLongerIntervalsAndLoseNothing() {
    LatencySeries series = new LatencySeries(MAX);
    for (int second = 0; second < 3600; second++) {
      series.record(second * SECOND, 1000 + second);
    }
    List<LatencyPoint> points = series.points();
    assertThat(points).hasSizeBetween(100, LatencySeries.INTERVALS_MAX);
    assertThat(points.get(points.size() - 1).max()).isCloseTo(4.6, within(0.5));
    assertThat(points.get(points.size() - 1).seconds()).isCloseTo(3600, within(40.0));
  }

  @Test
  void threadsAreAddedWhereTheyWereInTime() {
    LatencySeries early = new LatencySeries(MAX);
    early.record(SECOND, 1000);
    early.record(3 * SECOND, 1000);
    LatencySeries late = new LatencySeries(MAX);
    late.record(2 * SECOND, 9_000_000);
    LatencySeries sum = new LatencySeries(MAX);
    sum.add(early);
    sum.add(late);
    assertThat(sum.points()).hasSize(3);
    assertThat(sum.points().get(1).max()).isCloseTo(9000, within(900.0));
  }

  @Test
  void ratesOfThreadsAreAddedWhereverTheirIntervalsBegin() {
    LatencySeries sum = new LatencySeries(MAX);
    for (int thread = 0; thread < 3; thread++) {
      LatencySeries own = new LatencySeries(MAX);
      for (int i = 0; i < 1000; i++) {
        own.record((3 - thread) * 1_000_000L + i * 10_000_000L, 1000);
      }
      sum.add(own);
    }
    assertThat(sum.points())
        .hasSize(40)
        .allSatisfy(point -> assertThat(point.perSecond()).isBetween(285.0, 330.0));
  }

  @Test
  void theLastIntervalEndsWithTheLastOperation() {
    LatencySeries series = new LatencySeries(MAX);
    for (int i = 1; i <= 35; i++) {
      series.record(i * 10_000_000L, 10_000_000);
    }
    List<LatencyPoint> points = series.points();
    assertThat(points).hasSize(2);
    assertThat(points.get(1).perSecond()).isCloseTo(100, within(20.0));
  }

  @Test
  void nothingRecordedHasNoPoints() {
    assertThat(new LatencySeries(MAX).points()).isEmpty();
  }
}
