// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Memory for cells: chunks of one size from a pool, arenas that fill them, and the accounts that
 * know how much is taken.
 *
 * <p>A position in chunk memory is an {@code int} reference, valid as long as the arena that
 * allocated it is retained; {@link io.accordiondb.chunk.ChunkPool} turns it into a buffer and an
 * offset. This package knows nothing of cells.
 */
@NullMarked
package io.accordiondb.chunk;

import org.jspecify.annotations.NullMarked;
