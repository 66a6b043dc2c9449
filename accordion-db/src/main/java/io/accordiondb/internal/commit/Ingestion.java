// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import java.io.IOException;

/**
 * A write that bypasses the log and the memory stores: prepared files that become part of the
 * database.
 */
public interface Ingestion {
  /**
   * Performs the write durably.
   *
   * @param firstSequence the first of its numbers, all of which are visible afterwards
   */
  void run(long firstSequence) throws IOException;
}
