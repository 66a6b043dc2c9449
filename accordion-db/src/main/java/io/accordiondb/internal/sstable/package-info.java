// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The sorted table: an immutable file of cells in order, which a flush or a compaction writes.
 *
 * <p>{@link io.accordiondb.internal.sstable.SortedTableWriter} writes a table in one pass, {@link
 * io.accordiondb.internal.sstable.SortedTable} reads it; {@code SortedTableFormat} is the place to
 * start reading about the bytes. Each part of the file has its writer and its reader side by side:
 * {@code CellBlockBuilder} and {@code CellBlockCursor}, {@code IndexWriter} and {@code
 * SortedTableCursor}, {@code FilterWriter} and {@code FilterReader}, {@code BlockOutput} and {@code
 * BlockInput}.
 *
 * <p>Leaves of the index and blocks of the filter stay with their table once they are read, up to
 * three quarters of the cache's budget. If a filter excludes hardly any key, only one search in
 * sixteen queries it ({@code FilterSelectivity}).
 *
 * <p>This package knows cells and storage. It knows nothing of stores, versions of the file set,
 * read points or which cells may be dropped.
 */
@NullMarked
package io.accordiondb.internal.sstable;

import org.jspecify.annotations.NullMarked;
