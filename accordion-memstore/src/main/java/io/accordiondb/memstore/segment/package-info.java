// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The segments of a memory store: one that takes writes, and the flat ones that sealed segments
 * become.
 *
 * <p>Start with {@link io.accordiondb.memstore.segment.Segment}. This package knows cells and
 * chunks; it does not know of the pipeline, of policies or of threads.
 */
@NullMarked
package io.accordiondb.memstore.segment;

import org.jspecify.annotations.NullMarked;
