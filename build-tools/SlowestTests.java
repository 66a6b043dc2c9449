// Licensed under the Apache License, Version 2.0; see the LICENSE file.
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Prints the ten test classes that took the longest in this build, from the reports of Surefire.
 *
 * <p>Arguments: the folder of the project, and the time at which the build began.
 */
public final class SlowestTests {
  private static final int SHOWN = 10;
  private static final Pattern SUITE =
      Pattern.compile("<testsuite [^>]*?\\bname=\"([^\"]+)\" time=\"([0-9.,]+)\"");

  private SlowestTests() {}

  private record Suite(String name, Duration time) {}

  public static void main(String[] arguments) throws IOException {
    Instant begun = Instant.parse(arguments[1]);
    List<Suite> suites = new ArrayList<>();
    for (Path module : modules(Path.of(arguments[0]))) {
      for (Path report : list(module.resolve("target/surefire-reports"))) {
        if (report.getFileName().toString().matches("TEST-.*\\.xml")
            && !Files.getLastModifiedTime(report).toInstant().isBefore(begun)) {
          suites.add(suite(report));
        }
      }
    }
    if (suites.isEmpty()) {
      return;
    }
    suites.sort(Comparator.comparing(Suite::time).reversed());
    System.out.printf(
        Locale.ROOT,
        "The slowest of %d test classes, which ran for %s in all; the build took %s:%n",
        suites.size(),
        text(suites.stream().map(Suite::time).reduce(Duration.ZERO, Duration::plus)),
        text(Duration.between(begun, Instant.now())));
    for (Suite suite : suites.subList(0, Math.min(SHOWN, suites.size()))) {
      System.out.printf(Locale.ROOT, "  %8s  %s%n", text(suite.time), suite.name);
    }
  }

  /** Returns the folders of a project and, of each, the folders that it has: examples are modules. */
  private static List<Path> modules(Path project) throws IOException {
    List<Path> modules = new ArrayList<>();
    for (Path folder : list(project)) {
      modules.add(folder);
      modules.addAll(list(folder));
    }
    return modules;
  }

  private static List<Path> list(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.sorted().toList();
    }
  }

  private static Suite suite(Path report) throws IOException {
    Matcher matcher = SUITE.matcher(Files.readString(report));
    if (!matcher.find()) {
      throw new IOException(report + " is no report of Surefire");
    }
    double seconds = Double.parseDouble(matcher.group(2).replace(",", ""));
    return new Suite(matcher.group(1), Duration.ofMillis(Math.round(seconds * 1000)));
  }

  private static String text(Duration time) {
    return String.format(
        Locale.ROOT, "%d:%02d.%d", time.toMinutes(), time.toSecondsPart(), time.toMillisPart() / 100);
  }
}
