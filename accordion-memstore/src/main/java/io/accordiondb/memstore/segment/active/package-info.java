// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The segments that take writes: the skip list over chunk memory that many threads fill, and the
 * legacy structure over the JDK's skip list.
 *
 * <p>Start with {@link io.accordiondb.memstore.segment.active.SkipListSegment}; its algorithm is in
 * {@code SkipList}. This package does not know the pipeline that sealed segments enter, nor how
 * segments are merged.
 */
@NullMarked
package io.accordiondb.memstore.segment.active;

import org.jspecify.annotations.NullMarked;
