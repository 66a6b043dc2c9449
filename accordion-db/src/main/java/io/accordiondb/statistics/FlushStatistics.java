// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

import org.jspecify.annotations.Nullable;

/**
 * Flushes of memory to disk, since the database was opened.
 *
 * @param count flushes that have written a sorted table or have found nothing to keep
 * @param running flushes that run or wait to run now
 * @param cells cells taken from memory
 * @param bytesWritten bytes of sorted tables written
 * @param failures flushes that have failed; their cells stay in memory until a retry succeeds
 * @param lastFailure the last failure and its cause, in words; null if there was none
 */
public record FlushStatistics(
    long count,
    int running,
    long cells,
    long bytesWritten,
    long failures,
    @Nullable String lastFailure) {}
