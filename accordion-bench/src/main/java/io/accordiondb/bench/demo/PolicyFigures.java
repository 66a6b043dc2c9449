// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.demo;

import io.accordiondb.DatabaseStatistics;

/**
 * What the demonstration has measured under one policy.
 *
 * @param policy name of the policy
 * @param operations rows written
 * @param seconds how long that took
 * @param rowsPerSecond rate
 * @param statistics of the store when all was written, before it was closed
 * @param writeAmplification bytes written by the log, flushes and compactions for each byte of the
 *     rows that were written
 * @param gcMillis time in garbage collection meanwhile
 * @param rowsInMemory rows' worth of cells held in memory when all was written
 * @param reopenSeconds how long closing and opening took
 * @param rowsVerified rows read back and compared
 */
public record PolicyFigures(
    String policy,
    long operations,
    double seconds,
    double rowsPerSecond,
    DatabaseStatistics statistics,
    double writeAmplification,
    long gcMillis,
    long rowsInMemory,
    double reopenSeconds,
    long rowsVerified) {}
