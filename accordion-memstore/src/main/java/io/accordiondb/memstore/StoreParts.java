// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.chunk.MemoryAccount;
import java.util.function.Supplier;

/**
 * The objects that the parts of one memory store share.
 *
 * @param environment the services of the host
 * @param account counts the memory of the store
 * @param options supplies the options now in force
 * @param segments holds the current list of segments
 * @param factory makes segments
 * @param keyPrefix tracks the bytes that all rows have in common
 * @param filters creates the filters of compactions
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
