// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A disk flush lets chunks go, and further cells overwrite them, while a view is open or opens. */
@JCStressTest
@Outcome(id = "7, 7, 56", expect = ACCEPTABLE, desc = "The view came before and shows all.")
@Outcome(id = "0, 0, 56", expect = ACCEPTABLE, desc = "The view came after and shows nothing.")
@State
public class ChunkReleaseStress {
  private static final long READ_POINT = 3;

  private final StressedStore store = StressedStore.ofRows(Policy.BASIC, 5);

  public ChunkReleaseStress() {
    store.add(1);
    store.memStore().flushInMemory();
    store.add(0);
    store.add(2);
  }

  @Actor
  public void flush() {
    store.memStore().snapshot();
    store.memStore().clearSnapshot();
    store.add(3);
    store.add(4);
    store.add(5);
  }

  @Actor
  public void read(III_Result result) {
    try (MemStoreView view = store.memStore().view()) {
      result.r1 = store.scan(view, READ_POINT);
      result.r2 = store.scan(view, READ_POINT);
    }
  }

  @Arbiter
  public void check(III_Result result) {
    result.r3 = store.finish();
  }
}
