// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

/**
 * What to open.
 *
 * @param records rows of the store that is closed before
 * @param regions regions of the store that has many, at least 1
 * @param logRecords rows of the log to replay
 * @param valueBytes length of a value
 * @param memoryBytes memory of the database; if the log's rows do not fit in, opening flushes too
 * @param rounds openings of each store, at least 1
 */
public record OpenBenchOptions(
    long records, int regions, long logRecords, int valueBytes, long memoryBytes, int rounds) {}
