// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.OverTimeCharts;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The runs of an experiment over time. */
final class RunsOverTime {
  private RunsOverTime() {}

  /** Returns charts with a line for each run: the round whose rate is closest to the median. */
  static OverTimeCharts of(String experiment, List<PaperRun> runs, PaperResults results) {
    List<PaperRun> distinct = runs.stream().distinct().toList();
    List<String> names = names(distinct);
    OverTimeCharts charts = new OverTimeCharts(experiment);
    for (int i = 0; i < names.size(); i++) {
      charts.add(names.get(i), results.middle(distinct.get(i)).latencyOverTime());
    }
    return charts;
  }

  /** Returns a name for each run: its policy, and what is not the same in all of them. */
  static List<String> names(List<PaperRun> runs) {
    List<List<String>> parts = runs.stream().map(RunsOverTime::parts).toList();
    List<Integer> differing =
        IntStream.range(0, parts.get(0).size())
            .filter(part -> differ(parts.stream().map(all -> all.get(part))))
            .boxed()
            .toList();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      List<String> own = parts.get(i);
      String rest =
          differing.stream()
              .map(own::get)
              .filter(part -> !part.isEmpty())
              .collect(Collectors.joining(" "));
      names.add((runs.get(i).policy().kind() + " " + rest).strip());
    }
    return names;
  }

  private static boolean differ(Stream<String> values) {
    return values.filter(value -> !value.isEmpty()).distinct().count() > 1;
  }

  /**
   * Returns what distinguishes a run from others of its size, except for the kind of its policy.
   * Parameters that the policy does not have are empty.
   */
  private static List<String> parts(PaperRun run) {
    MemStorePolicy policy = run.policy();
    boolean none = policy.kind() == Policy.NONE;
    return List.of(
        run.engine(),
        none ? "" : "A=" + policy.activeFraction(),
        none ? "" : "S=" + policy.pipelineSegmentsMax(),
        policy.kind() == Policy.ADAPTIVE ? "R=" + policy.redundancyThreshold() : "",
        none ? "" : policy.mergeSchedule().name(),
        run.layout().cells().name(),
        run.layout().index().name(),
        run.workload().name(),
        run.distribution().name().toLowerCase(Locale.ROOT),
        run.disk().label(),
        run.durability().name(),
        run.pace() == 0 ? "full speed" : FigureFormat.format("%,d/s", run.pace()));
  }
}
