// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.retention.VersionRules;

/**
 * How one memory store behaves. Immutable.
 *
 * @param policy policy and parameters
 * @param versionRules which cells a compaction may drop
 * @param flushBytes memory at which the host flushes the store to disk, in bytes: what A is a
 *     fraction of
 */
public record MemStoreOptions(MemStorePolicy policy, VersionRules versionRules, long flushBytes) {
  /** An active segment is not sealed before it has this many bytes, however small the store. */
  private static final long ACTIVE_BYTES_MIN = 4 << 10;

  public MemStoreOptions {
    if (flushBytes < 1) {
      throw new IllegalArgumentException("flush size is " + flushBytes + " bytes, expected > 0");
    }
  }

  /** Returns the bytes of cells at which the active segment is sealed. */
  long activeSealBytes() {
    return Math.max(ACTIVE_BYTES_MIN, (long) (policy.activeFraction() * flushBytes));
  }
}
