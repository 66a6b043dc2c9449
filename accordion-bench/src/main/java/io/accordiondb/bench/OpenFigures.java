// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.bench.BenchResult.Latency;

/**
 * How long opening a database takes, over several openings of each store.
 *
 * @param records rows of the store that was closed
 * @param openMicros opening that store
 * @param regions regions of the second store, each with a sorted table
 * @param openRegionsMicros opening that store
 * @param logBytes log of the third store, which was not closed
 * @param replayMicros opening that store, which replays the log
 * @param replayBytesPerSecond median rate of that
 */
public record OpenFigures(
    long records,
    Latency openMicros,
    int regions,
    Latency openRegionsMicros,
    long logBytes,
    Latency replayMicros,
    double replayBytesPerSecond) {}
