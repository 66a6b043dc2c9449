// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node of an immutable tree of range tombstones, with all nodes below it. Tombstones are in the
 * order of their first rows; where these are equal, the newest comes first.
 *
 * <p>A node knows the last end and the lowest and highest sequence number below it, so a search
 * skips subtrees that cannot have what it looks for. The tree is balanced in the manner of
 * Adelson-Velsky and Landis: the heights of two siblings differ by one at most. An addition makes
 * new nodes from the root to its place, and shares all others with the tree before it.
 */
final class RangeTree {
  /** Approximate bytes of a node, a tombstone and its two arrays on the heap, without the rows. */
  private static final int NODE_BYTES = 128;

  final RangeTombstone tombstone;
  final @Nullable RangeTree left;
  final @Nullable RangeTree right;
  final int height;
  final int size;
  final long heapBytes;
  final long minSequence;
  final long maxSequence;

  /** The end of the tombstone below this node that reaches farthest; empty for no end. */
  final byte[] maxEnd;

  private RangeTree(RangeTombstone tombstone, @Nullable RangeTree left, @Nullable RangeTree right) {
    this.tombstone = tombstone;
    this.left = left;
    this.right = right;
    int tallest = 0;
    int count = 1;
    long bytes = NODE_BYTES + tombstone.start().length + tombstone.end().length;
    long min = tombstone.sequence();
    long max = min;
    byte[] end = tombstone.end();
    if (left != null) {
      tallest = left.height;
      count += left.size;
      bytes += left.heapBytes;
      min = Math.min(min, left.minSequence);
      max = Math.max(max, left.maxSequence);
      end = RangeTombstone.laterEnd(end, left.maxEnd);
    }
    if (right != null) {
      tallest = Math.max(tallest, right.height);
      count += right.size;
      bytes += right.heapBytes;
      min = Math.min(min, right.minSequence);
      max = Math.max(max, right.maxSequence);
      end = RangeTombstone.laterEnd(end, right.maxEnd);
    }
    this.height = tallest + 1;
    this.size = count;
    this.heapBytes = bytes;
    this.minSequence = min;
    this.maxSequence = max;
    this.maxEnd = end;
  }

  /** Returns a tree of tombstones that are in {@linkplain #order order}; null if there are none. */
  static @Nullable RangeTree of(List<RangeTombstone> sorted) {
    if (sorted.isEmpty()) {
      return null;
    }
    int middle = sorted.size() / 2;
    return new RangeTree(
        sorted.get(middle),
        of(sorted.subList(0, middle)),
        of(sorted.subList(middle + 1, sorted.size())));
  }

  /** Compares two tombstones by their place in a tree. */
  static int order(RangeTombstone a, RangeTombstone b) {
    int order = Arrays.compareUnsigned(a.start(), b.start());
    return order != 0 ? order : Long.compare(b.sequence(), a.sequence());
  }

  /**
   * Returns a tree with one more tombstone. If it has another one with the same first row and
   * sequence number, the longer one stays.
   */
  static RangeTree with(@Nullable RangeTree node, RangeTombstone added) {
    if (node == null) {
      return new RangeTree(added, null, null);
    }
    int order = order(added, node.tombstone);
    if (order == 0) {
      RangeTombstone present = node.tombstone;
      boolean reachesFarther = present.end() != RangeTombstone.laterEnd(present.end(), added.end());
      return reachesFarther ? new RangeTree(added, node.left, node.right) : node;
    }
    return order < 0
        ? balanced(node.tombstone, with(node.left, added), node.right)
        : balanced(node.tombstone, node.left, with(node.right, added));
  }

  /** Returns a node over two subtrees whose heights differ by two at most. */
  private static RangeTree balanced(
      RangeTombstone tombstone, @Nullable RangeTree left, @Nullable RangeTree right) {
    if (left != null && left.height > heightOf(right) + 1) {
      RangeTree pivot =
          left.right != null && left.right.height > heightOf(left.left)
              ? rotatedLeft(left.tombstone, left.left, left.right)
              : left;
      return rotatedRight(tombstone, pivot, right);
    }
    if (right != null && right.height > heightOf(left) + 1) {
      RangeTree pivot =
          right.left != null && right.left.height > heightOf(right.right)
              ? rotatedRight(right.tombstone, right.left, right.right)
              : right;
      return rotatedLeft(tombstone, left, pivot);
    }
    return new RangeTree(tombstone, left, right);
  }

  private static RangeTree rotatedRight(
      RangeTombstone tombstone, RangeTree left, @Nullable RangeTree right) {
    return new RangeTree(left.tombstone, left.left, new RangeTree(tombstone, left.right, right));
  }

  private static RangeTree rotatedLeft(
      RangeTombstone tombstone, @Nullable RangeTree left, RangeTree right) {
    return new RangeTree(right.tombstone, new RangeTree(tombstone, left, right.left), right.right);
  }

  private static int heightOf(@Nullable RangeTree node) {
    return node == null ? 0 : node.height;
  }

  /** Adds all tombstones to a list, in order. */
  static void addTo(List<RangeTombstone> list, @Nullable RangeTree node) {
    if (node != null) {
      addTo(list, node.left);
      list.add(node.tombstone);
      addTo(list, node.right);
    }
  }

  /** Returns whether a tombstone above a sequence number covers a row of a range. */
  static boolean touches(@Nullable RangeTree node, byte[] start, byte[] end, long aboveSequence) {
    if (node == null
        || node.maxSequence <= aboveSequence
        || !RangeTombstone.isBehind(node.maxEnd, start)) {
      return false;
    }
    RangeTombstone own = node.tombstone;
    if (!RangeTombstone.isBehind(end, own.start())) {
      return touches(node.left, start, end, aboveSequence);
    }
    return (own.sequence() > aboveSequence && RangeTombstone.isBehind(own.end(), start))
        || touches(node.left, start, end, aboveSequence)
        || touches(node.right, start, end, aboveSequence);
  }

  /**
   * Returns whether tombstones together cover all rows from one to another, both inclusive.
   *
   * @param aboveSequence tombstones up to this sequence number do not count
   * @param upTo tombstones above this sequence number do not count
   */
  static boolean covers(
      @Nullable RangeTree root, byte[] first, byte[] last, long aboveSequence, long upTo) {
    byte[] row = first;
    while (true) {
      byte[] end = endOver(root, row, null, aboveSequence, upTo);
      if (end == null || RangeTombstone.isBehind(end, last)) {
        return end != null;
      }
      row = end;
    }
  }

  /** Returns the farthest end of tombstones that cover a row; null if none does. */
  private static byte @Nullable [] endOver(
      @Nullable RangeTree node,
      byte[] row,
      byte @Nullable [] found,
      long aboveSequence,
      long upTo) {
    if (node == null
        || node.maxSequence <= aboveSequence
        || node.minSequence > upTo
        || !reachesFarther(node.maxEnd, row, found)) {
      return found;
    }
    RangeTombstone own = node.tombstone;
    byte[] end = endOver(node.left, row, found, aboveSequence, upTo);
    if (Arrays.compareUnsigned(own.start(), row) > 0) {
      return end;
    }
    if (own.sequence() > aboveSequence
        && own.sequence() <= upTo
        && reachesFarther(own.end(), row, end)) {
      end = own.end();
    }
    return endOver(node.right, row, end, aboveSequence, upTo);
  }

  /** Returns whether an end is behind a row, and behind the end that was found before. */
  private static boolean reachesFarther(byte[] end, byte[] row, byte @Nullable [] found) {
    return found == null
        ? RangeTombstone.isBehind(end, row)
        : found.length > 0 && RangeTombstone.isBehind(end, found);
  }
}
