// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.Durability;
import io.accordiondb.bench.Distribution;
import io.accordiondb.bench.paper.Claim.Bound;
import io.accordiondb.bench.report.BarChart;
import io.accordiondb.bench.report.ReportTable;
import io.accordiondb.bench.report.Spread;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Figure 8: BASIC with flat and serialised segments, on and off the heap, over NONE. */
final class SegmentForms implements Experiment {
  private static final double SERIALISED_ACTIVE_FRACTION = 0.1;

  @Override
  public String name() {
    return "fig8";
  }

  @Override
  public String title() {
    return "Figure 8: flat and serialised segments, on and off the heap";
  }

  @Override
  public boolean suits(Host host) {
    return host == Host.EMBEDDED;
  }

  /** The forms with what the paper says of each. */
  private static Map<Variant, PaperNumber> forms(PaperSetting setting) {
    Variant basic = setting.host().basic();
    Variant serialised = basic.withActiveFraction(SERIALISED_ACTIVE_FRACTION);
    Map<Variant, PaperNumber> forms = new LinkedHashMap<>();
    forms.put(
        form(basic, "flat, on heap", CellMemory.HEAP_CHUNKS, IndexKind.ARRAY),
        PaperNumbers.FLAT_HEAP);
    forms.put(
        form(basic, "flat, off heap", CellMemory.OFF_HEAP_CHUNKS, IndexKind.ARRAY),
        PaperNumbers.FLAT_OFF_HEAP);
    forms.put(
        form(serialised, "serialised, on heap", CellMemory.HEAP_CHUNKS, IndexKind.CHUNK),
        PaperNumbers.SERIALISED_HEAP);
    forms.put(
        form(serialised, "serialised, off heap", CellMemory.OFF_HEAP_CHUNKS, IndexKind.CHUNK),
        PaperNumbers.SERIALISED_OFF_HEAP);
    return forms;
  }

  private static Variant form(Variant basic, String name, CellMemory cells, IndexKind index) {
    return basic.named("BASIC, " + name).withLayout(SegmentLayout.of(cells, index));
  }

  /** With a log that is handed to the operating system before a write returns. */
  private static PaperRun run(PaperSetting setting, Variant variant) {
    return new PaperRun(
        variant.engine(),
        variant.policy(),
        variant.layout(),
        PaperRun.Workload.WRITE,
        Distribution.ZIPFIAN,
        setting.firstDisk(),
        Durability.SYNC,
        setting.size(),
        0);
  }

  @Override
  public List<PaperRun> runs(PaperSetting setting) {
    List<PaperRun> runs = new ArrayList<>();
    runs.add(run(setting, setting.host().none()));
    forms(setting).keySet().forEach(variant -> runs.add(run(setting, variant)));
    return runs;
  }

  @Override
  public Section section(PaperSetting setting, PaperResults results) {
    ReportTable table =
        new ReportTable(
            "zipfian, log SYNC", "rows a second", "NONE = 1", "the paper's", "ms in GC");
    PaperRun none = run(setting, setting.host().none());
    table.row(
        setting.host().none().name(),
        FigureFormat.whole(results.spread(none, RunFigures::rowsPerSecond)),
        "1",
        "1",
        FigureFormat.whole(results.spread(none, RunFigures::gcMillis)));
    List<Claim> claims = new ArrayList<>();
    List<String> names = new ArrayList<>();
    List<Double> ours = new ArrayList<>();
    List<Double> theirs = new ArrayList<>();
    forms(setting)
        .forEach(
            (variant, number) -> {
              PaperRun run = run(setting, variant);
              Spread ratio = results.ratio(run, none, RunFigures::rowsPerSecond);
              table.row(
                  variant.name(),
                  FigureFormat.whole(results.spread(run, RunFigures::rowsPerSecond)),
                  FigureFormat.ratio(ratio),
                  FigureFormat.ratio(number.value()),
                  FigureFormat.whole(results.spread(run, RunFigures::gcMillis)));
              claims.add(new Claim(variant.name() + ", over NONE", number, Bound.AT_LEAST, ratio));
              names.add(variant.name());
              ours.add(ratio.median());
              theirs.add(number.value());
            });
    BarChart chart =
        new BarChart(title(), "throughput, NONE = 1")
            .bars("here", names, ours.stream().mapToDouble(Double::doubleValue).toArray())
            .bars("paper", names, theirs.stream().mapToDouble(Double::doubleValue).toArray());
    return new Section(
        table,
        chart,
        claims,
        "Flat segments have A=0.02, serialised ones A=0.1, as in the paper; NONE has objects on the"
            + " heap in all comparisons.");
  }
}
