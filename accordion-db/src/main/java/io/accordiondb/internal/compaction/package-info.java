// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Merging the sorted tables of a store: which ones, and how.
 *
 * <p>{@link io.accordiondb.internal.compaction.CompactionPicker} (tiered) and {@code LeveledPicker}
 * decide and have no effects; {@link io.accordiondb.internal.compaction.Compactor} has effects and
 * decides nothing. It merges at the pace of a rate limiter until it is cancelled. {@code
 * UnseenHistory} limits what it may drop.
 *
 * <p>One thread at a time compacts a store; several stores are compacted side by side. When little
 * is written ({@code WriteLull}), it also performs merges that would otherwise cost too much, and
 * larger ones the longer the lull lasts, so that readers search fewer tables. A compaction that
 * fails leaves the files as they were; the statistics report it.
 *
 * <p>A range tombstone deletes older cells of its rows in the tables that are merged. A compaction
 * applies only tombstones that are in the manifest, and drops whole files if tombstones cover all
 * their cells. {@code MostlyDeletedFiles} finds those of which they cover about half or more, which
 * are rewritten one by one.
 */
@NullMarked
package io.accordiondb.internal.compaction;

import org.jspecify.annotations.NullMarked;
