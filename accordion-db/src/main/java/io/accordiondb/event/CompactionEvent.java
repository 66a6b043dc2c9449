// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.event;

import org.jspecify.annotations.Nullable;

/**
 * A compaction of sorted tables of one store.
 *
 * @param table name of the table
 * @param family name of the family
 * @param region identity of the region
 * @param filesRead sorted tables that are merged
 * @param bytesRead bytes of these
 * @param filesWritten sorted tables written; 0 at the beginning
 * @param bytesWritten bytes of these; 0 at the beginning
 * @param nanos how long it took in nanoseconds; 0 at the beginning
 * @param givenUp whether it was cancelled, which leaves the files unchanged
 * @param failure the cause of a failure; null at the beginning and on success
 */
public record CompactionEvent(
    String table,
    String family,
    long region,
    int filesRead,
    long bytesRead,
    int filesWritten,
    long bytesWritten,
    long nanos,
    boolean givenUp,
    @Nullable Throwable failure) {}
