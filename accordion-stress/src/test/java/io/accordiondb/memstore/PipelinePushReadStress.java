// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A segment enters the pipeline and is merged with the one before it, under a reader. */
@JCStressTest
@Outcome(id = "7, 7, 7", expect = ACCEPTABLE, desc = "Each cell once, wherever it stands.")
@State
public class PipelinePushReadStress {
  private final StressedStore store = StressedStore.ofRows(Policy.BASIC, 1);

  public PipelinePushReadStress() {
    store.add(1);
    store.memStore().flushInMemory();
    store.add(0);
    store.add(2);
  }

  @Actor
  public void push() {
    store.memStore().flushInMemory();
  }

  @Actor
  public void read(III_Result result) {
    try (MemStoreView view = store.memStore().view()) {
      result.r1 = store.scan(view, Long.MAX_VALUE);
      result.r2 = store.scan(Long.MAX_VALUE) == result.r1 ? store.scan(view, Long.MAX_VALUE) : 0;
    }
  }

  @Arbiter
  public void check(III_Result result) {
    result.r3 = store.finish();
  }
}
