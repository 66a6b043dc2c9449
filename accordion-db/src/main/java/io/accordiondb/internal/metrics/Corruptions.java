// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import io.accordiondb.CorruptionException;
import io.accordiondb.event.CorruptionEvent;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports damage to the log and to listeners, once for each place. Thread-safe. */
public final class Corruptions {
  private static final Logger LOG = LoggerFactory.getLogger(Corruptions.class);

  /** Maximum number of places that are remembered. */
  private static final int PLACES_MAX = 1000;

  private final EventDispatcher events;
  private final Set<Place> told = ConcurrentHashMap.newKeySet();

  private record Place(String file, long offset) {}

  Corruptions(EventDispatcher events) {
    this.events = events;
  }

  /** Reports damage if it is the cause of a failure. */
  public void check(Throwable failure) {
    if (failure instanceof CorruptionException damage) {
      report(damage);
    }
  }

  private void report(CorruptionException damage) {
    if (told.size() >= PLACES_MAX || !told.add(new Place(damage.file(), damage.offset()))) {
      return;
    }
    LOG.error("{}", damage.getMessage());
    String message = String.valueOf(damage.getMessage());
    CorruptionEvent event = new CorruptionEvent(damage.file(), damage.offset(), message, damage);
    events.tell(listener -> listener.onCorruption(event));
  }
}
