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
  /**
   * Merges like {@link #BASIC} or compacts like {@link #EAGER}, depending on the measured
   * redundancy.
   */
  ADAPTIVE,
  /**
   * Beyond the paper: estimates from sketches what compacting the newest segments would gain and
   * compacts as many as gain most, or merges as few as keep merging cheap in the long run. It does
   * not use R and the throttle, and A is bounded by the size of the processor's cache.
   */
  AUTO
}
