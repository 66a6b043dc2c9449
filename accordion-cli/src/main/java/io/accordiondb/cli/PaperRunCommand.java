// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.paper.PaperRun;
import io.accordiondb.bench.paper.PaperRunner;
import io.accordiondb.bench.paper.RunFigures;
import io.accordiondb.cli.text.Json;
import io.accordiondb.dashboard.Dashboard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code accordion paper-run}: one measurement of {@link PaperCommand}, in a process of its own.
 */
@Command(
    name = PaperRunCommand.NAME,
    hidden = true,
    mixinStandardHelpOptions = true,
    description = "Makes one run of accordion paper, and prints its figures as one JSON object.")
final class PaperRunCommand implements Callable<Integer> {
  static final String NAME = "paper-run";

  /**
   * The beginning of a line on the error output that reports the rows done since the last such
   * line.
   */
  private static final String ROWS = "rows done: ";

  private static final long ROWS_TOLD = 20_000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "RUN", description = "the run as JSON")
  private String run = "";

  @Option(names = "--dir", required = true, description = "an empty folder, which stays")
  private Path directory = Path.of(".");

  @Mixin private DashboardFlags dashboard = new DashboardFlags();

  @Override
  public Integer call() throws IOException {
    AtomicLong untold = new AtomicLong();
    LongConsumer progress =
        rows -> {
          if (untold.addAndGet(rows) >= ROWS_TOLD) {
            System.err.println(ROWS + untold.getAndSet(0));
          }
        };
    PaperRun parsed = Json.read(run, PaperRun.class);
    RunFigures figures;
    if (dashboard.isWanted()) {
      try (Dashboard page = dashboard.start(spec.commandLine().getErr())) {
        String name = parsed.policy().kind().name();
        figures =
            new PaperRunner(parsed, progress, engine -> BenchCommand.show(page, name, engine))
                .run(directory);
      }
    } else {
      figures = new PaperRunner(parsed, progress).run(directory);
    }
    spec.commandLine().getOut().println(Json.write(figures));
    return 0;
  }

  /** Makes a run in another process, whose heap has the run's size. */
  static RunFigures inProcess(
      PaperRun run, Path directory, DashboardFlags dashboard, LongConsumer progress)
      throws IOException {
    List<String> javaOptions = List.of("-Xmx" + (run.size().heapBytes() >> 20) + "m");
    List<String> arguments = new ArrayList<>(List.of(NAME, "--dir=" + directory));
    if (dashboard.isWanted()) {
      arguments.add("--dashboard=" + dashboard.place());
    }
    arguments.add(Json.write(run));
    return Json.read(
        ChildProcess.run(javaOptions, arguments, line -> tell(line, progress)), RunFigures.class);
  }

  private static void tell(String line, LongConsumer progress) {
    if (line.startsWith(ROWS)) {
      progress.accept(Long.parseLong(line.substring(ROWS.length())));
    } else if (line.startsWith(DashboardFlags.ADDRESS)) {
      System.err.println(line);
    }
  }
}
