// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.chunk.MemoryAccount;
import java.util.function.Supplier;

/**
 * What the parts of one memory store share.
 *
 * @param environment what the host gives
 * @param account what the store is charged
 * @param options those in force when it is asked
 * @param segments the list in force
 * @param factory makes segments
 * @param keyPrefix what rows have in common
 * @param filters makes the filters of compactions
 * @param oldestSequence the oldest number that is only in memory
 */
record StoreParts(
    MemStoreEnvironment environment,
    MemoryAccount account,
    Supplier<MemStoreOptions> options,
    CurrentSegments segments,
    SegmentFactory factory,
    CommonPrefix keyPrefix,
    CompactionFilters filters,
    OldestSequence oldestSequence) {}
