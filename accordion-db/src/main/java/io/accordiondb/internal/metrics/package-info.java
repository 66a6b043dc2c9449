// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * What a database counts, times and reports. Each part of the engine receives the part of {@link
 * io.accordiondb.internal.metrics.Telemetry} that it needs; this package knows none of them.
 *
 * <p>Each thread counts in a {@code Tally} of its own by plain additions; a reader adds them up and
 * keeps the counts of threads that have ended. The tally also chooses which operations are timed,
 * one in 32 at random (of the rows of scans one in 256), so that neither becomes slower with more
 * threads. A get counts as served by memory, cache or file according to the blocks that its thread
 * has counted during the get.
 *
 * <p>Events are put into a queue, and one thread calls the listeners, because the thread that
 * reports an event may hold locks.
 */
@NullMarked
package io.accordiondb.internal.metrics;

import org.jspecify.annotations.NullMarked;
