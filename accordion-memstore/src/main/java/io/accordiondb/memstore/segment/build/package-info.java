// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Builds immutable segments from cells that arrive in order, from a sealed segment or from a large
 * batch, in the form that the layout names.
 *
 * <p>Start with {@link io.accordiondb.memstore.segment.build.SegmentBuilders}, the only place that
 * chooses between the forms. Flattening copies the cells of a sealed segment in their order, which
 * is cheap while they are in the processor's cache, so that scans and merges read memory from front
 * to back. Where the policy may drop cells, versions that were overwritten within the segment are
 * dropped here.
 *
 * <p>A batch of half an active segment's size is sorted and becomes a segment of its own, without a
 * skip list ({@code SortedRun}); so does each slab of a log that is replayed. This package does not
 * know mutable segments, nor how immutable ones are merged.
 */
@NullMarked
package io.accordiondb.memstore.segment.build;

import org.jspecify.annotations.NullMarked;
