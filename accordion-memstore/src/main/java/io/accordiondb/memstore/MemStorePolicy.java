// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

/**
 * A policy with its parameters, as section 3.2 of the paper names them. Immutable; each {@code
 * with} method returns a changed copy.
 *
 * <p>The defaults follow the paper's discussion: ADAPTIVE "offers the best performance vs disk-wear
 * tradeoff"; A = 0.02 was the best in all its settings with small cells; S = 5 suits
 * write-intensive work; R = 0.2 suits the skew that production workloads usually have. Merges are
 * {@link MergeSchedule#TIERED} where the paper merges all segments: under BASIC that absorbs 3 %
 * more and gets are half as fast again, while writes are as fast (docs/lab-notes/memory-store.md).
 *
 * @param kind which policy
 * @param activeFraction A: the share of the store's flush size at which the active segment is
 *     sealed; above 0, at most 1
 * @param pipelineSegmentsMax S: sealed segments that may be in the pipeline before they are merged;
 *     1 to 30
 * @param redundancyThreshold R: the share of redundant keys above which ADAPTIVE compacts; 0 to 1
 * @param mergeSchedule how many segments BASIC, and ADAPTIVE where it drops nothing, merge
 */
public record MemStorePolicy(
    Policy kind,
    double activeFraction,
    int pipelineSegmentsMax,
    double redundancyThreshold,
    MergeSchedule mergeSchedule) {

  /** ADAPTIVE with A = 0.02, S = 5, R = 0.2. */
  public static final MemStorePolicy DEFAULT = of(Policy.ADAPTIVE);

  /**
   * Checks the values.
   *
   * @param kind which policy
   * @param activeFraction A of the paper
   * @param pipelineSegmentsMax S of the paper
   * @param redundancyThreshold R of the paper
   * @param mergeSchedule how many segments are merged
   */
  public MemStorePolicy {
    if (!(activeFraction > 0 && activeFraction <= 1)) {
      throw new IllegalArgumentException(
          "active fraction (A) is " + activeFraction + ", expected above 0, at most 1");
    }
    if (pipelineSegmentsMax < 1 || pipelineSegmentsMax > 30) {
      throw new IllegalArgumentException(
          "pipeline segments (S) is " + pipelineSegmentsMax + ", expected 1 to 30");
    }
    if (!(redundancyThreshold >= 0 && redundancyThreshold <= 1)) {
      throw new IllegalArgumentException(
          "redundancy threshold (R) is " + redundancyThreshold + ", expected 0 to 1");
    }
  }

  /**
   * Creates a policy with the default merge schedule.
   *
   * @param kind which policy
   * @param activeFraction A of the paper
   * @param pipelineSegmentsMax S of the paper
   * @param redundancyThreshold R of the paper
   */
  public MemStorePolicy(
      Policy kind, double activeFraction, int pipelineSegmentsMax, double redundancyThreshold) {
    this(kind, activeFraction, pipelineSegmentsMax, redundancyThreshold, MergeSchedule.TIERED);
  }

  /**
   * {@return a policy with the default parameters}
   *
   * @param kind which policy
   */
  public static MemStorePolicy of(Policy kind) {
    return new MemStorePolicy(kind, 0.02, 5, 0.2);
  }

  /**
   * {@return a copy with another A}
   *
   * @param fraction A: above 0, at most 1
   */
  public MemStorePolicy withActiveFraction(double fraction) {
    return new MemStorePolicy(
        kind, fraction, pipelineSegmentsMax, redundancyThreshold, mergeSchedule);
  }

  /**
   * {@return a copy with another S}
   *
   * @param segments S: 1 to 30
   */
  public MemStorePolicy withPipelineSegmentsMax(int segments) {
    return new MemStorePolicy(kind, activeFraction, segments, redundancyThreshold, mergeSchedule);
  }

  /**
   * {@return a copy with another R}
   *
   * @param threshold R: 0 to 1
   */
  public MemStorePolicy withRedundancyThreshold(double threshold) {
    return new MemStorePolicy(kind, activeFraction, pipelineSegmentsMax, threshold, mergeSchedule);
  }

  /**
   * {@return a copy with another merge schedule}
   *
   * @param schedule how many segments are merged
   */
  public MemStorePolicy withMergeSchedule(MergeSchedule schedule) {
    return new MemStorePolicy(
        kind, activeFraction, pipelineSegmentsMax, redundancyThreshold, schedule);
  }
}
