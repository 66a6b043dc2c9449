// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.retention.CellFilter;
import io.accordiondb.retention.UnseenHistory;
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
   * @param unseen the segments that the compaction does not read
   */
  @Nullable CellFilter newFilter(UnseenHistory unseen);
}
