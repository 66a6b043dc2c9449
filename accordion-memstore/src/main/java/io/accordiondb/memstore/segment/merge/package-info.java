// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Several segments as one: temporarily for readers, and permanently when the pipeline is merged or
 * compacted (section 3.1 of the paper, Figure 3).
 *
 * <p>Start with {@link io.accordiondb.memstore.segment.merge.SegmentMerger}. A merge copies index
 * entries; a compaction also drops cells and moves survivors out of arenas of which less than 95 %
 * survive, the emptiest first, as far as there is room ({@code ArenaEvacuation}). Moving
 * everything, as in the paper, would hold the store twice.
 *
 * <p>A merge compares columns once, however many versions they have, and compares no versions if
 * the timestamps of two segments do not overlap. Where a family keeps one version and nothing else
 * matters, a compaction reads no cell that it does not have to compare or drop. Readers that walk
 * upwards use one {@code PrefetchingMergeCursor}, which compares prefixes and loads the next cells
 * early. In a downward walk each segment keeps its position until the walk reaches it.
 *
 * <p>This package does not know why segments are merged, nor what a mutable segment looks like
 * inside.
 */
@NullMarked
package io.accordiondb.memstore.segment.merge;

import org.jspecify.annotations.NullMarked;
