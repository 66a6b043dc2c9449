// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.demo;

import io.accordiondb.DatabaseStatistics;

/**
 * The results of the demonstration under one policy.
 *
 * @param policy name of the policy
 * @param operations rows written
 * @param seconds duration of the writes
 * @param rowsPerSecond rows written per second
 * @param statistics of the store when all was written, before it was closed
 * @param gcMillis time in garbage collection during the writes
 * @param rowsInMemory rows' worth of cells held in memory when all was written
 * @param reopenSeconds duration of closing and reopening the store
 * @param rowsVerified rows read back and compared
 */
public record PolicyFigures(
    String policy,
    long operations,
    double seconds,
    double rowsPerSecond,
    DatabaseStatistics statistics,
    long gcMillis,
    long rowsInMemory,
    double reopenSeconds,
    long rowsVerified) {}
