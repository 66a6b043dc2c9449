// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

/** What a memory store does with its sealed segments (section 3.2 of the paper). */
public enum Policy {
  /** The legacy structure: one skip list until the flush to disk; no pipeline. */
  NONE,
  /** Flattens sealed segments and merges their indices; drops nothing. */
  BASIC,
  /** Compacts at every in-memory flush: merges and drops what no reader needs. */
  EAGER,
  /** Merges as {@link #BASIC} or compacts as {@link #EAGER}, as the redundancy it sees suggests. */
  ADAPTIVE,
  /**
   * Beyond the paper: estimates from sketches what compacting the newest segments would gain and
   * compacts as many as gain most, or merges as few as keep merging cheap in the long run. R and
   * the throttle have no part in it, and A is bounded by what fits the processor's cache.
   */
  AUTO
}
