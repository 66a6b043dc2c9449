// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.Distribution;
import io.accordiondb.bench.paper.Claim.Bound;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Figure 10: latency of scans with a short and a long pipeline. */
final class ScanLatency implements Experiment {
  private static final int SHORT = 2;
  private static final int LONG = 5;

  @Override
  public String name() {
    return "fig10";
  }

  @Override
  public String title() {
    return "Figure 10: latency of scans, over NONE's";
  }

  private static PaperRun run(PaperSetting setting, Variant variant) {
    return setting.run(
        variant, PaperRun.Workload.SCAN_WRITE, Distribution.ZIPFIAN, setting.firstDisk());
  }

  private static PaperRun basic(PaperSetting setting, int segments) {
    return run(setting, setting.host().basic().withPipelineSegmentsMax(segments));
  }

  @Override
  public List<PaperRun> runs(PaperSetting setting) {
    return Stream.of(
            run(setting, setting.host().none()), basic(setting, SHORT), basic(setting, LONG))
        .flatMap(run -> Stream.of(run, run.paced()))
        .toList();
  }

  @Override
  public Section section(PaperSetting setting, PaperResults results) {
    LatencyTable table = new LatencyTable(results, title());
    List<Claim> claims = new ArrayList<>();
    PaperRun paced = run(setting, setting.host().none()).paced();
    add(setting, results, UnaryOperator.identity(), "", table, claims);
    add(setting, results, PaperRun::paced, LatencyTable.pace(paced, "operations"), table, claims);
    return table.section(claims, "");
  }

  private static void add(
      PaperSetting setting,
      PaperResults results,
      UnaryOperator<PaperRun> at,
      String pace,
      LatencyTable table,
      List<Claim> claims) {
    Host host = setting.host();
    PaperRun none = at.apply(run(setting, host.none()));
    PaperRun withFew = at.apply(basic(setting, SHORT));
    PaperRun withMany = at.apply(basic(setting, LONG));
    table.add(host.none().name() + pace, none, none);
    table.add(host.basic().name() + " S=" + SHORT + pace, withFew, none);
    table.add(host.basic().name() + " S=" + LONG + pace, withMany, none);
    claims.add(
        new Claim(
            "Median latency of scans under BASIC with S=2 over NONE's" + pace,
            PaperNumbers.SCANS_SHORT_PIPELINE,
            Bound.AT_MOST,
            LatencyTable.ratio(results, withFew, none, 50)));
    claims.add(
        new Claim(
            "With S=5" + pace,
            PaperNumbers.SCANS_LONG_PIPELINE,
            Bound.AT_MOST,
            LatencyTable.ratio(results, withMany, none, 50)));
    claims.add(
        new Claim(
            "99th percentile with S=5" + pace,
            PaperNumbers.SCANS_LONG_PIPELINE,
            Bound.AT_MOST,
            LatencyTable.ratio(results, withMany, none, 99)));
  }
}
