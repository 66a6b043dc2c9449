// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.report;

import java.io.IOException;
import java.nio.file.Path;

/** A picture of figures. Not thread-safe. */
public sealed interface Chart permits BarChart, LineChart {
  /** Returns the picture as an SVG element, to stand in a page or in a file of its own. */
  String svg();

  /**
   * Writes {@code NAME.svg} and {@code NAME.png} into a folder, which is created; files of these
   * names are replaced.
   *
   * @throws IOException if they cannot be written
   */
  void write(Path folder, String name) throws IOException;
}
