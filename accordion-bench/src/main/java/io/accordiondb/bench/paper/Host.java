// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The database whose memory stores are compared. */
public enum Host {
  /** The embedded store. */
  EMBEDDED(64 << 20),
  /** HBase's regions in this process, with HBase's memory stores and with Accordion's. */
  HBASE(256 << 20);

  static final String EMBEDDED_ENGINE = "accordion";

  /** HBase with the paper's parameters, and without its chunks, as in the paper. */
  private static final String HBASE_SUFFIX = "-heap-paper";

  private final long heapBaseBytes;

  Host(long heapBaseBytes) {
    this.heapBaseBytes = heapBaseBytes;
  }

  /** Returns the heap that the process itself needs, whatever the size of the work. */
  public long heapBaseBytes() {
    return heapBaseBytes;
  }

  /** Returns the legacy memory store, which is the baseline. */
  Variant none() {
    return own(Policy.NONE);
  }

  /** Returns BASIC with A = 0.02 and S = 5. */
  Variant basic() {
    return own(Policy.BASIC);
  }

  /** Returns EAGER with A = 0.02. */
  Variant eager() {
    return own(Policy.EAGER);
  }

  /** Returns ADAPTIVE with R = 0.2. */
  Variant adaptive() {
    return adaptive(0.2);
  }

  private Variant adaptive(double threshold) {
    Variant adaptive = own(Policy.ADAPTIVE);
    return Variant.of(
        adaptive.name() + " R=" + threshold,
        adaptive.engine(),
        adaptive.policy().withRedundancyThreshold(threshold));
  }

  /** Returns the host's own memory store under a policy. */
  private Variant own(Policy policy) {
    return switch (this) {
      case EMBEDDED -> Variant.of(policy.name(), EMBEDDED_ENGINE, MemStorePolicy.of(policy));
      case HBASE ->
          Variant.of(
              "HBase " + policy,
              "hbase-" + policy.name().toLowerCase(Locale.ROOT) + HBASE_SUFFIX,
              MemStorePolicy.of(policy));
    };
  }

  private static Variant plugIn(Policy policy) {
    return Variant.of(
        "Accordion " + policy, "hbase-accordion" + HBASE_SUFFIX, MemStorePolicy.of(policy));
  }

  /** Returns all policies of the paper and beyond; the first is the baseline. */
  List<Variant> policies() {
    List<Variant> policies = new ArrayList<>(List.of(none(), basic(), adaptive()));
    switch (this) {
      case EMBEDDED -> policies.addAll(List.of(adaptive(0.35), adaptive(0.5), own(Policy.AUTO)));
      case HBASE ->
          policies.addAll(
              List.of(plugIn(Policy.BASIC), plugIn(Policy.ADAPTIVE), plugIn(Policy.AUTO)));
    }
    return policies;
  }
}
