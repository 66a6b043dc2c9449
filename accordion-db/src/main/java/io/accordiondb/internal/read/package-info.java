// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Reading: the cells of a store's memory and files as one sorted sequence, and what of it a reader
 * sees.
 *
 * <p>Start with {@link io.accordiondb.internal.read.RegionReader}. A reader claims a read point
 * first; nothing that it can need is dropped from then on. It pins the store's memory, then its
 * files, so that what moves in between is found twice rather than missed. A get of named columns
 * asks the sources one by one, newest first, and stops when no source left can hold anything newer
 * ({@code PointReader}). Everything else merges the sources, which keeps sixteen bytes of each
 * source's row, and judges cell by cell, row by row, over families and regions, in either
 * direction.
 *
 * <p>Where a range tombstone covers rows, {@code LiveCells} leaves out older cells of a source and
 * passes over the rest of a covered range by a seek. Operands of a merge operator become one put
 * for each column ({@code FoldedCells}).
 *
 * <p>This package knows sources of cells and the rules of a family. It does not know where regions
 * come from, nor how anything is written.
 */
@NullMarked
package io.accordiondb.internal.read;

import org.jspecify.annotations.NullMarked;
