// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.active;

import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Holds, for each small range of key prefixes, a node near the beginning of the range, so that a
 * search can start there instead of at the top of the list. Once the list has some nodes, their
 * prefixes show how prefixes are distributed ({@link PrefixSpread}). A search that does not reach
 * its key within {@link #STEPS_MAX} steps of a hint starts from the top. Thread-safe.
 */
final class NodeHints {
  /** The range of every prefix as long as there are no hints. */
  static final int NONE = 0;

  /** The number of steps from a hint before a search starts from the top. */
  static final int STEPS_MAX = 16;

  /** Ints of nodes after which the spread of prefixes is learned. */
  private static final int LEARNING_INTS = 2048;

  /** One useless hint for this many ints of nodes and hints shows that prefixes are uneven. */
  private static final int INTS_BY_VAIN_HINT = 64;

  /** The number of ranges below that of a key in which a search looks for a hint. */
  private static final int RANGES_BELOW_MAX = 16;

  private final NodeMemory nodes;

  /** How prefixes are spread; null until there are enough nodes to measure it. */
  private volatile @Nullable PrefixSpread spread;

  /** Whether prefixes are not spread as they were at first, so that hints do not help. */
  private volatile boolean uneven;

  /** Searches that a hint has not helped. Writers may overwrite each other's counting. */
  private int vain;

  NodeHints(NodeMemory nodes) {
    this.nodes = nodes;
  }

  /** Returns the range of a prefix, or {@link #NONE}. */
  int range(long prefix) {
    PrefixSpread known = uneven ? null : spread;
    return known == null ? NONE : NodeMemory.HINTS + known.bucket(prefix);
  }

  /**
   * Returns the range of a prefix, or {@link #NONE}. Learns how prefixes are spread once there are
   * enough nodes.
   */
  int rangeToInsert(long prefix) {
    if (spread == null && nodes.nodeInts() >= LEARNING_INTS) {
      learn();
    }
    return range(prefix);
  }

  private synchronized void learn() {
    if (spread == null) {
      int level = nodes.next(NodeMemory.HEAD, 1) == 0 ? 0 : 1;
      LongStream.Builder sample = LongStream.builder();
      for (int node = nodes.next(NodeMemory.HEAD, level);
          node != 0;
          node = nodes.next(node, level)) {
        sample.add(nodes.prefix(node));
      }
      spread = new PrefixSpread(sample.build().toArray(), NodeMemory.HINT_COUNT);
    }
  }

  /** Returns the lowest range in which a search for a key of another range looks for a hint. */
  static int lowestRange(int own) {
    return Math.max(NodeMemory.HINTS, own - RANGES_BELOW_MAX);
  }

  /** Returns the node of a range, or 0. */
  int get(int range) {
    return nodes.get(range);
  }

  /** Sets the node of a range, which must be linked. */
  void set(int range, int node) {
    nodes.setRelease(range, node);
  }

  /** Counts a hint that did not lead to the place that was sought. */
  void wasInVain() {
    if (++vain > (nodes.nodeInts() + NodeMemory.HINT_COUNT) / INTS_BY_VAIN_HINT) {
      uneven = true;
    }
  }
}
