// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** A block is read in place, and copied, while it moves and its old place is used again. */
@JCStressTest
@Outcome(id = "2, 2, 2, 2", expect = ACCEPTABLE, desc = "The block was read at its places.")
@Outcome(id = "0, 2, 2, 2", expect = ACCEPTABLE, desc = "The block was moving, then copied.")
@Outcome(id = "2, 0, 2, 2", expect = ACCEPTABLE, desc = "The block was read, then moving.")
@Outcome(id = "0, 0, 2, 2", expect = ACCEPTABLE, desc = "The block was moving.")
@State
public class BlockMoveStress {
  private final StressedSlab slab = new StressedSlab();

  @Actor
  public void move() {
    slab.reclaim(slab::isSecond);
  }

  @Actor
  public void read(IIII_Result result) {
    result.r1 = slab.read();
    result.r2 = slab.copy();
  }

  @Arbiter
  public void check(IIII_Result result) {
    result.r3 = slab.read();
    result.r4 = slab.copy();
  }
}
