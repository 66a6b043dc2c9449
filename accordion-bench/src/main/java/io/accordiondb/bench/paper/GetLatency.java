// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.Distribution;
import io.accordiondb.bench.paper.Claim.Bound;
import java.util.ArrayList;
import java.util.List;

/** Figure 9: latency of gets beside heavy writing. */
final class GetLatency implements Experiment {
  @Override
  public String name() {
    return "fig9";
  }

  @Override
  public String title() {
    return "Figure 9: latency of gets under heavy writes, over NONE's";
  }

  private static List<Variant> variants(PaperSetting setting) {
    Host host = setting.host();
    return List.of(host.none(), host.basic(), host.adaptive());
  }

  private static PaperRun run(PaperSetting setting, Variant variant, Disk disk) {
    return setting.run(variant, PaperRun.Workload.READ_WRITE, Distribution.ZIPFIAN, disk);
  }

  @Override
  public List<PaperRun> runs(PaperSetting setting) {
    List<PaperRun> runs = new ArrayList<>();
    for (Disk disk : setting.disks()) {
      variants(setting).forEach(variant -> runs.add(run(setting, variant, disk)));
    }
    return runs;
  }

  @Override
  public Section section(PaperSetting setting, PaperResults results) {
    LatencyTable table = new LatencyTable(results, title());
    List<Claim> claims = new ArrayList<>();
    for (Disk disk : setting.disks()) {
      PaperRun none = run(setting, setting.host().none(), disk);
      for (Variant variant : variants(setting)) {
        table.add(variant.name() + ", " + disk.label(), run(setting, variant, disk), none);
      }
      PaperRun adaptive = run(setting, setting.host().adaptive(), disk);
      claims.add(
          disk == Disk.HDD
              ? new Claim(
                  "99th percentile of gets under ADAPTIVE over NONE's, " + disk.label(),
                  PaperNumbers.GETS_TAIL_HDD,
                  Bound.AT_MOST,
                  LatencyTable.ratio(results, adaptive, none, 99))
              : new Claim(
                  "95th percentile of gets under ADAPTIVE over NONE's, " + disk.label(),
                  PaperNumbers.GETS_P95_SSD,
                  Bound.AT_MOST,
                  LatencyTable.ratio(results, adaptive, none, 95)));
    }
    return table.section(
        claims, "Writers write as fast as they can, so a faster one leaves readers less.");
  }
}
