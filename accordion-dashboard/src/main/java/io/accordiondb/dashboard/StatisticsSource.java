// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard;

import io.accordiondb.DatabaseStatistics;
import java.io.IOException;

/** A source of the figures of one database, such as {@code database::statistics}. */
@FunctionalInterface
public interface StatisticsSource {
  /**
   * {@return the present figures} The thread of the dashboard calls this method once a second, and
   * four times a second while a page is open, so it must be quick.
   *
   * @throws IOException if the figures cannot be read; the page shows why, and the dashboard tries
   *     again
   * @throws io.accordiondb.ClosedException if the database is closed; the page shows its last
   *     figures
   */
  DatabaseStatistics statistics() throws IOException;
}
