// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.retention.CellExpiry;
import io.accordiondb.retention.OperandMerge;
import io.accordiondb.retention.VersionRules;
import org.jspecify.annotations.Nullable;

/**
 * The options of one memory store. Immutable.
 *
 * @param policy policy and parameters
 * @param versionRules which cells a compaction may drop
 * @param flushBytes the store's share of the host's memory, in bytes. A is a fraction of it, or of
 *     the store's size once that is larger
 * @param layout form of the segments; no effect under {@link Policy#NONE}, which has only the
 *     legacy structure
 * @param merge combines the operands of merges; null if the host writes none
 * @param expiry decides whether single puts have expired; null for none
 */
public record MemStoreOptions(
    MemStorePolicy policy,
    VersionRules versionRules,
    long flushBytes,
    SegmentLayout layout,
    @Nullable OperandMerge merge,
    @Nullable CellExpiry expiry) {
  /** An active segment is not sealed before it has this many bytes, however small the store. */
  private static final long ACTIVE_BYTES_MIN = 4 << 10;

  /** AUTO seals at this size at the latest, to stay in the cache of the writing core. */
  private static final long ACTIVE_BYTES_MAX_AUTO = 2 << 20;

  /**
   * Checks the values.
   *
   * @param policy policy and parameters
   * @param versionRules which cells a compaction may drop
   * @param flushBytes the store's share of the host's memory, in bytes, at least 1
   * @param layout form of the segments
   * @param merge combines the operands of merges; null if the host writes none
   * @param expiry decides whether single puts have expired; null for none
   */
  public MemStoreOptions {
    if (flushBytes < 1) {
      throw new IllegalArgumentException("flush size is " + flushBytes + " bytes, expected > 0");
    }
  }

  /**
   * Creates options of a store without a merge operator, whose puts expire by the rules alone.
   *
   * @param policy policy and parameters
   * @param versionRules which cells a compaction may drop
   * @param flushBytes the store's share of the host's memory, in bytes, at least 1
   * @param layout form of the segments
   */
  public MemStoreOptions(
      MemStorePolicy policy, VersionRules versionRules, long flushBytes, SegmentLayout layout) {
    this(policy, versionRules, flushBytes, layout, null, null);
  }

  /**
   * Creates options with the default layout.
   *
   * @param policy policy and parameters
   * @param versionRules which cells a compaction may drop
   * @param flushBytes the store's share of the host's memory, in bytes, at least 1
   */
  public MemStoreOptions(MemStorePolicy policy, VersionRules versionRules, long flushBytes) {
    this(policy, versionRules, flushBytes, SegmentLayout.DEFAULT);
  }

  /** Returns the bytes of cells at which the active segment before such a pipeline is sealed. */
  long activeSealBytes(long pipelineBytes) {
    double storeBytes = Math.max(flushBytes, pipelineBytes);
    long bytes = (long) (policy.activeFraction() * storeBytes);
    if (policy.kind() == Policy.AUTO) {
      bytes = Math.min(bytes, ACTIVE_BYTES_MAX_AUTO);
    }
    return Math.max(ACTIVE_BYTES_MIN, bytes);
  }
}
