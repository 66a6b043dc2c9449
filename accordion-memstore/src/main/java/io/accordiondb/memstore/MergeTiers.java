// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.memstore.segment.Segment;
import java.util.List;

/**
 * Chooses how many of the newest segments to merge, so that the cost of merging stays low in the
 * long run.
 */
final class MergeTiers {
  private MergeTiers() {}

  /**
   * Returns how many segments to merge, at least 2.
   *
   * @param segments newest first, at least 2
   */
  static int cheapest(List<? extends Segment> segments) {
    int cheapest = segments.size();
    double leastCost = Double.POSITIVE_INFINITY;
    long cells = segments.get(0).cellCount();
    for (int count = 2; count <= segments.size(); count++) {
      cells += segments.get(count - 1).cellCount();
      // Merging more at once is dearer now and saves merges later: the square of the number of
      // segments saved comes close to the least that any schedule needs.
      double cost = (double) cells / ((count - 1) * (count - 1));
      if (cost < leastCost) {
        leastCost = cost;
        cheapest = count;
      }
    }
    return cheapest;
  }
}
