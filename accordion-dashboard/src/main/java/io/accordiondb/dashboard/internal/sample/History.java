// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.sample;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Keeps the last ten minutes: one frame for each second, and all events; less if that would take
 * more than {@value #BYTES_MAX} bytes or {@value #EVENTS_MAX} events. Thread-safe.
 */
final class History {
  static final long MILLIS = 10 * 60_000L;
  static final int BYTES_MAX = 16 << 20;
  static final int EVENTS_MAX = 5_000;

  /** Frames closer together than this are not kept; a little less than the interval of readings. */
  private static final long FRAME_MILLIS = 950;

  @GuardedBy("this")
  private final Deque<Frame> frames = new ArrayDeque<>();

  @GuardedBy("this")
  private final Deque<TimelineEvent> events = new ArrayDeque<>();

  @GuardedBy("this")
  private long bytes;

  synchronized void add(Frame frame, List<TimelineEvent> happened) {
    Frame last = frames.peekLast();
    if (last == null || frame.atMillis() - last.atMillis() >= FRAME_MILLIS) {
      frames.add(frame);
      bytes += frame.json().length;
    }
    events.addAll(happened);
    long oldest = frame.atMillis() - MILLIS;
    while (frames.size() > 1 && (bytes > BYTES_MAX || frames.getFirst().atMillis() < oldest)) {
      bytes -= frames.removeFirst().json().length;
    }
    while (!events.isEmpty()
        && (events.size() > EVENTS_MAX || events.getFirst().atMillis() < oldest)) {
      events.removeFirst();
    }
  }

  /** Returns the frames, the oldest first. */
  synchronized List<Frame> frames() {
    return List.copyOf(frames);
  }

  /** Returns the events, the oldest first. */
  synchronized List<TimelineEvent> events() {
    return List.copyOf(events);
  }
}
