// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Making an immutable segment of cells that come in order, from a sealed segment or from a large
 * batch, in the form that the layout asks for.
 *
 * <p>Start with {@link io.accordiondb.memstore.segment.build.SegmentBuilders}, the only place that
 * chooses between the forms. This package does not know mutable segments, nor how immutable ones
 * are merged.
 */
@NullMarked
package io.accordiondb.memstore.segment.build;

import org.jspecify.annotations.NullMarked;
