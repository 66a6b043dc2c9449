// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import java.util.List;

/** Spearman's rank correlation. */
final class RankCorrelation {
  private RankCorrelation() {}

  /** Returns the correlation of pairs, -1 to 1; 0 if one of them never changes. */
  static double of(List<double[]> pairs) {
    double[] first = ranks(pairs.stream().mapToDouble(pair -> pair[0]).toArray());
    double[] second = ranks(pairs.stream().mapToDouble(pair -> pair[1]).toArray());
    double mean = (pairs.size() + 1) / 2.0;
    double covariance = 0;
    double firstVariance = 0;
    double secondVariance = 0;
    for (int i = 0; i < first.length; i++) {
      covariance += (first[i] - mean) * (second[i] - mean);
      firstVariance += (first[i] - mean) * (first[i] - mean);
      secondVariance += (second[i] - mean) * (second[i] - mean);
    }
    double variance = Math.sqrt(firstVariance * secondVariance);
    return variance == 0 ? 0 : covariance / variance;
  }

  /** Returns each value's place from 1 on; equal values share the middle of theirs. */
  private static double[] ranks(double[] values) {
    double[] ranks = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      int lower = 0;
      int equal = 0;
      for (double other : values) {
        lower += other < values[i] ? 1 : 0;
        equal += other == values[i] ? 1 : 0;
      }
      ranks[i] = lower + (equal + 1) / 2.0;
    }
    return ranks;
  }
}
