// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.sample;

import io.accordiondb.ClosedException;
import io.accordiondb.DatabaseStatistics;
import io.accordiondb.dashboard.internal.sample.TimelineEvent.Kind;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One database: its newest figures, and older ones to compare them with. Not thread-safe: belongs
 * to the sampler's thread.
 */
final class ShownDatabase {
  /** Rates and latencies are those of a window of this length, so that they do not flicker. */
  private static final long WINDOW_NANOS = 2_000_000_000L;

  /** A reading of the figures, and when it was made by {@link System#nanoTime}. */
  record Reading(long nanos, DatabaseStatistics figures) {}

  private static final Logger LOG = LoggerFactory.getLogger(ShownDatabase.class);

  private final String name;
  private final FigureSource source;
  private final Deque<Reading> window = new ArrayDeque<>();
  private String state = "opening";

  ShownDatabase(String name, FigureSource source) {
    this.name = name;
    this.source = source;
  }

  String name() {
    return name;
  }

  /** Returns {@code open}, {@code closed}, or what is wrong. */
  String state() {
    return state;
  }

  /** Returns the newest reading; null before the first. */
  @Nullable Reading newest() {
    return window.peekLast();
  }

  /** Returns the reading that the newest is compared with; the newest itself if it is the first. */
  Reading oldest() {
    return Objects.requireNonNull(window.peekFirst());
  }

  /** Reads the figures once more, and returns what has happened since the last time. */
  List<Happening> read(long nanos) {
    DatabaseStatistics figures;
    try {
      figures = source.read();
    } catch (ClosedException e) {
      return changeState("closed");
    } catch (IOException | RuntimeException e) {
      String reason = "its figures cannot be read: " + e;
      if (!reason.equals(state)) {
        LOG.warn("database {} on the dashboard: {}", name, reason, e);
      }
      return changeState(reason);
    }
    List<Happening> happened = new ArrayList<>(changeState("open"));
    Reading last = newest();
    if (last != null && figures.nanosOpen() >= last.figures().nanosOpen()) {
      happened.addAll(Changes.between(last.figures(), figures));
    } else {
      window.clear();
    }
    window.add(new Reading(nanos, figures));
    while (window.size() > 2 && nanos - oldest().nanos() > WINDOW_NANOS) {
      window.removeFirst();
    }
    return happened;
  }

  private List<Happening> changeState(String newState) {
    if (newState.equals(state)) {
      return List.of();
    }
    state = newState;
    return List.of(new Happening(newState.startsWith("its") ? Kind.FAILURE : Kind.DATABASE, state));
  }
}
