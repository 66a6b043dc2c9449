// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Memory for cells: chunks of one size from a pool, arenas that fill them, and accounts that know
 * how much is in use.
 *
 * <p>A position in chunk memory is an {@code int} reference. It is valid as long as the arena that
 * allocated it is retained; {@link io.accordiondb.chunk.ChunkPool} turns it into a buffer and an
 * offset. A reference counts in units of four bytes, or of more in pools above 12.8 GiB, up to 64
 * bytes for 200 GiB. The pool numbers its chunks forever, so a merge copies index entries
 * unchanged.
 *
 * <p>Chunks are direct memory by default. The pool has a cap; beyond it, or when the process is out
 * of direct memory, chunks are allocated on the heap and are not kept for reuse. Once direct memory
 * has run out, the pool lowers the budget to what it has and an eighth of the heap.
 *
 * <p>This package knows nothing of cells.
 */
@NullMarked
package io.accordiondb.chunk;

import org.jspecify.annotations.NullMarked;
