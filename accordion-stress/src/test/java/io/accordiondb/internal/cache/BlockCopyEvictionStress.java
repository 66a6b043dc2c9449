// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A block is copied, without a pin, while it is evicted and others take its place. */
@JCStressTest
@Outcome(id = "2, 0", expect = ACCEPTABLE, desc = "The block was copied before it went.")
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The block had gone.")
@State
public class BlockCopyEvictionStress {
  private final StressedSlab slab = new StressedSlab();

  @Actor
  public void evict() {
    slab.reclaim(block -> false);
  }

  @Actor
  public void read(II_Result result) {
    result.r1 = slab.copy();
  }

  @Arbiter
  public void check(II_Result result) {
    result.r2 = slab.copy();
  }
}
