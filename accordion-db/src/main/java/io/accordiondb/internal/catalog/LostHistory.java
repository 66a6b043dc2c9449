// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.catalog;

import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.function.IoSupplier;
import io.accordiondb.internal.region.TableState;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which families have lost all their cells by a truncation or a drop while there are
 * readers of an earlier moment. Those readers must get an error instead of an empty result.
 * Thread-safe.
 *
 * <p>Each loss has a sequence number of its own, so that a reader is either before it or after it.
 */
public final class LostHistory {
  private record Name(String table, String family) {}

  private final ReadPoints readPoints;
  private final IoSupplier<Long> newSequence;

  /** Guarded by this: the number of the last loss of each family. */
  private final Map<Name, Long> losses = new HashMap<>();

  /**
   * Creates a memory without losses.
   *
   * @param newSequence gives a sequence number, which no write has and which is visible already
   */
  public LostHistory(ReadPoints readPoints, IoSupplier<Long> newSequence) {
    this.readPoints = readPoints;
    this.newSequence = newSequence;
  }

  /**
   * Notes that families are about to lose their cells. They must not take writes.
   *
   * @return an action that removes the note, for the case that they keep their cells
   */
  Runnable note(String table, Collection<String> families) throws IOException {
    long sequence = newSequence.get();
    long smallest = readPoints.smallestReadPoint();
    synchronized (this) {
      losses.values().removeIf(loss -> loss <= smallest);
      Map<Name, Long> before = Map.copyOf(losses);
      families.forEach(family -> losses.put(new Name(table, family), sequence));
      return () -> restore(before);
    }
  }

  private synchronized void restore(Map<Name, Long> before) {
    losses.clear();
    losses.putAll(before);
  }

  /** Returns the last loss of those families of a table that it no longer has; null for none. */
  synchronized TableState.@Nullable Loss lastOfOthers(String table, List<String> families) {
    TableState.Loss last = null;
    for (Map.Entry<Name, Long> loss : losses.entrySet()) {
      Name name = loss.getKey();
      if (name.table.equals(table)
          && !families.contains(name.family)
          && (last == null || last.sequence() < loss.getValue())) {
        last = new TableState.Loss(name.family, loss.getValue());
      }
    }
    return last;
  }

  /** Returns the sequence number before which nothing is known of a family; 0 for none. */
  synchronized long startOf(String table, String family) {
    return losses.getOrDefault(new Name(table, family), 0L);
  }
}
