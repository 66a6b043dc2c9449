// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

/**
 * What was written, since the database was opened.
 *
 * @param batches batches committed: single writes, batches of the application, transactions
 * @param cells cells committed
 * @param bytes bytes of the keys and values of these cells; the key of a cell is its row and its
 *     qualifier
 * @param stalls writes that were slowed down or stopped
 * @param mergeFailures how often flushes and compactions kept operands as they are because a merge
 *     operator was missing or failed
 * @param filterFailures how often flushes and compactions kept a cell because a compaction filter
 *     failed
 */
public record WriteStatistics(
    long batches,
    long cells,
    long bytes,
    StallStatistics stalls,
    long mergeFailures,
    long filterFailures) {}
