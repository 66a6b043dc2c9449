// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

/**
 * The log.
 *
 * @param bytesAppended bytes appended since the database was opened
 * @param bytes bytes of the log files that are there
 * @param bytesMax bytes above which stores are flushed so that the oldest files can go
 * @param files number of log files
 * @param oldestSequence the oldest sequence number that is only in memory and in the log; one more
 *     than {@code newestSequence} if there is none
 * @param newestSequence the newest sequence number that readers see
 */
public record LogStatistics(
    long bytesAppended,
    long bytes,
    long bytesMax,
    int files,
    long oldestSequence,
    long newestSequence) {}
