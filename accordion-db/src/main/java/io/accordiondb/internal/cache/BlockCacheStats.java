// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

/**
 * How full a block cache is.
 *
 * @param usedBytes bytes charged for the blocks held now, for the roots of open tables, and for
 *     other reservations
 * @param capacityBytes bytes that may be charged; 0 if the cache is off
 */
public record BlockCacheStats(long usedBytes, long capacityBytes) {}
