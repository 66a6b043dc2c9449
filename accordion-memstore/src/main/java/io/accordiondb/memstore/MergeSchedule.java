// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.memstore.segment.Segment;
import java.util.List;

/**
 * How many of the newest segments are merged when the pipeline is too long and no cell can be
 * dropped.
 */
public enum MergeSchedule {
  /** All of them, as in the paper; one segment is left. */
  ALL {
    @Override
    int segmentsToMerge(List<? extends Segment> segments) {
      return segments.size();
    }
  },

  /**
   * As many as cost least in the long run: those with the fewest cells for the square of the number
   * of segments saved, so large segments are seldom merged again. Readers search more segments, at
   * most S.
   */
  TIERED {
    @Override
    int segmentsToMerge(List<? extends Segment> segments) {
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
  };

  /**
   * Returns how many segments to merge, at least 2.
   *
   * @param segments newest first, at least 2
   */
  abstract int segmentsToMerge(List<? extends Segment> segments);
}
