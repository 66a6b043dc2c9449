// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

import io.accordiondb.memstore.MemStoreStatistics;

/**
 * One family of one region: a memory store and its sorted tables.
 *
 * @param table name of the table
 * @param family name of the family
 * @param region identity of the region
 * @param startRow first row of the region in text, bytes that do not print as {@code \xHH}; empty
 *     for the beginning
 * @param endRow row before which the region ends, in text; empty for the end
 * @param memory active segment, pipeline, snapshot, and the policy with its parameters, its state
 *     and its last decision
 * @param files its sorted tables
 * @param sortedRuns the number of sorted tables that can hold one row, at most
 * @param compactionDebtBytes bytes of sorted tables that wait for a compaction
 * @param flushing whether a flush is running
 * @param compacting whether a compaction runs or waits to run
 */
public record StoreStatistics(
    String table,
    String family,
    long region,
    String startRow,
    String endRow,
    MemStoreStatistics memory,
    FileStatistics files,
    int sortedRuns,
    long compactionDebtBytes,
    boolean flushing,
    boolean compacting) {}
