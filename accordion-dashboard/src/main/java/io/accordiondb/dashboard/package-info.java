// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * A page in the browser that shows databases at work: each memory store's segments as they fill,
 * flatten, merge and are flushed, and beside them throughput, latencies, files and limits. Start
 * reading at {@link io.accordiondb.dashboard.Dashboard}.
 *
 * <p>It knows databases by their statistics alone ({@link
 * io.accordiondb.dashboard.StatisticsSource}), never changes one, and is off unless started.
 */
@NullMarked
package io.accordiondb.dashboard;

import org.jspecify.annotations.NullMarked;
