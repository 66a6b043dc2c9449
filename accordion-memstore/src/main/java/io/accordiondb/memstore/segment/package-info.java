// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * What a segment is: sorted cells in memory, mutable or immutable, with counts over them, cursors
 * that walk over them, key prefixes that decide most comparisons, and the records in which cells
 * are stored.
 *
 * <p>Start with {@link io.accordiondb.memstore.segment.Segment}. The forms of segments have
 * packages of their own, and so have the classes that build and merge segments:
 *
 * <pre>
 *   active      merge      segments that take writes · several segments as one
 *     │ └──┐   ┌──┘ │
 *     │    ▼   ▼    │
 *     │    build    │      immutable segments built from cells in order
 *     ▼   ▼     ▼   ▼
 *     array      flat      the forms of immutable segments
 * </pre>
 *
 * <p>This package knows cells and chunks. It does not know any of those packages, the pipeline,
 * policies or threads.
 */
@NullMarked
package io.accordiondb.memstore.segment;

import org.jspecify.annotations.NullMarked;
