// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

import org.jspecify.annotations.Nullable;

/**
 * Compactions of sorted tables, since the database was opened.
 *
 * @param count compactions
 * @param running compactions that are running now
 * @param bytesRead bytes of sorted tables read by them
 * @param bytesWritten bytes of sorted tables written by them
 * @param debtBytes bytes of sorted tables that wait for a compaction now
 * @param failures compactions in the background that have failed
 * @param lastFailure the last failure and its cause, in words; null if there was none
 */
public record CompactionStatistics(
    long count,
    int running,
    long bytesRead,
    long bytesWritten,
    long debtBytes,
    long failures,
    @Nullable String lastFailure) {}
