// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.accordiondb.bench.TemporaryFolder;
import io.accordiondb.bench.paper.Claim;
import io.accordiondb.bench.paper.Disk;
import io.accordiondb.bench.paper.Experiment;
import io.accordiondb.bench.paper.Experiments;
import io.accordiondb.bench.paper.Host;
import io.accordiondb.bench.paper.PaperReport;
import io.accordiondb.bench.paper.PaperResults;
import io.accordiondb.bench.paper.PaperRounds;
import io.accordiondb.bench.paper.PaperRun;
import io.accordiondb.bench.paper.PaperSetting;
import io.accordiondb.bench.paper.RunFigures;
import io.accordiondb.bench.paper.Scale;
import io.accordiondb.bench.paper.Section;
import io.accordiondb.bench.paper.WorkSize;
import io.accordiondb.cli.text.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code accordion paper}. */
@Command(
    name = "paper",
    mixinStandardHelpOptions = true,
    description =
        "Runs experiments of the paper's section 4, each run in a process of its own, "
            + "and sets what they show beside what the paper found: tables (CSV), plots (SVG, "
            + "PNG), also of latency and rate over time, and one HTML page.")
final class PaperCommand implements Callable<Integer> {
  private static final String ALL = "all";

  @Spec private CommandSpec spec = CommandSpec.create();

  /** The names of the experiments, for help and completion. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.concat(Experiments.ALL.stream().map(Experiment::name), Stream.of(ALL))
          .iterator();
    }
  }

  @Parameters(
      arity = "1..*",
      paramLabel = "EXPERIMENT",
      completionCandidates = Names.class,
      description = "${COMPLETION-CANDIDATES}")
  private List<String> names = List.of();

  @Option(
      names = "--scale",
      defaultValue = "QUARTER",
      description =
          "${COMPLETION-CANDIDATES}: a tenth or a quarter of one of the paper's stores (120 MB,"
              + " 2M keys, 10M writes), one, or all fifty (default ${DEFAULT-VALUE})")
  private Scale scale = Scale.QUARTER;

  @Option(
      names = "--operations",
      description = "writes of a run; keys and memory are scaled with them (default: the scale's)")
  private @Nullable Long operations;

  @Option(
      names = "--host",
      defaultValue = "EMBEDDED",
      description = "${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
  private Host host = Host.EMBEDDED;

  @Option(
      names = "--disk",
      split = ",",
      defaultValue = "NONE",
      description =
          "${COMPLETION-CANDIDATES}: what the stores lie on, one or more; SSD (500 MB/s, 0.1 ms to"
              + " seek) and HDD (120 MB/s, 8 ms) are simulated (default ${DEFAULT-VALUE}: this disk)")
  private List<Disk> disks = List.of();

  @Option(names = "--rounds", defaultValue = "1", description = "rounds of each run (default 1)")
  private int rounds;

  @Option(
      names = "--threads",
      description = "threads that write (default: half of the processors, at most the paper's 12)")
  private @Nullable Integer threads;

  @Option(
      names = "--heap",
      description =
          "MB of heap of each run (default: memory stores have two fifths of it, as in the paper,"
              + " and the process some more for itself)")
  private @Nullable Long heapMegabytes;

  @Option(
      names = "--out",
      defaultValue = "paper-results",
      description = "folder for results and, meanwhile, stores (default ${DEFAULT-VALUE})")
  private Path out = Path.of("paper-results");

  @Option(names = "--resume", description = "keep the runs that the folder has, make the others")
  private boolean resume;

  @Option(names = "--force", description = "replace the runs that the folder has")
  private boolean force;

  @Option(names = "--json", description = "print one JSON object")
  private boolean json;

  @Mixin private DashboardFlags dashboard = new DashboardFlags();

  /** A line of the file of runs. */
  record RunLine(PaperRun run, RunFigures figures) {}

  @Override
  public Integer call() throws IOException {
    PaperSetting setting = setting();
    if (dashboard.isWanted() && host != Host.EMBEDDED) {
      throw new ParameterException(
          spec.commandLine(), "--dashboard shows what runs with --host embedded only");
    }
    List<Experiment> experiments = experiments();
    List<PaperRun> runs =
        experiments.stream().flatMap(experiment -> experiment.runs(setting).stream()).toList();
    if (resume && force) {
      throw new ParameterException(
          spec.commandLine(), "--resume keeps runs that --force replaces; give one");
    }
    OutputPlace.checkOutsideDatabases(out);
    Path file = out.resolve("runs.jsonl");
    if (Files.exists(file) && !resume && !force) {
      throw new FileSystemException(
          out.toString(),
          null,
          "it holds the runs of an earlier call; keep them with --resume, replace them with --force,"
              + " or give another --out");
    }
    Files.createDirectories(out);
    if (!resume) {
      Files.deleteIfExists(file);
    }
    PaperResults results = read(file);
    new PaperRounds(runs, rounds, results)
        .run((run, progress) -> runAndKeep(run, file, progress), System.err);
    PaperReport report = new PaperReport(out, setting, results);
    Map<Experiment, Section> sections = new LinkedHashMap<>();
    for (Experiment experiment : experiments) {
      sections.put(experiment, report.add(experiment));
    }
    print(setting, sections, report.writePage());
    return 0;
  }

  private PaperSetting setting() {
    Limits.check("--rounds", rounds, 1, 1000);
    int processors = Runtime.getRuntime().availableProcessors();
    WorkSize size;
    if (operations == null) {
      size = WorkSize.of(scale.stores(), host.heapBaseBytes(), processors);
    } else {
      Limits.check("--operations", operations, 1000, 1_000_000_000_000L);
      size = WorkSize.ofWrites(operations, host.heapBaseBytes(), processors);
    }
    if (threads != null) {
      Limits.check("--threads", threads, 1, 1024);
      size = size.withThreads(threads);
    }
    if (heapMegabytes != null) {
      Limits.check("--heap", heapMegabytes, 32, 1 << 20);
      size = size.withHeapBytes(heapMegabytes << 20);
    }
    return new PaperSetting(host, size, disks.stream().distinct().toList());
  }

  private List<Experiment> experiments() {
    List<Experiment> chosen = new ArrayList<>();
    for (String name : names) {
      if (name.equals(ALL)) {
        Experiments.ALL.stream().filter(each -> each.suits(host)).forEach(chosen::add);
        continue;
      }
      Experiment experiment = Experiments.of(name);
      if (!experiment.suits(host)) {
        throw new ParameterException(
            spec.commandLine(), name + " cannot be made with --host " + host);
      }
      chosen.add(experiment);
    }
    return chosen.stream().distinct().toList();
  }

  private static PaperResults read(Path file) throws IOException {
    PaperResults results = new PaperResults();
    if (Files.exists(file)) {
      int number = 0;
      for (String line : Files.readAllLines(file)) {
        number++;
        RunLine kept = runLine(line, file + ", line " + number);
        results.add(kept.run(), kept.figures());
      }
    }
    return results;
  }

  private static RunLine runLine(String line, String place) throws IOException {
    try {
      return Json.read(line, RunLine.class);
    } catch (JsonProcessingException e) {
      throw new IOException(
          place + ": this is no whole run, as after a full disk; remove the line, and resume again",
          e);
    }
  }

  private RunFigures runAndKeep(PaperRun run, Path file, LongConsumer progress) throws IOException {
    try (TemporaryFolder stores = TemporaryFolder.create(out, "paper")) {
      RunFigures figures = PaperRunCommand.inProcess(run, stores.path(), dashboard, progress);
      Files.writeString(
          file,
          Json.write(new RunLine(run, figures)) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
      return figures;
    }
  }

  /** The fields of the JSON output. */
  record Report(
      PaperSetting setting, int rounds, List<ExperimentReport> experiments, String page) {}

  /** One experiment for machines: rows of the table by column, and what holds. */
  record ExperimentReport(
      String name, String title, List<Map<String, String>> rows, List<ClaimReport> claims) {}

  /** A claim with whether it holds. */
  record ClaimReport(Claim claim, boolean holds) {}

  private void print(PaperSetting setting, Map<Experiment, Section> sections, Path page)
      throws IOException {
    PrintWriter writer = spec.commandLine().getOut();
    if (json) {
      List<ExperimentReport> reports =
          sections.entrySet().stream()
              .map(entry -> report(entry.getKey(), entry.getValue()))
              .toList();
      writer.println(Json.write(new Report(setting, rounds, reports, page.toString())));
      return;
    }
    PaperReport.settingLines(setting).forEach(writer::println);
    sections.forEach(
        (experiment, section) -> {
          writer.println();
          writer.println(experiment.title());
          section.table().lines().forEach(writer::println);
          writer.println(section.paragraph());
        });
    writer.println();
    writer.println("all of it: " + page);
  }

  private static ExperimentReport report(Experiment experiment, Section section) {
    List<Map<String, String>> rows = new ArrayList<>();
    for (List<String> cells : section.table().rows()) {
      Map<String, String> row = new LinkedHashMap<>();
      for (int column = 0; column < cells.size(); column++) {
        row.put(section.table().header().get(column), cells.get(column));
      }
      rows.add(row);
    }
    return new ExperimentReport(
        experiment.name(),
        experiment.title(),
        rows,
        section.claims().stream().map(claim -> new ClaimReport(claim, claim.holds())).toList());
  }
}
