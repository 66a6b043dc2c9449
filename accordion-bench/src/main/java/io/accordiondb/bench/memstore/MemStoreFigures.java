// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.memstore;

import io.accordiondb.bench.BenchResult.Latency;
import io.accordiondb.bench.BenchResult.LatencyPoint;
import java.util.List;

/**
 * The results of one measurement of a memory store.
 *
 * @param putsPerSecond cells added a second, until the last background work was done
 * @param batchMicros how long additions of a batch took, in microseconds, with the disk flushes
 *     that they waited for; with a rate, counted from the moment when one was due
 * @param batchesOverTime the same over time
 * @param absorbed cells added from one disk flush to the next, on average
 * @param overheadBytes memory held for a cell beyond its bytes, just before a disk flush
 * @param heapBytesPerPut bytes allocated on the Java heap for a cell added, garbage included
 * @param gcShare share of the time spent in garbage collection
 * @param hitsPerSecond gets of present rows a second, from one thread
 * @param missesPerSecond gets of absent rows a second
 * @param scansPerSecond scans of 50 cells a second
 * @param segments immutable segments that the reads found
 * @param inMemoryFlushes in-memory flushes
 * @param merges merges of indices
 * @param compactions in-memory compactions
 * @param aborts those that lost against a disk flush
 * @param eliminatedShare share of the cells added that compactions dropped
 * @param peakMemoryBytes highest resident memory of the process
 */
public record MemStoreFigures(
    double putsPerSecond,
    Latency batchMicros,
    List<LatencyPoint> batchesOverTime,
    double absorbed,
    double overheadBytes,
    double heapBytesPerPut,
    double gcShare,
    double hitsPerSecond,
    double missesPerSecond,
    double scansPerSecond,
    int segments,
    long inMemoryFlushes,
    long merges,
    long compactions,
    long aborts,
    double eliminatedShare,
    long peakMemoryBytes) {}
