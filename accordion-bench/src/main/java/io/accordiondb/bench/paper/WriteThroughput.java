// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.Distribution;
import io.accordiondb.bench.paper.Claim.Bound;
import io.accordiondb.bench.report.BarChart;
import io.accordiondb.bench.report.ReportTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Table 1: writes a second under NONE and BASIC. */
final class WriteThroughput implements Experiment {
  /** A column of the table. */
  record Case(Distribution distribution, Disk disk) {
    static List<Case> of(PaperSetting setting) {
      List<Case> cases = new ArrayList<>();
      for (Distribution distribution : List.of(Distribution.ZIPFIAN, Distribution.UNIFORM)) {
        setting.disks().forEach(disk -> cases.add(new Case(distribution, disk)));
      }
      return cases;
    }

    String label() {
      return distribution.name().toLowerCase(Locale.ROOT) + ", " + disk.label();
    }
  }

  @Override
  public String name() {
    return "table1";
  }

  @Override
  public String title() {
    return "Table 1: write throughput under BASIC and without";
  }

  private static List<Variant> variants(PaperSetting setting) {
    return List.of(setting.host().none(), setting.host().basic());
  }

  @Override
  public List<PaperRun> runs(PaperSetting setting) {
    return runs(setting, variants(setting));
  }

  static List<PaperRun> runs(PaperSetting setting, List<Variant> variants) {
    List<PaperRun> runs = new ArrayList<>();
    for (Case column : Case.of(setting)) {
      for (Variant variant : variants) {
        runs.add(setting.write(variant, column.distribution(), column.disk()));
      }
    }
    return runs;
  }

  @Override
  public Section section(PaperSetting setting, PaperResults results) {
    List<Case> cases = Case.of(setting);
    List<String> header = new ArrayList<>(List.of("rows written a second"));
    cases.forEach(column -> header.add(column.label()));
    ReportTable table = new ReportTable(header);
    BarChart chart = new BarChart(title(), "rows a second");
    for (Variant variant : variants(setting)) {
      List<String> cells = new ArrayList<>(List.of(variant.name()));
      double[] medians = new double[cases.size()];
      for (int i = 0; i < medians.length; i++) {
        PaperRun run = setting.write(variant, cases.get(i).distribution(), cases.get(i).disk());
        cells.add(FigureFormat.whole(results.spread(run, RunFigures::rowsPerSecond)));
        medians[i] = results.spread(run, RunFigures::rowsPerSecond).median();
      }
      table.row(cells);
      chart.bars(variant.name(), cases.stream().map(Case::label).toList(), medians);
    }
    PaperNumbers.TABLE_1.forEach(
        (policy, throughput) -> {
          List<String> cells = new ArrayList<>(List.of("the paper's " + policy));
          cases.forEach(
              column ->
                  cells.add(
                      FigureFormat.whole(throughput.of(column.distribution(), column.disk()))));
          table.row(cells);
        });
    return new Section(table, chart, claims(setting, results), "");
  }

  /** Returns BASIC over NONE in each column. */
  static List<Claim> claims(PaperSetting setting, PaperResults results) {
    List<Claim> claims = new ArrayList<>();
    for (Case column : Case.of(setting)) {
      Distribution distribution = column.distribution();
      Disk disk = column.disk();
      claims.add(
          new Claim(
              "Throughput of BASIC over NONE, " + column.label(),
              PaperNumbers.basicThroughput(distribution, disk),
              Bound.AT_LEAST,
              results.ratio(
                  setting.write(setting.host().basic(), distribution, disk),
                  setting.write(setting.host().none(), distribution, disk),
                  RunFigures::rowsPerSecond)));
    }
    return claims;
  }
}
