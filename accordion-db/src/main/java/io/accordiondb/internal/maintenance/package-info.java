// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Background work: when to flush, to compact, to truncate the log, to split and merge regions, and
 * when writers must wait for that.
 *
 * <p>Start with {@link io.accordiondb.internal.maintenance.Housekeeper} for the periodic work, and
 * with {@link io.accordiondb.internal.maintenance.FlushScheduler} for the work that writes cause.
 * If memory is short, stores whose last flush failed are flushed first, then those without
 * in-memory policy, then the largest. A failed flush is tried again after longer and longer pauses.
 *
 * <p>{@code LogTruncation} deletes log files when every memory store has flushed their cells. It
 * forces the log to the device first, because writes that replaced those cells in memory may be
 * less durable than the cells were.
 *
 * <p>A refused write, as on a full disk, suspends all writes. The log file knows how many bytes it
 * accepted, the rest stays in the buffer, and {@code Resumption} tries each second to continue in a
 * new manifest and a new log file.
 *
 * <p>This package does not know the code that reads and writes.
 */
@NullMarked
package io.accordiondb.internal.maintenance;

import org.jspecify.annotations.NullMarked;
