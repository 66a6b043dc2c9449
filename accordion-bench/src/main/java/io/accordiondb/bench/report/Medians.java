// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Runs of one measurement under several subjects (engines, policies) and cases (workloads, sizes),
 * in the order in which they were first added. Not thread-safe.
 */
public final class Medians {
  private final Map<String, Map<String, List<Double>>> runs = new LinkedHashMap<>();
  private final Set<String> cases = new LinkedHashSet<>();

  /** Adds one run. */
  public void add(String subject, String testCase, double value) {
    cases.add(testCase);
    runs.computeIfAbsent(subject, key -> new LinkedHashMap<>())
        .computeIfAbsent(testCase, key -> new ArrayList<>())
        .add(value);
  }

  /** Returns all cases. */
  public List<String> cases() {
    return List.copyOf(cases);
  }

  /** Returns what the runs of a subject in a case are, empty if there was none. */
  public Optional<Spread> spread(String subject, String testCase) {
    List<Double> values = runs.getOrDefault(subject, Map.of()).getOrDefault(testCase, List.of());
    return values.isEmpty() ? Optional.empty() : Optional.of(Spread.of(values));
  }

  /** Returns a subject's median over the baseline's, empty if either is missing. */
  public Optional<Double> ratio(String subject, String baseline, String testCase) {
    return spread(subject, testCase)
        .flatMap(own -> spread(baseline, testCase).map(other -> own.median() / other.median()));
  }

  /**
   * Returns a table of medians, one row a subject, one column a case.
   *
   * @param corner what the subjects are
   * @param pattern how a median is written, for {@link String#format}
   */
  public ReportTable table(String corner, String pattern) {
    return table(
        corner,
        (subject, testCase) ->
            spread(subject, testCase).map(spread -> format(pattern, spread.median())));
  }

  /** Returns a bar chart of the medians: a group of bars for each case, a colour a subject. */
  public BarChart bars(String title, String valueTitle) {
    BarChart chart = new BarChart(title, valueTitle);
    for (String subject : runs.keySet()) {
      double[] values =
          cases.stream()
              .mapToDouble(each -> spread(subject, each).map(Spread::median).orElse(0.0))
              .toArray();
      chart.bars(subject, cases(), values);
    }
    return chart;
  }

  private ReportTable table(String corner, BiFunction<String, String, Optional<String>> text) {
    List<String> header = new ArrayList<>();
    header.add(corner);
    header.addAll(cases);
    ReportTable table = new ReportTable(header);
    for (String subject : runs.keySet()) {
      List<String> cells = new ArrayList<>();
      cells.add(subject);
      cases.forEach(each -> cells.add(text.apply(subject, each).orElse("-")));
      table.row(cells);
    }
    return table;
  }

  private static String format(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
