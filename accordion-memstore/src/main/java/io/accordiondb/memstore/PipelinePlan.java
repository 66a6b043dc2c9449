// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

/**
 * A decision about the newest segments of a pipeline.
 *
 * @param action what to do
 * @param segments how many of the newest segments it concerns
 * @param survivors the share of their cells that is expected to survive a compaction, 0 to 1; 1 if
 *     unknown
 * @param reason why, in words
 */
record PipelinePlan(Action action, int segments, double survivors, String reason) {
  enum Action {
    LEAVE,
    MERGE,
    COMPACT
  }

  /** Returns a plan that leaves the segments as they are. */
  static PipelinePlan leave(String reason) {
    return new PipelinePlan(Action.LEAVE, 0, 1, reason);
  }

  /** Returns a plan to merge the indices of a number of segments. */
  static PipelinePlan merge(int segments, String reason) {
    return new PipelinePlan(Action.MERGE, segments, 1, reason);
  }

  /** Formats a share of 1 for a reason: in per cent, without decimals. */
  static String percent(double share) {
    return Math.round(100 * share) + "%";
  }
}
