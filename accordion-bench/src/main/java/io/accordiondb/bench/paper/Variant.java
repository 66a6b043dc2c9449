// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.memstore.layout.SegmentLayout;

/**
 * A memory store under a policy, as the subject of a comparison. Immutable.
 *
 * @param name its name in tables
 * @param engine name of the engine
 * @param policy policy with its parameters
 * @param layout form of the segments; for the embedded store
 */
record Variant(String name, String engine, MemStorePolicy policy, SegmentLayout layout) {
  static Variant of(String name, String engine, MemStorePolicy policy) {
    return new Variant(name, engine, policy, SegmentLayout.DEFAULT);
  }

  Variant named(String other) {
    return new Variant(other, engine, policy, layout);
  }

  /** Returns a copy with another A; the policy without segments has none. */
  Variant withActiveFraction(double fraction) {
    return with(policy.withActiveFraction(fraction));
  }

  /** Returns a copy with another S; the policy without segments has none. */
  Variant withPipelineSegmentsMax(int segments) {
    return with(policy.withPipelineSegmentsMax(segments));
  }

  private Variant with(MemStorePolicy other) {
    return policy.kind() == Policy.NONE ? this : new Variant(name, engine, other, layout);
  }

  Variant withLayout(SegmentLayout other) {
    return new Variant(name, engine, policy, other);
  }
}
