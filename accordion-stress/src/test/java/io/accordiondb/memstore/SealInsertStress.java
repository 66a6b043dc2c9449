// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The active segment is sealed and flattened under a writer, and read. */
@JCStressTest
@Outcome(id = "1, 1, 7", expect = ACCEPTABLE, desc = "The reader sees what was there.")
@Outcome(id = "2, 3, 7", expect = ACCEPTABLE, desc = "The reader sees one more.")
@Outcome(id = "3, 7, 7", expect = ACCEPTABLE, desc = "The reader sees both.")
@State
public class SealInsertStress {
  private final StressedStore store = StressedStore.ofRows(Policy.BASIC, 5);

  public SealInsertStress() {
    store.add(0);
  }

  @Actor
  public void write() {
    store.add(1);
    store.add(2);
  }

  @Actor
  public void sealAndRead(III_Result result) {
    store.memStore().flushInMemory();
    long readPoint = store.readPoint();
    result.r1 = (int) readPoint;
    result.r2 = store.scan(readPoint);
  }

  @Arbiter
  public void check(III_Result result) {
    result.r3 = store.finish();
  }
}
