// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

/**
 * What the processes have used in which an engine's store lives, if that is not the process that
 * measures.
 *
 * @param processes how many there are
 * @param collections collections of garbage, of all of them
 * @param collectionMillis how long these have taken together
 * @param peakMemoryBytes sum of their highest resident memory, 0 where unknown
 */
public record ServerFigures(
    int processes, long collections, long collectionMillis, long peakMemoryBytes) {

  /** Returns what was collected since an earlier moment; the memory stays as it is. */
  public ServerFigures minus(ServerFigures earlier) {
    return new ServerFigures(
        processes,
        collections - earlier.collections,
        collectionMillis - earlier.collectionMillis,
        peakMemoryBytes);
  }
}
