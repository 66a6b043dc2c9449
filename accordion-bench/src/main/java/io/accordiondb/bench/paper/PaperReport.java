// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.OverTimeCharts;
import io.accordiondb.bench.report.HtmlReport;
import io.accordiondb.bench.report.ReportTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Writes the reports of experiments to a folder. Not thread-safe. */
public final class PaperReport {
  /** The folder of the plots, as documents refer to it. */
  private static final String PLOTS = "plots/paper/";

  private final Path folder;
  private final PaperSetting setting;
  private final PaperResults results;
  private final HtmlReport page;
  private final List<String> markdown = new ArrayList<>();

  /** Begins a report; the folder is created when something is written. */
  public PaperReport(Path folder, PaperSetting setting, PaperResults results) {
    this.folder = folder;
    this.setting = setting;
    this.results = results;
    this.page =
        new HtmlReport("The Accordion paper's evaluation")
            .paragraph(
                "Section 4 of \"Accordion: Better Memory Organization for LSM Key-Value Stores\""
                    + " (PVLDB 2018), run again. Figures are medians of rounds that alternate"
                    + " between the variants, with the lowest and the highest; ratios are medians"
                    + " of the rounds' ratios.")
            .lines(settingLines(setting));
  }

  /** Returns the setting of the experiments as lines of text. */
  public static List<String> settingLines(PaperSetting setting) {
    WorkSize size = setting.size();
    List<String> lines = new ArrayList<>();
    lines.add(
        FigureFormat.format(
            "%s: %,d keys, %,d writes of 4 x 25 bytes, %d region(s), %d thread(s)",
            setting.host(), size.keys(), size.writes(), size.regions(), size.threads()));
    lines.add(
        FigureFormat.format(
            "memory %.1f MB (and a store that is being flushed), block cache %.1f MB, heap %.0f MB",
            size.memoryBytes() / 1e6, size.cacheBytes() / 1e6, size.heapBytes() / 1e6));
    lines.add(
        "disks: " + setting.disks().stream().map(Disk::label).collect(Collectors.joining(", ")));
    lines.add(
        FigureFormat.format(
            "Java %s, %d processors, %s",
            Runtime.version(),
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name")));
    return lines;
  }

  /**
   * Writes an experiment's files: {@code NAME.csv} with the figures, {@code NAME-runs.csv} with
   * every round, {@code NAME.svg}, {@code NAME.png}, {@code latency-over-time-NAME} and {@code
   * rate-over-time-NAME} as SVG and as PNG, and {@code NAME.md}; and adds it to the page.
   */
  public Section add(Experiment experiment) throws IOException {
    Section section = experiment.section(setting, results);
    String name = experiment.name();
    List<PaperRun> runs = experiment.runs(setting);
    ReportTable rounds = RunTable.of(runs, results);
    OverTimeCharts overTime = RunsOverTime.of(name, runs, results);
    Files.createDirectories(folder);
    Files.write(folder.resolve(name + ".csv"), section.table().csv());
    Files.write(folder.resolve(name + "-runs.csv"), rounds.csv());
    section.chart().write(folder, name);
    List<String> lines = markdown(experiment, section);
    if (!overTime.isEmpty()) {
      overTime.write(folder, name);
      lines.add("");
      lines.add(plot(name + " over time", OverTimeCharts.latencyFile(name)));
    }
    Files.write(folder.resolve(name + ".md"), lines);
    markdown.addAll(lines);
    markdown.add("");
    page.heading(experiment.title())
        .chart(section.chart())
        .table(section.table())
        .paragraph(section.paragraph());
    if (!overTime.isEmpty()) {
      page.subheading("Over time");
      page.paragraph(
          "Gets or scans, or batches of rows where all that is done is to write; of each run the"
              + " round whose rate is closest to the median.");
      overTime.show(page);
    }
    return section;
  }

  private static List<String> markdown(Experiment experiment, Section section) {
    List<String> lines = new ArrayList<>();
    lines.add("### " + experiment.title());
    lines.add("");
    lines.add(plot(experiment.title(), experiment.name()));
    lines.add("");
    lines.addAll(section.table().markdown());
    lines.add("");
    lines.add(section.paragraph());
    return lines;
  }

  private static String plot(String title, String file) {
    return "![" + title + "](" + PLOTS + file + ".svg)";
  }

  /**
   * Writes the page with all that was added, {@code report.html}, and the same as Markdown for
   * docs, {@code report.md}, which expects the plots in a folder beside it. Returns the page.
   */
  public Path writePage() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("```");
    lines.addAll(settingLines(setting));
    lines.add("```");
    lines.add("");
    lines.addAll(markdown);
    Files.write(folder.resolve("report.md"), lines);
    Path file = folder.resolve("report.html");
    page.write(file);
    return file;
  }
}
