// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.memstore.MemStoreStatistics;
import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * How one memory store of this process stands, and what it has done since its region was opened,
 * for tools that show it. Immutable.
 *
 * @param region the region that it belongs to
 * @param family name of its family
 * @param memory its segments, policy and last decision
 * @param flushes flushes to store files that have ended
 * @param slowedWrites batches that were held up because the region held much
 * @param slowedNanos for how long, in nanoseconds
 */
public record OpenMemStore(
    RegionInfo region,
    String family,
    MemStoreStatistics memory,
    long flushes,
    long slowedWrites,
    long slowedNanos) {
  /**
   * Returns the memory stores that are open, in no order. A store is among them from its first cell
   * on, as HBase does not tell it its family before. Any thread may call this method.
   */
  public static List<OpenMemStore> all() {
    return OpenStores.states();
  }
}
