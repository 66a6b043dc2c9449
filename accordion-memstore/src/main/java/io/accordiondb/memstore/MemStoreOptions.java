// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.retention.VersionRules;

/**
 * How one memory store behaves. Immutable.
 *
 * @param policy policy and parameters
 * @param versionRules which cells a compaction may drop
 * @param flushBytes the store's share of the host's memory, in bytes: what A is a fraction of,
 *     unless the store has grown beyond it
 */
public record MemStoreOptions(MemStorePolicy policy, VersionRules versionRules, long flushBytes) {
  /** An active segment is not sealed before it has this many bytes, however small the store. */
  private static final long ACTIVE_BYTES_MIN = 4 << 10;

  public MemStoreOptions {
    if (flushBytes < 1) {
      throw new IllegalArgumentException("flush size is " + flushBytes + " bytes, expected > 0");
    }
  }

  /** Returns the bytes of cells at which the active segment before such a pipeline is sealed. */
  long activeSealBytes(long pipelineBytes) {
    double storeBytes = Math.max(flushBytes, pipelineBytes);
    return Math.max(ACTIVE_BYTES_MIN, (long) (policy.activeFraction() * storeBytes));
  }
}
