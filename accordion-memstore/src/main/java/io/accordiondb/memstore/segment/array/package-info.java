// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The immutable segment with an array of objects as its index, and cells that are objects (section
 * 3.4 of the paper, Figure 4a).
 *
 * <p>Start with {@link io.accordiondb.memstore.segment.array.ArraySegment}. This package does not
 * know other forms of segments, nor where cells come from.
 */
@NullMarked
package io.accordiondb.memstore.segment.array;

import org.jspecify.annotations.NullMarked;
