// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.retention.CellFilter;
import org.jspecify.annotations.Nullable;

/**
 * Decides which cells an in-memory compaction may drop, for a host whose rules differ from {@link
 * io.accordiondb.retention.VersionRules}. The compacting thread calls it. If it, or its filter,
 * throws an exception, the listener is notified, and nothing is dropped this time.
 */
@FunctionalInterface
public interface CompactionRules {
  /**
   * {@return a filter for one compaction that begins now, or null when nothing may be dropped, so
   * that the segments are merged instead}
   *
   * @param settledUpTo cells above this sequence number are kept and count for nothing
   * @param countedAbove puts up to this sequence number do not count as versions, because a marker
   *     outside the compaction may hide them
   */
  @Nullable CellFilter newFilter(long settledUpTo, long countedAbove);
}
