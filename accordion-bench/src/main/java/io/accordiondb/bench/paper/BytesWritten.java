// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.Distribution;
import io.accordiondb.bench.paper.Claim.Bound;
import io.accordiondb.bench.report.BarChart;
import io.accordiondb.bench.report.ReportTable;
import java.util.ArrayList;
import java.util.List;

/** Figure 6: bytes written by flushes and compactions, with zipfian keys. */
final class BytesWritten implements Experiment {
  @Override
  public String name() {
    return "fig6";
  }

  @Override
  public String title() {
    return "Figure 6: bytes written by flushes and compactions";
  }

  @Override
  public List<PaperRun> runs(PaperSetting setting) {
    return DiskWork.zipfianWrites(setting);
  }

  private static double logShare(RunFigures figures) {
    double log = figures.engine().bytesLogged();
    return log / (log + figures.bytesWritten());
  }

  @Override
  public Section section(PaperSetting setting, PaperResults results) {
    ReportTable table =
        new ReportTable("MB, zipfian", "flushes", "compactions", "both", "both, NONE = 1", "log");
    List<String> names = new ArrayList<>();
    List<Double> flushed = new ArrayList<>();
    List<Double> compacted = new ArrayList<>();
    List<Claim> claims = new ArrayList<>();
    for (Disk disk : setting.disks()) {
      PaperRun none = setting.write(setting.host().none(), Distribution.ZIPFIAN, disk);
      for (Variant variant : setting.host().policies()) {
        PaperRun run = setting.write(variant, Distribution.ZIPFIAN, disk);
        String name = variant.name() + (setting.disks().size() > 1 ? ", " + disk.label() : "");
        table.row(
            name,
            FigureFormat.megabytes(results.spread(run, figures -> figures.engine().bytesFlushed())),
            FigureFormat.megabytes(
                results.spread(run, figures -> figures.engine().bytesCompacted())),
            FigureFormat.megabytes(results.spread(run, RunFigures::bytesWritten)),
            FigureFormat.ratio(results.ratio(run, none, RunFigures::bytesWritten)),
            FigureFormat.megabytes(results.spread(run, figures -> figures.engine().bytesLogged())));
        names.add(name);
        flushed.add(results.spread(run, figures -> figures.engine().bytesFlushed()).median() / 1e6);
        compacted.add(
            results.spread(run, figures -> figures.engine().bytesCompacted()).median() / 1e6);
      }
      claims.addAll(claims(setting, results, disk, none));
    }
    BarChart chart =
        new BarChart(title(), "MB")
            .bars("flushes", names, array(flushed))
            .bars("compactions", names, array(compacted));
    return new Section(table, chart, claims, "");
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static List<Claim> claims(
      PaperSetting setting, PaperResults results, Disk disk, PaperRun none) {
    PaperRun basic = setting.write(setting.host().basic(), Distribution.ZIPFIAN, disk);
    PaperRun adaptive = setting.write(setting.host().adaptive(), Distribution.ZIPFIAN, disk);
    return List.of(
        new Claim(
            "Bytes written by ADAPTIVE (R=0.2) over NONE's, without the log, " + disk.label(),
            PaperNumbers.ADAPTIVE_BYTES,
            Bound.AT_MOST,
            results.ratio(adaptive, none, RunFigures::bytesWritten)),
        new Claim(
            "By BASIC over NONE's",
            disk == Disk.HDD ? PaperNumbers.BASIC_BYTES_HDD : PaperNumbers.BASIC_BYTES_SSD,
            Bound.AT_MOST,
            results.ratio(basic, none, RunFigures::bytesWritten)),
        new Claim(
            "The log's share under NONE",
            PaperNumbers.LOG_SHARE,
            Bound.BESIDE,
            results.spread(none, BytesWritten::logShare)));
  }
}
