// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.memstore.PipelinePlan.Action;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.retention.ReadPointSet;
import io.accordiondb.retention.VersionRules;
import java.util.List;

/**
 * Decides by the policy what to do with the flat segments of a pipeline (section 3.2 of the paper),
 * and whether there is room for it. It has no effects: {@link PipelineWorker} carries the plan out.
 */
final class PipelinePlanner {
  /** A compaction does not start if it has room to copy less than one part in this many. */
  private static final int COPIED_PART_MIN = 16;

  private final StoreParts store;
  private final AdaptiveState adaptive;

  PipelinePlanner(StoreParts store, AdaptiveState adaptive) {
    this.store = store;
    this.adaptive = adaptive;
  }

  /** Returns the plan of the policy, whether or not there is room for it. */
  PipelinePlan plan(MemStorePolicy policy, List<ImmutableSegment> segments) {
    int all = segments.size();
    if (policy.kind() == Policy.NONE) {
      return PipelinePlan.leave("NONE has no pipeline");
    }
    if (policy.kind() == Policy.EAGER) {
      return all > 1
          ? new PipelinePlan(
              Action.COMPACT, all, 1, "EAGER compacts whenever a segment has been sealed")
          : PipelinePlan.leave("there is nothing to merge");
    }
    if (all <= policy.pipelineSegmentsMax()) {
      return PipelinePlan.leave(
          all + " flat segments, at most S = " + policy.pipelineSegmentsMax());
    }
    return planShorter(policy, segments);
  }

  /**
   * Returns the plan for a pipeline that is to become one segment, although it may be short enough:
   * the compaction that the policy would choose, or else a merge.
   */
  PipelinePlan planOne(MemStorePolicy policy, List<ImmutableSegment> segments) {
    boolean asAlways = policy.kind() == Policy.NONE || policy.kind() == Policy.EAGER;
    PipelinePlan plan = asAlways ? plan(policy, segments) : planShorter(policy, segments);
    return plan.action() == Action.COMPACT
        ? plan
        : PipelinePlan.merge(segments.size(), "next to nothing is being written");
  }

  private PipelinePlan planShorter(MemStorePolicy policy, List<ImmutableSegment> segments) {
    return switch (policy.kind()) {
      case ADAPTIVE -> planAdaptively(policy, segments);
      case AUTO -> new AutoPlanner(limits()).plan(segments);
      default ->
          PipelinePlan.merge(
              policy.mergeSchedule().segmentsToMerge(segments),
              "more than S = " + policy.pipelineSegmentsMax() + " segments");
    };
  }

  /**
   * Returns what a compaction may drop. Where it cannot judge cells that some readers do not see,
   * it would copy these again and again.
   */
  private AutoPlanner.Limits limits() {
    MemStoreOptions now = store.options().get();
    VersionRules rules = now.versionRules();
    ReadPointSet readPoints = store.environment().readers().readPoints();
    boolean judgesLateCells =
        now.merge() == null
            ? now.expiry() == null && rules.maxVersions() == 1
            : rules.ttlMillis() == VersionRules.FOREVER;
    boolean appliesRanges = store.segments().get().ranges().maxSequence() <= readPoints.smallest();
    return new AutoPlanner.Limits(
        rules.maxVersions(),
        readPoints.smallest(),
        judgesLateCells && appliesRanges ? readPoints.newest() : readPoints.smallest(),
        now.merge() == null);
  }

  private PipelinePlan planAdaptively(MemStorePolicy policy, List<ImmutableSegment> segments) {
    double threshold = policy.redundancyThreshold();
    double draw = store.environment().random().nextDouble();
    // Decide and read u at the same moment.
    synchronized (adaptive) {
      double uniqueness = adaptive.uniqueness();
      if (adaptive.shouldCompact(threshold, draw)) {
        return new PipelinePlan(
            Action.COMPACT,
            segments.size(),
            uniqueness,
            "estimated yield "
                + PipelinePlan.percent(1 - uniqueness)
                + " > "
                + PipelinePlan.percent(threshold));
      }
      return PipelinePlan.merge(
          policy.mergeSchedule().segmentsToMerge(segments),
          whyNotCompact(uniqueness, threshold, adaptive.throttle()));
    }
  }

  private static String whyNotCompact(double uniqueness, double threshold, double throttle) {
    if (Double.isNaN(uniqueness)) {
      return "yield unknown before the first merge";
    }
    String yield = "estimated yield " + PipelinePlan.percent(1 - uniqueness);
    return 1 - uniqueness > threshold
        ? yield + ", but not drawn with t = " + PipelinePlan.percent(throttle)
        : yield + " < " + PipelinePlan.percent(threshold);
  }

  /**
   * Returns whether there is room for a compaction. If it copies all survivors, it holds them in
   * addition to the sources, so all must fit. Otherwise a part of them must fit, or no memory would
   * become free.
   */
  boolean hasRoomToCompact(List<ImmutableSegment> sources, double survivors) {
    long held = 0;
    for (ImmutableSegment source : sources) {
      held += source.heldBytes();
    }
    return store.options().get().layout().index() == IndexKind.CHUNK
        ? roomBytes() >= held / COPIED_PART_MIN
        : roomBytes() >= (long) (survivors * held);
  }

  /**
   * Returns how many bytes copies may take without exceeding the budget. As long as the store is
   * within its share, they also must not fill the share, because a flush to disk would then be due.
   */
  long roomBytes() {
    long room = store.environment().budget().availableBytes();
    long shareLeft = store.options().get().flushBytes() - store.account().usedBytes();
    return shareLeft > 0 ? Math.min(room, shareLeft) : room;
  }
}
