// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A reader sees all up to its read point, while a writer inserts before and behind it. */
@JCStressTest
@Outcome(id = "0, 0, 7", expect = ACCEPTABLE, desc = "Nothing visible yet.")
@Outcome(id = "1, 1, 7", expect = ACCEPTABLE, desc = "One visible and seen.")
@Outcome(id = "2, 3, 7", expect = ACCEPTABLE, desc = "Two visible and seen.")
@Outcome(id = "3, 7, 7", expect = ACCEPTABLE, desc = "All visible and seen.")
@State
public class InsertReadStress {
  private final StressedStore store = StressedStore.ofRows(Policy.BASIC, 5);

  @Actor
  public void write() {
    store.add(0);
    store.add(1);
    store.add(2);
  }

  @Actor
  public void read(III_Result result) {
    long readPoint = store.readPoint();
    result.r1 = (int) readPoint;
    result.r2 = store.scan(readPoint);
  }

  @Arbiter
  public void check(III_Result result) {
    result.r3 = store.finish();
  }
}
