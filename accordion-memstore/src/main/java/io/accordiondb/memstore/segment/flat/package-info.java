// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The immutable segment with a serialised index: its entries, its cursor, its builder, and what
 * makes searches in it short (section 3.4 of the paper, Figure 4b).
 *
 * <p>Start with {@link io.accordiondb.memstore.segment.flat.FlatSegment}. An index entry has twelve
 * bytes: eight of the key, which follow what all rows of the store have in common, and a reference
 * to the cell. So most comparisons do not touch the cell. One bit says that the cell continues the
 * column of the entry before it. Large segments have a Bloom filter over key prefixes at the end of
 * their index.
 *
 * <p>This package does not know other forms of segments, nor where cells come from.
 */
@NullMarked
package io.accordiondb.memstore.segment.flat;

import org.jspecify.annotations.NullMarked;
