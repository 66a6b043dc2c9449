// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The path of a write: the writing thread encodes it, a leader numbers and logs it together with
 * others, the writing thread adds it to memory, and it becomes visible in order.
 *
 * <p>Start with {@link io.accordiondb.internal.commit.CommitPipeline}. A batch enters a queue,
 * unless no leader is at work. The thread that acquires the log lock becomes the leader: it gives
 * sequence numbers to all queued batches, appends them to the log, and flushes or syncs the log
 * once for all of them. Each thread then adds its own cells to the memory stores, and {@code
 * Visibility} publishes batches in the order of their numbers.
 *
 * <p>A batch may require that none of its rows has changed since a read point. The leader checks
 * that in a table of row hashes, so blind writes take no lock. Asynchronous batches are collected
 * in an open group; one thread commits the group as one batch, and a second one completes its
 * stages, so that dependent work delays no commit.
 *
 * <p>This package knows stores and the log. It does not know tables by name.
 */
@NullMarked
package io.accordiondb.internal.commit;

import org.jspecify.annotations.NullMarked;
