// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Encoded cells: their bytes, their order, and cursors over many of them.
 *
 * <p>A cell is one key (row, family, qualifier, timestamp, type) with its value and its sequence
 * number. {@link io.accordiondb.encoding.KeyValueLayout} is the only code that knows the position
 * of each field of a cell. {@link io.accordiondb.encoding.CellComparator} is the only order.
 * Everything that holds cells, in memory or in a file, offers them through {@link
 * io.accordiondb.encoding.CellCursor}.
 *
 * <p>A put may carry a time to live as a tag behind its value, in HBase's format; the length that a
 * cursor reports shows whether there are tags. This package knows nothing of segments, files or
 * threads.
 */
@NullMarked
package io.accordiondb.encoding;

import org.jspecify.annotations.NullMarked;
