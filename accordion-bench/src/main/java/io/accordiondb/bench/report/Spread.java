// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.report;

import java.util.Arrays;
import java.util.Collection;

/**
 * Several runs of one measurement. Immutable.
 *
 * @param median the middle one, or the mean of the middle two
 * @param lowest lowest of them
 * @param highest highest of them
 */
public record Spread(double median, double lowest, double highest) {
  /**
   * Returns the spread of runs.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static Spread of(double... runs) {
    if (runs.length == 0) {
      throw new IllegalArgumentException("there is no run to take the median of");
    }
    double[] sorted = runs.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1]);
  }

  /**
   * Returns the spread of runs.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static Spread of(Collection<Double> runs) {
    return of(runs.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
