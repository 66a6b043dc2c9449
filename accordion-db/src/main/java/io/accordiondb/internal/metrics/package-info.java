// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * What a database counts, times and reports. Parts of the engine receive what they need of {@link
 * io.accordiondb.internal.metrics.Telemetry}; this package knows none of them.
 *
 * <p>Each thread counts in a {@code Tally} of its own by plain additions; a reader adds them up and
 * keeps the counts of threads that have ended. The tally also chooses which operation is timed, one
 * in 32 at random, so that neither costs more with more threads. A get is assigned to memory, cache
 * or file by the blocks that its thread has counted in the meantime.
 *
 * <p>Events are put into a queue, and one thread calls the listeners, because the thread that
 * reports an event may hold locks.
 */
@NullMarked
package io.accordiondb.internal.metrics;

import org.jspecify.annotations.NullMarked;
