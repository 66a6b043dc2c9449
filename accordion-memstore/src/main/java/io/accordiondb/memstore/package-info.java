// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The memory store of the Accordion paper, as a library: {@link io.accordiondb.memstore.MemStore}
 * and what a host gives it.
 *
 * <p>A memory store takes cells that the host has already logged, keeps them sorted in segments,
 * merges and compacts those in memory, and hands them over when the host flushes to disk. It does
 * no I/O and owns no thread: executor, clock, randomness and memory budget come from the host.
 */
@NullMarked
package io.accordiondb.memstore;

import org.jspecify.annotations.NullMarked;
