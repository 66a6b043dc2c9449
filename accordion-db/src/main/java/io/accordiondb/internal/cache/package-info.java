// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The cache of blocks that were read from sorted tables: {@link
 * io.accordiondb.internal.cache.BlockCache} keeps their payloads in slabs of direct memory, where
 * the garbage collector neither copies nor scans them.
 */
@NullMarked
package io.accordiondb.internal.cache;

import org.jspecify.annotations.NullMarked;
