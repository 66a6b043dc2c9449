// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.retention.ReadPointSet;
import io.accordiondb.retention.Readers;
import java.util.TreeMap;

/**
 * The sequence numbers of a host with many writers: a write becomes visible when it and all before
 * it are done. Thread-safe.
 */
final class ReadPoints implements Readers {
  private final TreeMap<Long, Long> done = new TreeMap<>();
  private final TreeMap<Long, Integer> readers = new TreeMap<>();
  private long assigned;
  private long visible;

  /** Assigns sequence numbers and returns the first of them. */
  synchronized long begin(int count) {
    assigned += count;
    return assigned - count + 1;
  }

  /** Returns the highest number that was assigned. */
  synchronized long assigned() {
    return assigned;
  }

  /** Says that the cells of these numbers are in the memory store. */
  synchronized void finish(long first, int count) {
    done.put(first, first + count - 1);
    while (!done.isEmpty() && done.firstKey() == visible + 1) {
      visible = done.pollFirstEntry().getValue();
    }
  }

  /** Opens a reader at what is visible now and returns its read point. */
  synchronized long open() {
    readers.merge(visible, 1, Integer::sum);
    return visible;
  }

  /** Closes a reader. */
  synchronized void close(long readPoint) {
    readers.computeIfPresent(readPoint, (point, count) -> count == 1 ? null : count - 1);
  }

  @Override
  public synchronized long smallestReadPoint() {
    return readers.isEmpty() ? visible : readers.firstKey();
  }

  @Override
  public synchronized ReadPointSet readPoints() {
    return ReadPointSet.of(readers.keySet().stream().mapToLong(Long::longValue).toArray(), visible);
  }
}
