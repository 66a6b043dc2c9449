// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.bench.engine.EngineUnavailableException;
import java.io.IOException;

/** Runs one measurement in a process of its own. */
@FunctionalInterface
public interface EngineRunner {
  /**
   * Returns what the process has measured.
   *
   * @throws EngineUnavailableException if the engine cannot be used here
   * @throws IOException if the run has failed
   */
  BenchResult run(String engine, int round) throws IOException;
}
