// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.event;

import org.jspecify.annotations.Nullable;

/**
 * A flush of one store to disk.
 *
 * @param table name of the table
 * @param family name of the family
 * @param region identity of the region
 * @param cells cells taken from memory
 * @param dataBytes bytes of these cells
 * @param bytesWritten bytes of sorted tables written; 0 at the beginning
 * @param nanos how long it took in nanoseconds; 0 at the beginning
 * @param failure the cause of a failure; null at the beginning and on success
 */
public record FlushEvent(
    String table,
    String family,
    long region,
    long cells,
    long dataBytes,
    long bytesWritten,
    long nanos,
    @Nullable Throwable failure) {}
