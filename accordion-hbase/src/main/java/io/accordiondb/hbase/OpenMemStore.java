// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.memstore.MemStoreStatistics;
import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * The state of one memory store of this process, and its counters since its region was opened, for
 * monitoring tools. Immutable.
 *
 * @param region name of its region
 * @param family name of its family
 * @param memory its segments, policy and last decision
 * @param flushes completed flushes to store files
 * @param slowedWrites batches that were delayed because the region held much memory
 * @param slowedNanos total delay of these batches, in nanoseconds
 */
public record OpenMemStore(
    RegionInfo region,
    String family,
    MemStoreStatistics memory,
    long flushes,
    long slowedWrites,
    long slowedNanos) {
  /**
   * {@return the memory stores that are open, in no order} A store is among them from its first
   * cell on, because HBase names its family no earlier. Any thread may call this method.
   */
  public static List<OpenMemStore> all() {
    return OpenStores.states();
  }
}
