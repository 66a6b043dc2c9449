// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.retention.RangeTombstone;
import io.accordiondb.retention.RangeTombstones;
import java.util.List;

/**
 * Ranges of one store in which readers have found many rows and no visible cell, so that later
 * readers skip them: the first rows of a queue, whose entries are deleted and still in a file.
 * Thread-safe.
 *
 * <p>A range is a tombstone that nobody has written: what a reader at a sequence number does not
 * see, readers at later ones do not see either. It is in no log and in no file, and may be
 * forgotten.
 */
public final class DeadRows {
  private static final int RANGES_MAX = 256;

  private volatile RangeTombstones ranges = RangeTombstones.NONE;

  /** Returns the ranges if any of them has rows that a reader wants, or none. */
  RangeTombstones forReader(RowRange rows) {
    RangeTombstones all = ranges;
    return all.touches(rows.first(), rows.end(), 0) ? all : RangeTombstones.NONE;
  }

  /**
   * Adds a range.
   *
   * @param start the first row, inclusive; empty for the first row of the store
   * @param end the end of the range, exclusive; empty for no end
   * @param readPoint of the reader that has seen no cell in it
   */
  synchronized void add(byte[] start, byte[] end, long readPoint) {
    RangeTombstone range = new RangeTombstone(start, end, readPoint);
    RangeTombstones more = ranges.with(range, readPoint);
    ranges = more.size() <= RANGES_MAX ? more : RangeTombstones.of(List.of(range));
  }
}
