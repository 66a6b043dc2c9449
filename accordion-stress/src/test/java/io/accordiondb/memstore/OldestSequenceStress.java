// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.accordiondb.memstore.segment.SegmentStats;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** The oldest sequence number is never above one that is added and not flushed. */
public class OldestSequenceStress {
  /** While the cells move into the pipeline. */
  @JCStressTest
  @Outcome(id = "0, 0, 1", expect = ACCEPTABLE, desc = "Asked before the first insertion.")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "Asked during the first insertion.")
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "Asked after the first.")
  @Outcome(id = "2, 1, 1", expect = ACCEPTABLE, desc = "Asked after both.")
  @State
  public static class InMemoryFlush {
    private final StressedStore store = StressedStore.ofRows(Policy.EAGER, 5);

    @Actor
    public void write() {
      store.add(0);
      store.memStore().flushInMemory();
      store.add(1);
    }

    @Actor
    public void ask(III_Result result) {
      result.r1 = (int) store.readPoint();
      result.r2 = oldest();
    }

    @Arbiter
    public void check(III_Result result) {
      result.r3 = oldest();
      store.finish();
    }

    private int oldest() {
      long oldest = store.memStore().oldestSequence();
      return oldest == Long.MAX_VALUE ? 0 : (int) oldest;
    }
  }

  /**
   * The sequence number during a disk flush: as read, as left behind, and as the listener gets it.
   */
  @JCStressTest
  @Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "Never too high.")
  @State
  public static class DiskFlush implements MemStoreListener {
    private final StressedStore store = StressedStore.ofRows(Policy.BASIC, 5, this);
    private volatile long flushed;
    private volatile boolean toldTooHigh;

    public DiskFlush() {
      store.add(0);
    }

    @Actor
    public void writeAndAsk(ZZZ_Result result) {
      store.add(1);
      boolean sound = ask();
      store.add(2);
      result.r1 = sound && ask();
    }

    private boolean ask() {
      long added = store.readPoint();
      long oldest = store.memStore().oldestSequence();
      return isSound(oldest, added, flushed);
    }

    @Actor
    public void flush() {
      flushed = store.memStore().snapshot().maxSequence();
      store.memStore().clearSnapshot();
    }

    @Override
    public void onOldestSequence(long oldestSequence) {
      if (!isSound(oldestSequence, store.readPoint(), flushed)) {
        toldTooHigh = true;
      }
    }

    @Arbiter
    public void check(ZZZ_Result result) {
      long oldest = store.memStore().oldestSequence();
      result.r2 = oldest == (flushed == 3 ? Long.MAX_VALUE : flushed + 1);
      result.r3 = !toldTooHigh;
      store.finish();
    }

    /** Returns whether a number covers what was added before it was asked for and not flushed. */
    private static boolean isSound(long oldest, long added, long flushed) {
      return added <= flushed || oldest <= flushed + 1;
    }
  }

  /** Two writers add to one segment, the one with the lower sequence number perhaps as the last. */
  @JCStressTest
  @Outcome(id = "1, 2, 2", expect = ACCEPTABLE, desc = "Both count.")
  @State
  public static class TwoWriters {
    private final StressedStore store = StressedStore.ofRows(Policy.BASIC, 5);

    @Actor
    public void writeFirst() {
      store.add(0);
    }

    @Actor
    public void writeSecond() {
      store.add(1);
    }

    @Arbiter
    public void check(III_Result result) {
      SegmentStats stats = store.memStore().segments().get().active().stats();
      result.r1 = (int) store.memStore().oldestSequence();
      result.r2 = (int) stats.maxSequence();
      result.r3 = (int) stats.cells();
      store.finish();
    }
  }
}
