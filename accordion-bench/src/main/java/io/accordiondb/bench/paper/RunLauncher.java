// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import java.io.IOException;
import java.util.function.LongConsumer;

/** Starts one run in a process of its own and returns its results. */
@FunctionalInterface
public interface RunLauncher {
  /**
   * Returns what was measured; progress receives the rows written, {@link PaperRunner#effort} in
   * all.
   */
  RunFigures run(PaperRun run, LongConsumer progress) throws IOException;
}
