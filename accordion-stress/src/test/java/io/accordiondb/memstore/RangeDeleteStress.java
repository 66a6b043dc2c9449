// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two writers delete ranges, and one of them reads while the cells move into the pipeline. */
@JCStressTest
@Outcome(id = "10, 12, 0", expect = ACCEPTABLE, desc = "Read before those of the other writer.")
@Outcome(id = "11, 12, 0", expect = ACCEPTABLE, desc = "Read between them.")
@Outcome(id = "12, 12, 0", expect = ACCEPTABLE, desc = "Read after all.")
@State
public class RangeDeleteStress {
  private final StressedStore store = StressedStore.ofRows(Policy.BASIC, 5);

  public RangeDeleteStress() {
    store.add(0);
  }

  @Actor
  public void write() {
    store.deleteRange('a', 'b', 1);
    store.memStore().flushInMemory();
    store.deleteRange('a', 'c', 2);
  }

  @Actor
  public void writeAndRead(III_Result result) {
    store.deleteRange('d', 'e', 10);
    result.r1 = (int) store.deletedBelow('a', 'd');
  }

  @Arbiter
  public void check(III_Result result) {
    result.r2 = (int) store.deletedBelow('a', 'd');
    result.r3 = Math.min(0, store.finish());
  }
}
