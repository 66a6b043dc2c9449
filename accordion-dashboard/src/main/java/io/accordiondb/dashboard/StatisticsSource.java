// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard;

import io.accordiondb.DatabaseStatistics;
import java.io.IOException;

/** Where a dashboard reads the figures of one database; {@code database::statistics} is one. */
@FunctionalInterface
public interface StatisticsSource {
  /**
   * Returns the figures of this moment. The dashboard's thread calls this method once a second, and
   * four times a second while somebody looks at the page, so it must be quick.
   *
   * @throws IOException if they cannot be read; the page shows why, and the dashboard asks again
   * @throws io.accordiondb.ClosedException if the database is closed; the page shows its last
   *     figures
   */
  DatabaseStatistics statistics() throws IOException;
}
