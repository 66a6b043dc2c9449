// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import io.accordiondb.kafka.streams.internal.space.KeySpace;
import io.accordiondb.kafka.streams.internal.space.TaskStore;

/**
 * The time of a store, and the segments that are live at that time. One thread advances it; any
 * thread may read it.
 */
final class SegmentClock {
  private final long retentionMillis;
  private final long segmentMillis;

  private volatile long now = -1;

  /** Segments below this were dropped. */
  private long droppedBelow = Long.MIN_VALUE;

  SegmentClock(long retentionMillis, long segmentMillis) {
    this.retentionMillis = retentionMillis;
    this.segmentMillis = segmentMillis;
  }

  /** Begins anew: the store is opened, perhaps without what it had. */
  void reset() {
    now = -1;
    droppedBelow = Long.MIN_VALUE;
  }

  /** Returns the highest time that the store has been given since it was opened, or -1. */
  long now() {
    return now;
  }

  /** Advances the time of the store to a time, if that is later. */
  void advance(long time) {
    if (time > now) {
      now = time;
    }
  }

  /** Returns the segment of a time. */
  long segmentOf(long time) {
    return time / segmentMillis;
  }

  /** Returns whether the segment of a time has not expired. */
  boolean isLive(long time) {
    return segmentOf(time) >= liveFrom();
  }

  /** Returns the segment of a time, which must be live, and drops those that are not. */
  KeySpace segment(TaskStore store, long time) {
    KeySpace segment = store.segment(segmentOf(time));
    dropExpired(store);
    return segment;
  }

  /** Drops the segments that are not live. */
  void dropExpired(TaskStore store) {
    long live = liveFrom();
    if (live > droppedBelow) {
      store.dropSegmentsBelow(live);
      droppedBelow = live;
    }
  }

  private long liveFrom() {
    return segmentOf(now - retentionMillis);
  }
}
