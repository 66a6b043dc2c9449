// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.retention.CellFilter;
import org.jspecify.annotations.Nullable;

/**
 * Says what an in-memory compaction may drop, for a host whose rules are not those of {@link
 * io.accordiondb.retention.VersionRules}. Called by the thread that compacts.
 */
@FunctionalInterface
public interface CompactionRules {
  /**
   * Returns a filter for one compaction that begins now, or null when nothing may be dropped, so
   * that the segments are merged instead.
   *
   * @param smallestReadPoint cells above it are kept and count for nothing
   * @param unsettledUpTo puts up to it may be hidden by a marker that is not in the compaction
   */
  @Nullable CellFilter newFilter(long smallestReadPoint, long unsettledUpTo);
}
