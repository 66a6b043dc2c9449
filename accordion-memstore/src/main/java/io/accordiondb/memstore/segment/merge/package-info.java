// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Several segments as one: for readers, who walk over them, and for good, when the pipeline is
 * merged or compacted (section 3.1 of the paper, Figure 3).
 *
 * <p>Start with {@link io.accordiondb.memstore.segment.merge.SegmentMerger}. This package does not
 * know why segments are merged, nor what a mutable segment looks like inside.
 */
@NullMarked
package io.accordiondb.memstore.segment.merge;

import org.jspecify.annotations.NullMarked;
