// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Maps a cell to eight bytes of its row that decide most comparisons: the bytes behind an anchor,
 * the bytes with which all rows of a store begin.
 *
 * <p>The mapping preserves the order: if one cell sorts before another, its prefix is not higher,
 * compared as unsigned. Rows that do not begin with the anchor get the lowest or the highest
 * prefix, so an anchor that no longer fits costs speed, never correctness. Prefixes of different
 * anchors cannot be compared. Immutable.
 */
public final class KeyPrefix {
  /** The prefix of an empty anchor. */
  public static final KeyPrefix UNANCHORED = new KeyPrefix(new byte[0]);

  /** The bit of a prefix that indices do not keep, so that it is free for a flag. */
  public static final long FREE_BIT = 1;

  private static final int ANCHOR_BYTES_MAX = 64;

  private final byte[] anchor;

  /** The first bytes of the anchor, right-aligned, when it has at most eight. */
  private final long shortAnchor;

  private KeyPrefix(byte[] anchor) {
    this.anchor = anchor;
    long bits = 0;
    for (int i = 0; i < Math.min(Long.BYTES, anchor.length); i++) {
      bits = bits << Byte.SIZE | (anchor[i] & 0xFF);
    }
    this.shortAnchor = bits;
  }

  /** Returns the prefix map whose anchor is the common beginning of the rows of two cells. */
  public static KeyPrefix between(ByteBuffer a, int aOffset, ByteBuffer b, int bOffset) {
    int max =
        Math.min(
            ANCHOR_BYTES_MAX,
            Math.min(KeyValueLayout.rowLength(a, aOffset), KeyValueLayout.rowLength(b, bOffset)));
    int aRow = KeyValueLayout.rowOffset(aOffset);
    int bRow = KeyValueLayout.rowOffset(bOffset);
    int common = 0;
    while (common < max && a.get(aRow + common) == b.get(bRow + common)) {
      common++;
    }
    byte[] anchor = new byte[common];
    a.get(aRow, anchor);
    return new KeyPrefix(anchor);
  }

  /** Returns the prefix map whose anchor is the common beginning of two anchors. */
  public KeyPrefix commonWith(KeyPrefix other) {
    int common = Arrays.mismatch(anchor, other.anchor);
    return common < 0 || common == anchor.length
        ? this
        : new KeyPrefix(Arrays.copyOf(anchor, common));
  }

  /** Returns the prefix of a cell, an unsigned number. */
  public long of(ByteBuffer cell, int offset) {
    int rowLength = KeyValueLayout.rowLength(cell, offset);
    int row = KeyValueLayout.rowOffset(offset);
    int skipped = anchor.length;
    if (skipped != 0) {
      // Reads past a short row stay inside the cell: ten bytes of key follow every row.
      boolean anchored =
          rowLength >= skipped
              && (skipped <= Long.BYTES
                  ? cell.getLong(row) >>> (Long.SIZE - Byte.SIZE * skipped) == shortAnchor
                  : startsWithAnchor(cell, row));
      if (!anchored) {
        return outside(cell, row, rowLength);
      }
    }
    long bits = cell.getLong(row + skipped);
    int left = rowLength - skipped;
    if (left >= Long.BYTES) {
      return bits;
    }
    return left == 0 ? 0 : bits & -1L << (Long.SIZE - Byte.SIZE * left);
  }

  /** Returns a prefix without {@link #FREE_BIT}, as indices keep it; the order stays. */
  public static long shortened(long prefix) {
    return prefix & ~FREE_BIT;
  }

  private boolean startsWithAnchor(ByteBuffer cell, int row) {
    for (int i = 0; i < anchor.length; i++) {
      if (cell.get(row + i) != anchor[i]) {
        return false;
      }
    }
    return true;
  }

  private long outside(ByteBuffer cell, int row, int rowLength) {
    ByteBuffer anchorBytes = ByteBuffer.wrap(anchor);
    return CellComparator.compareBytes(cell, row, rowLength, anchorBytes, 0, anchor.length) < 0
        ? 0
        : -1L;
  }

  @Override
  public boolean equals(Object other) {
    return this == other || (other instanceof KeyPrefix that && Arrays.equals(anchor, that.anchor));
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(anchor);
  }

  @Override
  public String toString() {
    return "KeyPrefix[" + anchor.length + " bytes skipped]";
  }
}
