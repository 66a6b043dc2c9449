// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What experiments make of figures, which are not measured here. */
class ExperimentsTest {
  @TempDir Path folder;

  private static PaperSetting setting(Host host, Disk... disks) {
    return new PaperSetting(
        host, WorkSize.ofWrites(100_000, host.heapBaseBytes(), 2), List.of(disks));
  }

  /** NONE has 100 of everything, the policies 200, in all rounds. */
  private static PaperResults twiceAsMuch(PaperSetting setting) {
    PaperResults results = new PaperResults();
    for (Experiment experiment : Experiments.ALL) {
      for (PaperRun run : experiment.runs(setting)) {
        results.add(run, Figures.of(run.policy().kind() == Policy.NONE ? 100 : 200));
      }
    }
    return results;
  }

  @Test
  void everyExperimentWritesItsFiles() throws IOException {
    PaperSetting setting = setting(Host.EMBEDDED, Disk.NONE, Disk.HDD);
    PaperReport report = new PaperReport(folder, setting, twiceAsMuch(setting));
    for (Experiment experiment : Experiments.ALL) {
      Section section = report.add(experiment);
      assertThat(section.claims()).as(experiment.name()).isNotEmpty();
      for (String suffix : List.of(".csv", "-runs.csv", ".svg", ".png", ".md")) {
        assertThat(folder.resolve(experiment.name() + suffix)).isNotEmptyFile();
      }
      for (String chart : List.of("latency-over-time-", "rate-over-time-")) {
        assertThat(folder.resolve(chart + experiment.name() + ".png")).isNotEmptyFile();
        assertThat(folder.resolve(chart + experiment.name() + ".svg"))
            .content()
            .as("lines in colours")
            .contains("rgb(0,114,178)", "rgb(230,159,0)");
      }
      assertThat(Files.readString(folder.resolve(experiment.name() + ".md")))
          .contains(experiment.title(), section.paragraph());
    }
    String page = Files.readString(report.writePage());
    assertThat(page).contains("simulated HDD", "Table 1", "Figure 13", "<svg");
    assertThat(Files.readString(folder.resolve("report.md")))
        .contains("simulated HDD", "### Figure 13", "(plots/paper/fig13.svg)")
        .contains("(plots/paper/latency-over-time-fig13.svg)");
  }

  @Test
  void runsAreToldApartByWhatDiffers() {
    PaperSetting setting = setting(Host.EMBEDDED, Disk.NONE, Disk.HDD);
    for (Host host : Host.values()) {
      PaperSetting own = host == Host.EMBEDDED ? setting : setting(host, Disk.NONE);
      for (Experiment experiment : Experiments.ALL) {
        if (experiment.suits(host)) {
          List<PaperRun> runs = experiment.runs(own).stream().distinct().toList();
          assertThat(RunsOverTime.names(runs)).as(experiment.name()).doesNotHaveDuplicates();
        }
      }
    }
    assertThat(RunsOverTime.names(Experiments.of("table1").runs(setting)))
        .contains("NONE zipfian this disk", "BASIC uniform simulated HDD");
    assertThat(RunsOverTime.names(Experiments.of("fig10").runs(setting(Host.EMBEDDED, Disk.NONE))))
        .contains("NONE full speed", "BASIC S=2 5,000/s");
  }

  @Test
  void aRunWhoseLatencyWasNotMeasuredOverTimeHasNoLine() throws IOException {
    PaperSetting setting = setting(Host.EMBEDDED, Disk.NONE);
    PaperResults results = new PaperResults();
    for (PaperRun run : Experiments.of("table1").runs(setting)) {
      results.add(run, Figures.withoutSeries(100));
    }
    Section unused = new PaperReport(folder, setting, results).add(Experiments.of("table1"));
    assertThat(folder.resolve("table1.svg")).isNotEmptyFile();
    assertThat(folder.resolve("latency-over-time-table1.svg")).doesNotExist();
  }

  @Test
  void claimsSetOursBesideThePapers() {
    PaperSetting setting = setting(Host.EMBEDDED, Disk.NONE);
    PaperResults results = twiceAsMuch(setting);
    Section throughput = Experiments.of("table1").section(setting, results);
    assertThat(throughput.claims()).hasSize(2).allMatch(Claim::holds);
    assertThat(throughput.paragraph())
        .contains("here 2.00, the paper's 1.53 (Table 1: 115,730 / 75,861): reached");
    Section bytes = Experiments.of("fig6").section(setting, results);
    assertThat(bytes.claims().get(0).holds()).as("twice as many bytes").isFalse();
    assertThat(bytes.paragraph()).contains("the paper's 0.70 (section 4.2.1): NOT reached");
    Section work = Experiments.of("table2").section(setting, results);
    assertThat(work.claims()).noneMatch(Claim::holds);
    assertThat(Experiments.of("fig11").section(setting, results).claims())
        .as("more with less, then no less")
        .allMatch(Claim::holds);
  }

  @Test
  void latenciesAreComparedAtFullSpeedAndAtOnePace() {
    PaperSetting setting = setting(Host.EMBEDDED, Disk.NONE);
    PaperResults results = new PaperResults();
    for (String name : List.of("fig9", "fig10")) {
      for (PaperRun run : Experiments.of(name).runs(setting)) {
        boolean slow = run.policy().kind() != Policy.NONE && run.pace() == 0;
        results.add(run, Figures.of(slow ? 200 : 100));
      }
    }
    assertThat(Experiments.of("fig9").section(setting, results).paragraph())
        .contains("NONE's, this disk: here 2.00")
        .contains("NONE's, this disk, 30,000 rows/s: here 1.00");
    assertThat(Experiments.of("fig10").section(setting, results).claims())
        .extracting(Claim::holds)
        .containsExactly(false, false, false, true, true, true);
  }

  @Test
  void aTableHasARowForEachVariantAndForThePapersFigures() {
    PaperSetting setting = setting(Host.EMBEDDED, Disk.NONE, Disk.HDD);
    Section section = Experiments.of("table2").section(setting, twiceAsMuch(setting));
    assertThat(section.table().header())
        .containsExactly(
            "zipfian",
            "flushes, this disk",
            "compactions, this disk",
            "flushes, simulated HDD",
            "compactions, simulated HDD");
    assertThat(section.table().rows())
        .contains(List.of("BASIC", "200", "200", "200", "200"))
        .contains(List.of("the paper's NoCompaction", "1,468", "524", "1,504", "548"));
  }

  @Test
  void hbaseHasItsOwnMemoryStoresAndOurs() {
    PaperSetting setting = setting(Host.HBASE, Disk.NONE);
    assertThat(Experiments.of("fig5").runs(setting))
        .extracting(PaperRun::engine)
        .contains("hbase-none-heap-paper", "hbase-basic-heap-paper", "hbase-accordion-heap-paper");
    assertThat(Experiments.of("fig8").suits(Host.HBASE)).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> setting(Host.HBASE, Disk.HDD))
        .withMessageContaining("embedded");
  }

  @Test
  void namesThatDoNotExistAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Experiments.of("fig99"))
        .withMessageContaining("fig99")
        .withMessageContaining("table1, fig5");
  }
}
