// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.cli.text.Json;
import io.accordiondb.cli.top.LiveProcess;
import io.accordiondb.cli.top.Reading;
import io.accordiondb.cli.top.Terminal;
import io.accordiondb.cli.top.TopText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code accordion top}. */
@Command(
    name = "top",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the databases of a live process: memory, rates, latencies, stalls, and each store's"
          + " policy with its last decision.",
      "On a terminal it fills the screen until Ctrl-C; elsewhere it prints a line for each database"
          + " and interval. The process must be of the same user."
    })
final class TopCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      paramLabel = "FOLDER-or-PID",
      description = "folder of a database that is open, or number of the process")
  private String target = "";

  @Option(
      names = "--interval",
      defaultValue = "1000",
      description = "milliseconds between two readings (default ${DEFAULT-VALUE})")
  private long intervalMillis;

  @Option(
      names = "--count",
      defaultValue = "0",
      description = "readings after which to end (default ${DEFAULT-VALUE}, for no end)")
  private long count;

  @Option(names = "--json", description = "print one JSON object for each database and reading")
  private boolean json;

  /** The last reading of each database. */
  private final Map<String, Reading> before = new HashMap<>();

  @Override
  public Integer call() throws Exception {
    if (target.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "FOLDER-or-PID is empty; for this folder, give .");
    }
    Limits.check("--interval", intervalMillis, 50, 3_600_000, "milliseconds");
    Limits.check("--count", count, 0, Long.MAX_VALUE);
    PrintWriter out = spec.commandLine().getOut();
    try (LiveProcess process = LiveProcess.connect(pid())) {
      if (json) {
        repeat(process, readings -> printObjects(out, readings));
      } else if (!Terminal.isThere()) {
        // The first line has rates, too.
        remember(read(process));
        Thread.sleep(intervalMillis);
        repeat(process, readings -> printLines(out, readings));
      } else {
        try (Terminal terminal = new Terminal(out)) {
          repeat(process, readings -> show(terminal, process.pid(), readings));
        }
      }
    }
    return 0;
  }

  private boolean isPid() {
    return target.matches("[0-9]{1,18}");
  }

  private long pid() throws IOException {
    return isPid() ? Long.parseLong(target) : LiveProcess.owner(Path.of(target));
  }

  /**
   * Returns the readings of the databases of a process; of the one in the folder if a folder was
   * named.
   */
  private List<Reading> read(LiveProcess process) throws IOException {
    List<Reading> all = process.read();
    List<Reading> chosen =
        isPid() ? all : all.stream().filter(reading -> reading.isOf(Path.of(target))).toList();
    if (chosen.isEmpty()) {
      throw new IOException(
          (isPid()
                  ? "no database in process " + process.pid() + " publishes its figures"
                  : "process " + process.pid() + " has no figures of " + target)
              + "; open it there with DatabaseOptions.builder().jmx(true)");
    }
    return chosen;
  }

  private void remember(List<Reading> readings) {
    readings.forEach(reading -> before.put(reading.database(), reading));
  }

  /** Receives readings. */
  private interface Output {
    void print(List<Reading> readings) throws IOException;
  }

  private void repeat(LiveProcess process, Output output) throws IOException, InterruptedException {
    for (long round = 1; ; round++) {
      List<Reading> readings = read(process);
      output.print(readings);
      remember(readings);
      if (round == count || spec.commandLine().getOut().checkError()) {
        return;
      }
      Thread.sleep(intervalMillis);
    }
  }

  private TopText text(Reading reading) {
    return new TopText(before.getOrDefault(reading.database(), reading), reading);
  }

  private static void printObjects(PrintWriter out, List<Reading> readings) throws IOException {
    for (Reading reading : readings) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("database", reading.database());
      object.putAll(reading.values());
      object.put("stores", reading.stores());
      out.println(Json.write(object));
    }
    out.flush();
  }

  private void printLines(PrintWriter out, List<Reading> readings) {
    readings.forEach(reading -> out.println(text(reading).line()));
    out.flush();
  }

  private void show(Terminal terminal, long pid, List<Reading> readings) {
    Terminal.Size size = terminal.size();
    if (size.columns() < TopText.COLUMNS_MIN || size.lines() < TopText.LINES_MIN) {
      terminal.show(
          List.of("needs " + TopText.COLUMNS_MIN + " x " + TopText.LINES_MIN, "Ctrl-C ends"));
      return;
    }
    List<String> lines = new ArrayList<>();
    lines.add("accordion top: process " + pid + ", Ctrl-C ends");
    int each = (size.lines() - 1) / readings.size();
    for (Reading reading : readings) {
      lines.addAll(text(reading).screen(size.columns(), each));
    }
    terminal.show(lines.subList(0, Math.min(lines.size(), size.lines())));
  }
}
