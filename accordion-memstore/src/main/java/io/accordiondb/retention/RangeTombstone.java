// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import java.util.Arrays;
import java.util.List;

/**
 * Deletes all cells of a range of rows that have a lower sequence number, whatever their
 * timestamps. The arrays must not be changed.
 *
 * @param start the first row, inclusive; empty for the first row of the store
 * @param end the end of the range, exclusive; empty for no end
 * @param sequence the sequence number of the tombstone; it covers cells with lower ones
 */
public record RangeTombstone(byte[] start, byte[] end, long sequence) {
  /** Returns whether it covers no row. */
  boolean isEmpty() {
    return !isBehind(end, start);
  }

  /** Returns whether the end of a range is behind a row. */
  static boolean isBehind(byte[] end, byte[] row) {
    return end.length == 0 || Arrays.compareUnsigned(end, row) > 0;
  }

  /** Returns the end that is farther behind. */
  static byte[] laterEnd(byte[] a, byte[] b) {
    return b.length > 0 && isBehind(a, b) ? a : b;
  }

  /** Returns the end that comes first. */
  static byte[] earlierEnd(byte[] a, byte[] b) {
    return b.length > 0 && isBehind(a, b) ? b : a;
  }

  /** Adds the part of this tombstone that is within a range to a list, unless it is empty. */
  void addPart(byte[] from, byte[] to, List<RangeTombstone> parts) {
    byte[] partStart = Arrays.compareUnsigned(start, from) >= 0 ? start : from;
    byte[] partEnd = earlierEnd(end, to);
    if (partStart == start && partEnd == end) {
      parts.add(this);
    } else if (isBehind(partEnd, partStart)) {
      parts.add(new RangeTombstone(partStart, partEnd, sequence));
    }
  }

  /** Returns whether another tombstone has the same rows and the same sequence number. */
  boolean isSameAs(RangeTombstone other) {
    return sequence == other.sequence
        && Arrays.equals(start, other.start)
        && Arrays.equals(end, other.end);
  }
}
