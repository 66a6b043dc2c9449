// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

/**
 * What to do with the newest segments of a pipeline.
 *
 * @param action what to do
 * @param segments how many of the newest are concerned
 * @param survivors the share of their cells expected to survive a compaction, for want of knowledge
 *     1
 */
record PipelinePlan(Action action, int segments, double survivors) {
  enum Action {
    LEAVE,
    MERGE,
    COMPACT
  }

  static final PipelinePlan LEAVE = new PipelinePlan(Action.LEAVE, 0, 1);
}
