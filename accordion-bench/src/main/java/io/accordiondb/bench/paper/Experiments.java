// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import java.util.List;

/** The experiments by name. */
public final class Experiments {
  /** All experiments, in the paper's order. */
  public static final List<Experiment> ALL =
      List.of(
          new WriteThroughput(),
          new WriteSpeedup(),
          new DiskWork(),
          new BytesWritten(),
          new GarbageCollection(),
          new SegmentForms(),
          new GetLatency(),
          new ScanLatency(),
          new ActiveFractions(),
          new PipelineSizes(),
          new EagerTuning());

  private Experiments() {}

  /**
   * Returns an experiment.
   *
   * @throws IllegalArgumentException if there is none of this name; the message says which are
   */
  public static Experiment of(String name) {
    return ALL.stream()
        .filter(experiment -> experiment.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no experiment named \""
                        + name
                        + "\"; there are "
                        + String.join(", ", ALL.stream().map(Experiment::name).toList())));
  }
}
