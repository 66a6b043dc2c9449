// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Optimistic transactions: their snapshot, their writes, what they have read, and how they are
 * checked and committed.
 *
 * <p>Start with {@link io.accordiondb.internal.transaction.EngineTransaction}. Its tables are those
 * of {@link io.accordiondb.internal.table} over other reads and writes: writes are kept as pending
 * cells with sequence numbers above every real one, and reads merge them over the snapshot.
 *
 * <p>A commit takes the newest visible number and looks for cells newer than the snapshot in the
 * rows and ranges that matter, in those segments and sorted tables alone that can have some. The
 * snapshot is a read point, so no such cell has been dropped. Then the batch is committed on the
 * condition that none of its rows was written after that number; if ranges were read, that nothing
 * was. If the condition fails, the check is repeated; after three attempts it is made while all
 * other writers are held out, so every commit ends.
 *
 * <p>This package does not know how a database is opened.
 */
@NullMarked
package io.accordiondb.internal.transaction;

import org.jspecify.annotations.NullMarked;
