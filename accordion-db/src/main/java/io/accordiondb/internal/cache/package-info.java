// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The cache of blocks that were read from sorted tables. Start with {@link
 * io.accordiondb.internal.cache.BlockCache}.
 *
 * <p>Blocks are in slabs of direct memory, which the garbage collector neither copies nor scans. A
 * point read pins its block and searches it in place, and gives the pin back before it returns. A
 * cursor, which may stay open for hours, copies the block into a buffer of its own without a pin,
 * and discards the copy if the block was closed in between. Reads take no lock and make no object:
 * a pool lends the objects that they need. If assertions are enabled, freed memory is overwritten,
 * so that a read without a pin is noticed. {@code internal.sstable} reads through the cache, which
 * does not know what a block holds.
 *
 * <p>When the slabs are full, a hand moves around them: blocks that were read since its last visit
 * stay and move together within their slab, the others are dropped, and pinned ones stay where they
 * are. A full cache accepts a data block only when it is offered twice within a short period,
 * because most blocks are not read again soon.
 */
@NullMarked
package io.accordiondb.internal.cache;

import org.jspecify.annotations.NullMarked;
