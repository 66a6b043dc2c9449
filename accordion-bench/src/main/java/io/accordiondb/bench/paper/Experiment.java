// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import java.util.List;

/** One of the paper's tables or figures. {@link Experiments} has all of them. */
public interface Experiment {
  /** Returns the name on the command line: table1, fig5 and so on. */
  String name();

  /** Returns what it is about. */
  String title();

  /** Returns whether it can be made with a host. */
  default boolean suits(Host host) {
    return true;
  }

  /** Returns the runs that it needs. */
  List<PaperRun> runs(PaperSetting setting);

  /** Returns what the runs say. All of them must have been made. */
  Section section(PaperSetting setting, PaperResults results);
}
