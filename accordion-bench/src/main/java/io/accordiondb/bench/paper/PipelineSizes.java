// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.Distribution;
import io.accordiondb.bench.paper.Claim.Bound;
import io.accordiondb.bench.report.LineChart;
import io.accordiondb.bench.report.ReportTable;
import io.accordiondb.bench.report.Spread;
import java.util.ArrayList;
import java.util.List;

/** Figure 12: BASIC with longer and longer pipelines. */
final class PipelineSizes implements Experiment {
  private static final int SEGMENTS_MAX = 6;

  @Override
  public String name() {
    return "fig12";
  }

  @Override
  public String title() {
    return "Figure 12: throughput by the pipeline's segments S";
  }

  private static PaperRun run(PaperSetting setting, int segments, Disk disk) {
    return setting.write(
        setting.host().basic().withPipelineSegmentsMax(segments), Distribution.ZIPFIAN, disk);
  }

  @Override
  public List<PaperRun> runs(PaperSetting setting) {
    List<PaperRun> runs = new ArrayList<>();
    for (Disk disk : setting.disks()) {
      for (int segments = 1; segments <= SEGMENTS_MAX; segments++) {
        runs.add(run(setting, segments, disk));
      }
    }
    return runs;
  }

  @Override
  public Section section(PaperSetting setting, PaperResults results) {
    List<String> header = new ArrayList<>(List.of("zipfian, A=0.02, rows a second"));
    setting.disks().forEach(disk -> header.add(disk.label()));
    ReportTable table = new ReportTable(header);
    for (int segments = 1; segments <= SEGMENTS_MAX; segments++) {
      List<String> cells = new ArrayList<>(List.of("S=" + segments));
      for (Disk disk : setting.disks()) {
        cells.add(
            FigureFormat.whole(
                results.spread(run(setting, segments, disk), RunFigures::rowsPerSecond)));
      }
      table.row(cells);
    }
    LineChart chart = new LineChart(title(), "S", "rows a second").fromZero();
    List<Claim> claims = new ArrayList<>();
    for (Disk disk : setting.disks()) {
      double[] lengths = new double[SEGMENTS_MAX];
      double[] medians = new double[SEGMENTS_MAX];
      int best = 0;
      for (int i = 0; i < SEGMENTS_MAX; i++) {
        lengths[i] = i + 1;
        medians[i] = results.spread(run(setting, i + 1, disk), RunFigures::rowsPerSecond).median();
        best = medians[i] > medians[best] ? i : best;
      }
      chart.line(disk.label(), lengths, medians);
      claims.add(
          new Claim(
              "S of the highest throughput, " + disk.label(),
              disk == Disk.HDD ? PaperNumbers.BEST_SEGMENTS_HDD : PaperNumbers.BEST_SEGMENTS_SSD,
              Bound.BESIDE,
              Spread.of(lengths[best])));
    }
    return new Section(table, chart, claims, "");
  }
}
