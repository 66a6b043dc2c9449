// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The segments that take writes: the skip list over chunk memory that many threads fill, and the
 * legacy structure over the JDK's skip list.
 *
 * <p>Start with {@link io.accordiondb.memstore.segment.active.SkipListSegment}; the algorithm is in
 * {@code SkipList}. A cell is copied into the arena first and linked afterwards. The list has a
 * node for each column, with eight bytes of the key; the versions of the column hang from it, the
 * newest first. Most insertions start where the last insertion of the thread ended ({@code
 * Splice}), or at a hint to a node near by, found by key prefix ({@code NodeHints}). A hint may be
 * outdated: it costs speed, never correctness.
 *
 * <p>The first active segment of a store is sealed at 448 KiB, to learn which bytes its rows have
 * in common. This package does not know the pipeline that sealed segments enter, nor how segments
 * are merged.
 */
@NullMarked
package io.accordiondb.memstore.segment.active;

import org.jspecify.annotations.NullMarked;
