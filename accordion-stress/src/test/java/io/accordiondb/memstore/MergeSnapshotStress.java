// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A disk flush takes the segments that are being merged, while a writer goes on. */
public class MergeSnapshotStress {
  /** The indices are merged. */
  @JCStressTest
  @Outcome(id = "3, 4", expect = ACCEPTABLE, desc = "The new cell stays in memory.")
  @Outcome(id = "7, 0", expect = ACCEPTABLE, desc = "All flushed.")
  @State
  public static class Merge {
    private final StressedStore store = StressedStore.ofRows(Policy.BASIC, 1);

    public Merge() {
      store.add(1);
      store.memStore().flushInMemory();
      store.add(0);
    }

    @Actor
    public void mergeAndWrite() {
      store.memStore().flushInMemory();
      store.add(2);
    }

    @Actor
    public void flush(II_Result result) {
      result.r1 = store.scan(store.memStore().snapshot());
      store.memStore().clearSnapshot();
    }

    @Arbiter
    public void check(II_Result result) {
      result.r2 = store.finish();
    }
  }

  /** Old versions are dropped. */
  @JCStressTest
  @Outcome(id = "3, 4", expect = ACCEPTABLE, desc = "Flushed before compaction, newest stays.")
  @Outcome(id = "2, 4", expect = ACCEPTABLE, desc = "Flushed after compaction, newest stays.")
  @Outcome(id = "6, 0", expect = ACCEPTABLE, desc = "All flushed, the two old ones compacted.")
  @Outcome(id = "4, 0", expect = ACCEPTABLE, desc = "All flushed, after compaction of all.")
  @State
  public static class Compaction {
    private final StressedStore store = StressedStore.ofVersions(Policy.EAGER, 5);

    public Compaction() {
      store.add(0);
      store.memStore().flushInMemory();
      store.add(1);
    }

    @Actor
    public void compactAndWrite() {
      store.memStore().flushInMemory();
      store.add(2);
      store.memStore().flushInMemory();
    }

    @Actor
    public void flush(II_Result result) {
      result.r1 = store.scan(store.memStore().snapshot());
      store.memStore().clearSnapshot();
    }

    @Arbiter
    public void check(II_Result result) {
      result.r2 = store.finish();
    }
  }
}
