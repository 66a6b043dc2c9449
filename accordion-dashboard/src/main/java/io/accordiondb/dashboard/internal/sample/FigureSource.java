// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.sample;

import io.accordiondb.DatabaseStatistics;
import java.io.IOException;

/** Where the figures of one database come from. */
@FunctionalInterface
public interface FigureSource {
  /** Returns the figures of this moment. */
  DatabaseStatistics read() throws IOException;
}
