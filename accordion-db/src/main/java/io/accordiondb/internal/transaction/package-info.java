// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Optimistic transactions: their snapshot, their writes, their reads, and how they are validated
 * and committed.
 *
 * <p>Start with {@link io.accordiondb.internal.transaction.EngineTransaction}. Its tables are those
 * of {@link io.accordiondb.internal.table} over other reads and writes: writes are kept as pending
 * cells with sequence numbers above every real one, and reads merge them over the snapshot.
 *
 * <p>A commit takes the newest visible number and searches the relevant rows and ranges for cells
 * newer than the snapshot, only in segments and sorted tables that may have such cells. The
 * snapshot is a read point, so no such cell has been dropped. Then the batch is committed on the
 * condition that none of its rows was written after that number or, if ranges were read, that
 * nothing was written. If the condition fails, the check is repeated; after three attempts all
 * other writers wait while it runs, so every commit ends.
 *
 * <p>This package does not know how a database is opened.
 */
@NullMarked
package io.accordiondb.internal.transaction;

import org.jspecify.annotations.NullMarked;
