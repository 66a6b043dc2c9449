// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Reading: the cells of a store's memory and files as one sorted sequence, and what of it a reader
 * sees.
 *
 * <p>Start with {@link io.accordiondb.internal.read.RegionReader}. A reader first claims a read
 * point; from then on no cell that it can need is dropped. It pins the store's memory, then its
 * files, so that a cell that moves in between is found twice rather than missed. A get of named
 * columns asks the sources one by one, newest first, and stops when no source left can hold
 * anything newer ({@code PointReader}). All other reads merge the sources, compare sixteen bytes of
 * each source's row first, and decide cell by cell and row by row, over families and regions, in
 * either direction.
 *
 * <p>Where a range tombstone covers rows, {@code LiveCells} leaves out the older cells of a source
 * and skips the rest of a covered range by a seek. Operands of a merge operator become one put for
 * each column ({@code FoldedCells}).
 *
 * <p>{@code internal.table} and {@code internal.transaction} read through this package. It knows
 * sources of cells and the rules of a family. It does not know where regions come from, nor how
 * cells are written.
 */
@NullMarked
package io.accordiondb.internal.read;

import org.jspecify.annotations.NullMarked;
