// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.memstore;

import io.accordiondb.bench.Distribution;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.layout.SegmentLayout;

/**
 * One measurement of a memory store.
 *
 * @param policy policy with its parameters
 * @param layout form of the segments
 * @param distribution how keys are drawn
 * @param records different keys
 * @param operations cells to add
 * @param keyBytes bytes of a key
 * @param valueBytes bytes of a value
 * @param batch cells of one addition, which are sorted
 * @param threads threads that add
 * @param memoryBytes memory at which the store is flushed, that is, emptied
 * @param rate cells added a second at most; 0 for as many as possible
 * @param reads gets of each kind, and a tenth as many scans, after the additions
 */
public record MemStoreBenchOptions(
    MemStorePolicy policy,
    SegmentLayout layout,
    Distribution distribution,
    long records,
    int operations,
    int keyBytes,
    int valueBytes,
    int batch,
    int threads,
    long memoryBytes,
    long rate,
    int reads) {}
