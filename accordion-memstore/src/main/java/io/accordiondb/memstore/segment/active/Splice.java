// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.active;

import static io.accordiondb.memstore.segment.active.NodeMemory.HEAD;
import static io.accordiondb.memstore.segment.active.NodeMemory.MAX_HEIGHT;

import java.nio.ByteBuffer;

/**
 * The place where the last insertion of a thread into a {@link SkipList} ended: on each level the
 * node before and the node after it. The two nodes of a level are between those of the level above,
 * except on the lowest level, which many insertions reach directly. The next insertion starts there
 * and climbs only as far as necessary, so sorted cells cost few steps. Belongs to one thread.
 */
final class Splice {
  /**
   * Results of a search that has not found the place: the node is behind it, or too far before it.
   */
  private static final int BEHIND = -1;

  private static final int TOO_FAR = -2;

  /** The number of steps from the end of the last insertion before a search starts elsewhere. */
  private static final int FINGER_STEPS_MAX = 1;

  /** One node in four reaches the next level. */
  private static final int BRANCHING_BITS = 2;

  private final int[] before = new int[MAX_HEIGHT];
  private final int[] after = new int[MAX_HEIGHT];
  private int height;

  /** The range whose hint the next node is to be, or {@link NodeHints#NONE}. */
  private int hintWanted;

  private int random = System.identityHashCode(this) | 1;

  /** Forgets the position. Call this before a splice is used on another list. */
  void reset() {
    height = 0;
  }

  /** Returns the node before the place on a level. */
  int before(int level) {
    return before[level];
  }

  /** Returns the node after the place on a level, or 0. */
  int after(int level) {
    return after[level];
  }

  /** Moves the place on a level behind a node that was linked there. */
  void moveBehind(int node, int level) {
    before[level] = node;
  }

  /** Adds levels up to a number; the new ones begin at the head. */
  void raise(int levels) {
    for (; height < levels; height++) {
      before[height] = HEAD;
      after[height] = 0;
    }
  }

  /** Returns the number of levels of a new node. */
  int randomHeight() {
    int bits = random;
    bits ^= bits << 13;
    bits ^= bits >>> 17;
    bits ^= bits << 5;
    random = bits;
    return Math.min(MAX_HEIGHT, 1 + Integer.numberOfTrailingZeros(bits) / BRANCHING_BITS);
  }

  /** Stores the node of the inserted cell, or one before it, as a hint if one was missing. */
  void leaveHint(NodeHints hints, int column) {
    if (hintWanted != NodeHints.NONE) {
      hints.set(hintWanted, column == 0 ? before[0] : column);
    }
  }

  /**
   * Finds the neighbours of a cell's column on the levels of a new node, or the column's node,
   * which is returned; else 0.
   *
   * @param range of the cell's prefix, or {@link NodeHints#NONE}
   */
  int find(SkipList list, int nodeHeight, int range, long prefix, ByteBuffer buffer, int cell) {
    hintWanted = NodeHints.NONE;
    int column = TOO_FAR;
    if (height > 0) {
      column = walk(list, before[0], FINGER_STEPS_MAX, prefix, buffer, cell);
      if (column < 0 && range != NodeHints.NONE) {
        column = findByHint(list, range, prefix, buffer, cell);
      }
    }
    if (column > 0 || (column == 0 && nodeHeight == 1)) {
      return column;
    }
    return findFromAbove(list, column == 0 ? 1 : 0, prefix, buffer, cell);
  }

  private int findByHint(SkipList list, int own, long prefix, ByteBuffer buffer, int cell) {
    NodeHints hints = list.hints();
    int column = BEHIND;
    for (int range = own; column == BEHIND && range >= NodeHints.lowestRange(own); range--) {
      int hint = hints.get(range);
      if (hint != 0) {
        column = walk(list, hint, NodeHints.STEPS_MAX, prefix, buffer, cell);
      }
      if (range == own && column == BEHIND) {
        hintWanted = own;
      }
    }
    if (column == TOO_FAR) {
      hints.wasInVain();
    }
    return column;
  }

  /**
   * Walks on the lowest level from a node to the neighbours of a cell's column, or to its node,
   * which is returned; or reports that the node is behind, or too far before.
   */
  private int walk(
      SkipList list, int start, int stepsMax, long prefix, ByteBuffer buffer, int cell) {
    NodeMemory nodes = list.nodes();
    int last = 0;
    int node = start;
    for (int step = 0; step <= stepsMax; step++) {
      int order = order(list, node, prefix, buffer, cell);
      if (order == 0) {
        before[0] = node;
        after[0] = nodes.next(node, 0);
        return node;
      }
      if (order > 0) {
        if (step == 0) {
          return BEHIND;
        }
        before[0] = last;
        after[0] = node;
        return 0;
      }
      last = node;
      node = nodes.next(node, 0);
    }
    return TOO_FAR;
  }

  /**
   * Finds the neighbours of a cell's column, or its node, which is returned.
   *
   * @param lowest the lowest level on which neighbours are wanted
   */
  private int findFromAbove(SkipList list, int lowest, long prefix, ByteBuffer buffer, int cell) {
    NodeMemory nodes = list.nodes();
    int listHeight = list.height();
    boolean fresh = height == 0;
    raise(listHeight);
    int level = fresh ? listHeight : 1;
    // First climb over the nodes before the place while the cell comes before them, then over those
    // after it.
    int[] neighbours = before;
    while (level < listHeight) {
      if (nodes.next(before[level], level) != after[level]) {
        level++;
        continue;
      }
      int node = neighbours[level];
      int order = order(list, node, prefix, buffer, cell);
      if (order == 0) {
        moveTo(nodes, node, level);
        return node;
      }
      if (order > 0 == (neighbours == before)) {
        while (level < listHeight && neighbours[level] == node) {
          level++;
        }
      } else if (order > 0) {
        break;
      } else {
        neighbours = after;
      }
    }
    int start = level == listHeight ? HEAD : before[level];
    int known = level == listHeight ? 0 : after[level];
    while (level > lowest) {
      level--;
      int column = findOnLevel(list, level, start, known, prefix, buffer, cell);
      if (column != 0) {
        return column;
      }
      start = before[level];
      known = after[level];
    }
    return 0;
  }

  /**
   * Finds the neighbours on one level, or the node of the cell's column, which is returned.
   *
   * @param known a node known to come after the cell, at which the search ends, or 0
   */
  int findOnLevel(
      SkipList list, int level, int start, int known, long prefix, ByteBuffer buffer, int cell) {
    NodeMemory nodes = list.nodes();
    int left = start;
    int right = nodes.next(left, level);
    while (right != 0 && right != known) {
      int order = list.compare(right, prefix, buffer, cell);
      if (order == 0) {
        moveTo(nodes, right, level);
        return right;
      }
      if (order > 0) {
        break;
      }
      left = right;
      right = nodes.next(left, level);
    }
    before[level] = left;
    after[level] = right;
    return 0;
  }

  /**
   * Compares a node with a cell. The head comes before all cells, and a missing node after all of
   * them.
   */
  private static int order(SkipList list, int node, long prefix, ByteBuffer buffer, int cell) {
    if (node == HEAD) {
      return -1;
    }
    return node == 0 ? 1 : list.compare(node, prefix, buffer, cell);
  }

  /** Moves behind a node that is linked on a level, and therefore on all levels below. */
  private void moveTo(NodeMemory nodes, int node, int level) {
    for (int i = 0; i < height && (i <= level || after[i] == node); i++) {
      before[i] = node;
      after[i] = nodes.next(node, i);
    }
  }
}
