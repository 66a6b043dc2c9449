// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import io.accordiondb.CorruptionException;
import io.accordiondb.event.CorruptionEvent;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports damage to the log and to listeners, once for each of the first places. Thread-safe. */
public final class Corruptions {
  private static final Logger LOG = LoggerFactory.getLogger(Corruptions.class);

  /** Maximum number of places that are remembered; further ones are not reported. */
  private static final int PLACES_MAX = 1000;

  private final EventDispatcher events;
  private final Consumer<String> log;
  private final Set<Place> told = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean full = new AtomicBoolean();

  private record Place(String file, long offset) {}

  Corruptions(EventDispatcher events) {
    this(events, message -> LOG.error("{}", message));
  }

  /**
   * Same as above.
   *
   * @param log receives messages for the log
   */
  Corruptions(EventDispatcher events, Consumer<String> log) {
    this.events = events;
    this.log = log;
  }

  /** Reports damage if it is the cause of a failure. */
  public void check(Throwable failure) {
    if (failure instanceof CorruptionException damage) {
      report(damage);
    }
  }

  /** Returns how many different damaged places were found; it does not rise above a maximum. */
  public int count() {
    return told.size();
  }

  private void report(CorruptionException damage) {
    Place place = new Place(damage.file(), damage.offset());
    if (told.contains(place)) {
      return;
    }
    if (told.size() >= PLACES_MAX) {
      if (!full.getAndSet(true)) {
        log.accept(PLACES_MAX + " places are damaged, and more, which are not reported");
      }
      return;
    }
    if (!told.add(place)) {
      return;
    }
    String message = String.valueOf(damage.getMessage());
    log.accept(message);
    CorruptionEvent event = new CorruptionEvent(damage.file(), damage.offset(), message, damage);
    events.tell(listener -> listener.onCorruption(event));
  }
}
