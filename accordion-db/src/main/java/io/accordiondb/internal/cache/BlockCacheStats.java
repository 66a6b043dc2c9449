// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

/**
 * Counters of a block cache since it was created, and its present contents.
 *
 * @param hits reads of a block that was in the cache
 * @param misses reads of a block that had to be read from a file
 * @param usedBytes bytes charged for the blocks held now, for the roots of open tables, and for
 *     other reservations
 * @param capacityBytes bytes that may be charged; 0 if the cache is off
 */
public record BlockCacheStats(long hits, long misses, long usedBytes, long capacityBytes) {}
