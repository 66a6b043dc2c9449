// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

/**
 * How long opening a database takes; each time is the median of several openings.
 *
 * @param records rows of the store that was closed
 * @param openMillis opening that store
 * @param regions regions of the second store, each with a sorted table
 * @param openRegionsMillis opening that store
 * @param logBytes log of the third store, which was not closed
 * @param replayMillis opening that store, which replays the log
 * @param replayBytesPerSecond rate of that
 */
public record OpenFigures(
    long records,
    double openMillis,
    int regions,
    double openRegionsMillis,
    long logBytes,
    double replayMillis,
    double replayBytesPerSecond) {}
