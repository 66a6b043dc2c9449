// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

/**
 * The log. What is kept for change feeds and restores ({@code logRetention}) is counted separately,
 * about once a second, and not in a database that is open read-only.
 *
 * @param bytesAppended bytes appended since the database was opened
 * @param bytes bytes of the log files that are there
 * @param bytesMax bytes above which stores are flushed so that the oldest files can go
 * @param files number of log files
 * @param oldestSequence the oldest sequence number that is only in memory and in the log; one more
 *     than {@code newestSequence} if there is none
 * @param newestSequence the newest sequence number that readers see
 * @param keptFiles number of files that are kept although no store needs them
 * @param keptBytes bytes of these files
 * @param oldestKeptSequence the oldest sequence number in these files, from which on a change feed
 *     can read; -1 if none is kept
 */
public record LogStatistics(
    long bytesAppended,
    long bytes,
    long bytesMax,
    int files,
    long oldestSequence,
    long newestSequence,
    int keptFiles,
    long keptBytes,
    long oldestKeptSequence) {}
