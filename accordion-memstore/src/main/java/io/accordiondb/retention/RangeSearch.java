// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import io.accordiondb.encoding.CellComparator;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the newest tombstone of a set that covers a row and that a reader sees. It keeps the range
 * of rows for which its last answer is valid, so that cells in order cost two comparisons each.
 * Belongs to one thread.
 */
final class RangeSearch {
  private static final byte[] NO_BOUND = {};

  private final @Nullable RangeTree root;
  private final long readPoint;

  /** The first row for which the last answer is valid; null before the first search. */
  private byte @Nullable [] from;

  /** The row before which the last answer is no longer valid; empty for no end. */
  private byte[] to = NO_BOUND;

  private @Nullable RangeTombstone newest;
  private long newestSequence;

  RangeSearch(@Nullable RangeTree root, long readPoint) {
    this.root = root;
    this.readPoint = readPoint;
  }

  /** Returns the sequence number of the newest tombstone that covers a cell's row, 0 if none. */
  long newestSequence(ByteBuffer cell, int offset) {
    if (from == null
        || CellComparator.compareRow(cell, offset, from) < 0
        || !isBefore(cell, offset, to)) {
      from = NO_BOUND;
      to = NO_BOUND;
      newest = null;
      newestSequence = 0;
      search(root, cell, offset);
    }
    return newestSequence;
  }

  /** Returns the tombstone that the last search has found; null if none covers the row. */
  @Nullable RangeTombstone newest() {
    return newest;
  }

  private static boolean isBefore(ByteBuffer cell, int offset, byte[] end) {
    return end.length == 0 || CellComparator.compareRow(cell, offset, end) < 0;
  }

  /**
   * Searches a subtree. Whatever it leaves out for its sequence numbers cannot change the answer
   * where the newest tombstone covers the rows. Whatever it leaves out for its rows limits the
   * range for which the answer is valid.
   */
  private void search(@Nullable RangeTree subtree, ByteBuffer cell, int offset) {
    RangeTree node = subtree;
    while (node != null && hasNewer(node)) {
      RangeTombstone own = node.tombstone;
      RangeTree left = node.left;
      RangeTree right = node.right;
      if (CellComparator.compareRow(cell, offset, own.start()) < 0) {
        to = RangeTombstone.earlierEnd(to, own.start());
        node = left;
        continue;
      }
      look(own, cell, offset);
      if (left == null || !hasNewer(left)) {
        node = right;
      } else if (!isBefore(cell, offset, left.maxEnd)) {
        beginAt(left.maxEnd);
        node = right;
      } else if (right != null && right.maxSequence > left.maxSequence) {
        // The newer tombstones first: what is found there may spare the others.
        search(right, cell, offset);
        node = left;
      } else {
        search(left, cell, offset);
        node = right;
      }
    }
  }

  /** Returns whether a subtree may have a tombstone that counts and is newer than that found. */
  private boolean hasNewer(RangeTree node) {
    return node.maxSequence > newestSequence && node.minSequence <= readPoint;
  }

  /** Looks at a tombstone that begins at or before the row. */
  private void look(RangeTombstone tombstone, ByteBuffer cell, int offset) {
    long sequence = tombstone.sequence();
    if (sequence <= newestSequence || sequence > readPoint) {
      return;
    }
    if (isBefore(cell, offset, tombstone.end())) {
      newest = tombstone;
      newestSequence = sequence;
      beginAt(tombstone.start());
      to = RangeTombstone.earlierEnd(to, tombstone.end());
    } else {
      beginAt(tombstone.end());
    }
  }

  private void beginAt(byte[] row) {
    if (from == null || Arrays.compareUnsigned(row, from) > 0) {
      from = row;
    }
  }
}
