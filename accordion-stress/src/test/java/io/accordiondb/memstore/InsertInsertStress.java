// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two writers insert side by side. */
public class InsertInsertStress {
  /** Into neighbouring rows. */
  @JCStressTest
  @Outcome(id = "15", expect = ACCEPTABLE, desc = "All cells, each once, in order.")
  @State
  public static class Rows {
    private final StressedStore store = StressedStore.ofRows(Policy.BASIC, 5);

    @Actor
    public void first() {
      store.add(0);
      store.add(2);
    }

    @Actor
    public void second() {
      store.add(1);
      store.add(3);
    }

    @Arbiter
    public void check(I_Result result) {
      result.r1 = store.finish();
    }
  }

  /** Into one column. */
  @JCStressTest
  @Outcome(id = "15", expect = ACCEPTABLE, desc = "All versions, each once, newest first.")
  @State
  public static class Versions {
    private final StressedStore store = StressedStore.ofVersions(Policy.BASIC, 5);

    @Actor
    public void first() {
      store.add(3);
      store.add(1);
    }

    @Actor
    public void second() {
      store.add(0);
      store.add(2);
    }

    @Arbiter
    public void check(I_Result result) {
      result.r1 = store.finish();
    }
  }
}
