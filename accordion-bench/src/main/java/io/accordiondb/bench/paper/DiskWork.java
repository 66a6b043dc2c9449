// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.Distribution;
import io.accordiondb.bench.paper.Claim.Bound;
import io.accordiondb.bench.report.BarChart;
import io.accordiondb.bench.report.ReportTable;
import java.util.ArrayList;
import java.util.List;

/** Table 2: how many flushes and compactions, with zipfian keys. */
final class DiskWork implements Experiment {
  @Override
  public String name() {
    return "table2";
  }

  @Override
  public String title() {
    return "Table 2: flushes and compactions";
  }

  @Override
  public List<PaperRun> runs(PaperSetting setting) {
    return zipfianWrites(setting);
  }

  /** Returns write-only runs with zipfian keys under all policies on all disks. */
  static List<PaperRun> zipfianWrites(PaperSetting setting) {
    List<PaperRun> runs = new ArrayList<>();
    for (Disk disk : setting.disks()) {
      for (Variant variant : setting.host().policies()) {
        runs.add(setting.write(variant, Distribution.ZIPFIAN, disk));
      }
    }
    return runs;
  }

  private static double flushes(RunFigures figures) {
    return figures.engine().flushes();
  }

  private static double compactions(RunFigures figures) {
    return figures.engine().compactions();
  }

  @Override
  public Section section(PaperSetting setting, PaperResults results) {
    List<String> header = new ArrayList<>(List.of("zipfian"));
    List<String> groups = new ArrayList<>();
    for (Disk disk : setting.disks()) {
      groups.add("flushes, " + disk.label());
      groups.add("compactions, " + disk.label());
    }
    header.addAll(groups);
    ReportTable table = new ReportTable(header);
    BarChart chart = new BarChart(title(), "number");
    for (Variant variant : setting.host().policies()) {
      List<String> cells = new ArrayList<>(List.of(variant.name()));
      double[] medians = new double[groups.size()];
      int column = 0;
      for (Disk disk : setting.disks()) {
        PaperRun run = setting.write(variant, Distribution.ZIPFIAN, disk);
        cells.add(FigureFormat.whole(results.spread(run, DiskWork::flushes)));
        cells.add(FigureFormat.whole(results.spread(run, DiskWork::compactions)));
        medians[column++] = results.spread(run, DiskWork::flushes).median();
        medians[column++] = results.spread(run, DiskWork::compactions).median();
      }
      table.row(cells);
      chart.bars(variant.name(), groups, medians);
    }
    PaperNumbers.TABLE_2.forEach(
        (policy, work) -> {
          List<String> cells = new ArrayList<>(List.of("the paper's " + policy));
          for (Disk disk : setting.disks()) {
            cells.add(FigureFormat.whole(work.flushes(disk)));
            cells.add(FigureFormat.whole(work.compactions(disk)));
          }
          table.row(cells);
        });
    return new Section(
        table,
        chart,
        claims(setting, results),
        "The paper counts over fifty stores; only the ratios compare.");
  }

  private static List<Claim> claims(PaperSetting setting, PaperResults results) {
    List<Claim> claims = new ArrayList<>();
    for (Disk disk : setting.disks()) {
      PaperRun none = setting.write(setting.host().none(), Distribution.ZIPFIAN, disk);
      PaperRun basic = setting.write(setting.host().basic(), Distribution.ZIPFIAN, disk);
      PaperRun adaptive = setting.write(setting.host().adaptive(), Distribution.ZIPFIAN, disk);
      claims.add(
          new Claim(
              "Flushes of ADAPTIVE (R=0.2) over NONE, " + disk.label(),
              PaperNumbers.flushes(PaperNumbers.ADAPTIVE, disk),
              Bound.AT_MOST,
              results.ratio(adaptive, none, DiskWork::flushes)));
      claims.add(
          new Claim(
              "Compactions",
              PaperNumbers.compactions(PaperNumbers.ADAPTIVE, disk),
              Bound.AT_MOST,
              results.ratio(adaptive, none, DiskWork::compactions)));
      claims.add(
          new Claim(
              "Flushes of BASIC over NONE, " + disk.label(),
              PaperNumbers.flushes(PaperNumbers.BASIC, disk),
              Bound.AT_MOST,
              results.ratio(basic, none, DiskWork::flushes)));
      claims.add(
          new Claim(
              "Compactions",
              PaperNumbers.compactions(PaperNumbers.BASIC, disk),
              Bound.AT_MOST,
              results.ratio(basic, none, DiskWork::compactions)));
    }
    return claims;
  }
}
