// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import java.util.Arrays;

/**
 * What a store sees of a sorted table. Immutable; the arrays must not be changed.
 *
 * <p>When a region is split or merged, the new regions get views of the existing files, so that no
 * cell is copied. An ingested file is used as it is, and the view gives all its cells one sequence
 * number.
 *
 * @param backingNumber names the file, which lives as long as any view of it
 * @param startKey first row seen; empty for no bound
 * @param endKey row before which the view ends; empty for no bound
 * @param sequence the sequence number of all cells; 0 if they keep their own
 */
public record FileView(long backingNumber, byte[] startKey, byte[] endKey, long sequence) {
  /** The number in files that no database has written. */
  public static final long FOREIGN_NUMBER = 0;

  /** Returns the part of the view within a range of rows. */
  public FileView within(byte[] rangeStart, byte[] rangeEnd) {
    byte[] start = Arrays.compareUnsigned(startKey, rangeStart) >= 0 ? startKey : rangeStart;
    byte[] end = endKey;
    if (end.length == 0 || (rangeEnd.length > 0 && Arrays.compareUnsigned(rangeEnd, end) < 0)) {
      end = rangeEnd;
    }
    return new FileView(backingNumber, start, end, sequence);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FileView that
        && backingNumber == that.backingNumber
        && sequence == that.sequence
        && Arrays.equals(startKey, that.startKey)
        && Arrays.equals(endKey, that.endKey);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(backingNumber);
  }
}
