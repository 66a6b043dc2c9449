// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.memstore.segment.Segment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Holds the current {@link SegmentList}. Every change copies the list and swaps the reference by
 * compare-and-set (section 3.3 of the paper). Thread-safe.
 */
final class CurrentSegments {
  private static final VarHandle LIST = handle();

  /** Set by {@link #LIST} alone. A field, not an AtomicReference: reads follow one link less. */
  private volatile SegmentList list;

  /**
   * Creates the reference to a first list.
   *
   * @param first which this becomes a holder of
   */
  CurrentSegments(SegmentList first) {
    this.list = first;
  }

  private static VarHandle handle() {
    try {
      return MethodHandles.lookup().findVarHandle(CurrentSegments.class, "list", SegmentList.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Returns the list without holding it: its segments may be released at any time, unless another
   * holder keeps them.
   */
  SegmentList get() {
    return list;
  }

  /** Returns the list with the caller as one more holder. */
  SegmentList retain() {
    while (true) {
      SegmentList current = list;
      if (current.tryRetain()) {
        return current;
      }
    }
  }

  /** Applies a function to the current list, whose segments are held during the call. */
  <T> T ask(Function<SegmentList, T> question) {
    SegmentList current = retain();
    try {
      return question.apply(current);
    } finally {
      current.release();
    }
  }

  /**
   * Replaces the list by an edited copy, and repeats this if another thread has changed the list in
   * between. An active segment that the edit replaces is sealed only after the swap: until then,
   * anything that fails, such as an allocation, must leave writers a segment that lets them in.
   *
   * @param edit returns a new list, or the one it was given to leave it; must not seal
   * @return whether the list was changed
   */
  boolean change(UnaryOperator<SegmentList> edit) {
    while (true) {
      SegmentList old = retain();
      try {
        SegmentList next = edit.apply(old);
        if (next == old) {
          return false;
        }
        if (LIST.compareAndSet(this, old, next)) {
          if (next.active() != old.active()) {
            old.active().seal();
          }
          old.release();
          return true;
        }
        next.release();
      } finally {
        old.release();
      }
    }
  }

  /**
   * Replaces the list for good. Writers do not hold the segment that they are in, so this waits for
   * those inside before it releases the old list.
   *
   * @param last takes no memory; this becomes a holder of it
   * @return the old list, whose segments may be gone
   */
  SegmentList close(SegmentList last) {
    SegmentList old = (SegmentList) LIST.getAndSet(this, last);
    old.active().seal();
    for (int i = 0; i < old.all().size(); i++) {
      if (old.all().get(i) instanceof MutableSegment sealed) {
        sealed.awaitQuiescence();
      }
    }
    old.release();
    return old;
  }

  /** Replaces neighbours in the pipeline if they are still there; returns whether they were. */
  boolean replace(List<? extends Segment> sources, @Nullable ImmutableSegment replacement) {
    return change(
        old -> {
          int at = old.pipeline().indexOf(sources.get(0));
          if (at < 0) {
            return old;
          }
          List<Segment> pipeline = new ArrayList<>(old.pipeline());
          List<Segment> replaced = pipeline.subList(at, at + sources.size());
          assert replaced.equals(sources);
          replaced.clear();
          if (replacement != null) {
            pipeline.add(at, replacement);
          }
          return old.with(old.active(), pipeline);
        });
  }

  /** Puts a segment into the pipeline, behind the present active segment. */
  void putIntoPipeline(ImmutableSegment segment, SegmentFactory factory) {
    change(
        old -> {
          List<Segment> pipeline = new ArrayList<>(old.pipeline());
          MutableSegment active = old.active();
          if (active.cellCount() == 0) {
            pipeline.add(0, segment);
            return old.with(active, pipeline);
          }
          pipeline.add(0, active);
          pipeline.add(0, segment);
          return factory.withNewActive(old, pipeline);
        });
  }
}
