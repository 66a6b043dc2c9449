// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.Distribution;
import io.accordiondb.bench.paper.Claim.Bound;
import java.util.List;

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
    return List.of(
        run(setting, setting.host().none()), basic(setting, SHORT), basic(setting, LONG));
  }

  @Override
  public Section section(PaperSetting setting, PaperResults results) {
    PaperRun none = run(setting, setting.host().none());
    LatencyTable table = new LatencyTable(results, title());
    table.add(setting.host().none().name(), none, none);
    table.add(setting.host().basic().name() + " S=" + SHORT, basic(setting, SHORT), none);
    table.add(setting.host().basic().name() + " S=" + LONG, basic(setting, LONG), none);
    return table.section(
        List.of(
            new Claim(
                "Median latency of scans under BASIC with S=2 over NONE's",
                PaperNumbers.SCANS_SHORT_PIPELINE,
                Bound.AT_MOST,
                LatencyTable.ratio(results, basic(setting, SHORT), none, 50)),
            new Claim(
                "With S=5",
                PaperNumbers.SCANS_LONG_PIPELINE,
                Bound.AT_MOST,
                LatencyTable.ratio(results, basic(setting, LONG), none, 50)),
            new Claim(
                "99th percentile with S=5",
                PaperNumbers.SCANS_LONG_PIPELINE,
                Bound.AT_MOST,
                LatencyTable.ratio(results, basic(setting, LONG), none, 99))),
        "");
  }
}
