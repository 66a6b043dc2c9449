// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import java.util.Arrays;
import java.util.List;

/** The regions of a table in the order of their ranges, which cover all rows. Immutable. */
public final class RegionMap {
  private final List<Region> regions;
  private final Region[] byStart;

  /**
   * Creates a map. The first range must begin before all rows, and each further one where the one
   * before ends.
   */
  public RegionMap(List<Region> regions) {
    this.regions =
        regions.stream()
            .sorted((a, b) -> Arrays.compareUnsigned(a.startKey(), b.startKey()))
            .toList();
    this.byStart = this.regions.toArray(new Region[0]);
  }

  /** Returns all regions in order. */
  public List<Region> regions() {
    return regions;
  }

  /** Returns the position of the region that has a row. */
  public int indexOf(byte[] row) {
    int low = 0;
    int high = byStart.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (Arrays.compareUnsigned(byStart[middle].startKey(), row) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** Returns the region that has a row. */
  public Region regionOf(byte[] row) {
    return byStart[indexOf(row)];
  }
}
