// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;

/**
 * Entries of a segmented store in the order of their times. The segments come in that order, so one
 * segment's entries at a time are on the heap.
 */
final class TimeOrderedEntries implements KeyValueIterator<Bytes, byte[]> {
  private final KeyValueIterator<Bytes, byte[]> entries;
  private final SegmentLayout layout;
  private final LongUnaryOperator segmentOf;

  /** What is left of a segment. */
  private final Deque<KeyValue<Bytes, byte[]>> sorted = new ArrayDeque<>();

  /**
   * Sorts entries.
   *
   * @param entries segment by segment, the oldest first
   * @param segmentOf returns the segment of a time
   */
  TimeOrderedEntries(
      KeyValueIterator<Bytes, byte[]> entries, SegmentLayout layout, LongUnaryOperator segmentOf) {
    this.entries = entries;
    this.layout = layout;
    this.segmentOf = segmentOf;
  }

  @Override
  public boolean hasNext() {
    if (sorted.isEmpty() && entries.hasNext()) {
      sorted.addAll(nextSegment());
    }
    return !sorted.isEmpty();
  }

  @Override
  public Bytes peekNextKey() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return sorted.element().key;
  }

  @Override
  public KeyValue<Bytes, byte[]> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return sorted.remove();
  }

  private List<KeyValue<Bytes, byte[]>> nextSegment() {
    long segment = segmentOf(entries.peekNextKey());
    List<KeyValue<Bytes, byte[]>> found = new ArrayList<>();
    while (entries.hasNext() && segmentOf(entries.peekNextKey()) == segment) {
      found.add(entries.next());
    }
    found.sort((one, other) -> layout.compareByTime(one.key.get(), other.key.get()));
    return found;
  }

  private long segmentOf(Bytes key) {
    return segmentOf.applyAsLong(layout.segmentTime(key.get()));
  }

  @Override
  public void close() {
    sorted.clear(); // The next use then fails, as that of the entries does.
    entries.close();
  }
}
