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
      for (Variant variant : variants(setting)) {
        PaperRun run = run(setting, variant, disk);
        runs.add(run);
        runs.add(run.paced());
      }
    }
    return runs;
  }

  @Override
  public Section section(PaperSetting setting, PaperResults results) {
    LatencyTable table = new LatencyTable(results, title());
    List<Claim> claims = new ArrayList<>();
    for (Disk disk : setting.disks()) {
      PaperRun none = run(setting, setting.host().none(), disk);
      PaperRun adaptive = run(setting, setting.host().adaptive(), disk);
      for (Variant variant : variants(setting)) {
        table.add(variant.name() + ", " + disk.label(), run(setting, variant, disk), none);
      }
      claims.add(claim(results, disk, "", adaptive, none));
      String pace = LatencyTable.pace(none.paced(), "rows");
      for (Variant variant : variants(setting)) {
        table.add(
            variant.name() + ", " + disk.label() + pace,
            run(setting, variant, disk).paced(),
            none.paced());
      }
      claims.add(claim(results, disk, pace, adaptive.paced(), none.paced()));
    }
    return table.section(
        claims,
        "Where no rate is given writers write as fast as they can, so a faster one leaves readers"
            + " less.");
  }

  private static Claim claim(
      PaperResults results, Disk disk, String pace, PaperRun adaptive, PaperRun none) {
    boolean hdd = disk == Disk.HDD;
    int percentile = hdd ? 99 : 95;
    return new Claim(
        percentile + "th percentile of gets under ADAPTIVE over NONE's, " + disk.label() + pace,
        hdd ? PaperNumbers.GETS_TAIL_HDD : PaperNumbers.GETS_P95_SSD,
        Bound.AT_MOST,
        LatencyTable.ratio(results, adaptive, none, percentile));
  }
}
