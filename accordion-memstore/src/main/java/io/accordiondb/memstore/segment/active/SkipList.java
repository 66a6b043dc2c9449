// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.active;

import static io.accordiondb.memstore.segment.active.NodeMemory.HEAD;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.encoding.CellComparator;
import io.accordiondb.memstore.segment.CellRecord;
import io.accordiondb.memstore.segment.KeyPrefix;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A concurrent skip list over cells in chunks: many writers, lock-free readers, no removal. It has
 * one node for each column; the versions of the column form a list at the node, in the order of
 * cells. So columns that are written often do not make searches longer. A version that is newer
 * than all others, as nearly every version is, becomes the first of its list without a further
 * comparison.
 *
 * <p>Most searches do not start at the top: a writer's {@link Splice} is the place where its last
 * insertion ended, and {@link NodeHints} has a node near each key. The nodes are in {@link
 * NodeMemory}.
 *
 * <p>Publication: a writer fills the record in its chunk and the node or version with plain writes,
 * then links it with a compare-and-set; a node is linked level by level from the bottom. The link
 * on the lowest level decides which of two writers creates the node of a new column. Readers read
 * every link and every hint with acquire semantics, and then everything else plainly.
 */
final class SkipList {
  /** Steps past versions that an insertion may take; one that takes more is not worth repeating. */
  private static final int VERSION_STEPS_MAX = 1024;

  private final ChunkPool pool;
  private final KeyPrefix keyPrefix;
  private final NodeMemory nodes;
  private final NodeHints hints;
  private final AtomicInteger height = new AtomicInteger(1);

  /** Whether a column's versions came in an order that makes their list slow. */
  private volatile boolean slow;

  /**
   * Creates an empty list.
   *
   * @param blocksMax link blocks it may grow to, at least 1
   */
  SkipList(ChunkPool pool, MemoryAccount account, KeyPrefix keyPrefix, int blocksMax) {
    this.pool = pool;
    this.keyPrefix = keyPrefix;
    this.nodes = new NodeMemory(pool, account, blocksMax);
    this.hints = new NodeHints(nodes);
  }

  /**
   * Links the cell of a record that the caller has filled.
   *
   * @return false when the list has no room for it; then nothing has changed
   */
  boolean insert(int reference, Splice splice) {
    // All in one method, which is thereby longer than what HotSpot inlines. Otherwise each caller,
    // up to the commit of a batch, would contain the insertion and be compiled with it, again and
    // again, in the first seconds of a process.
    nodes.start();
    ByteBuffer buffer = pool.buffer(reference);
    int position = pool.position(reference);
    int cell = CellRecord.cellOffset(position);
    long prefix = keyPrefix.of(buffer, cell);
    int range = hints.rangeToInsert(prefix);
    int nodeHeight = splice.randomHeight();
    if (range != NodeHints.NONE) {
      // Hints replace the links on the second level.
      nodeHeight = Math.max(1, nodeHeight - 1);
    }
    int column = splice.find(this, nodeHeight, range, prefix, buffer, cell);
    int node =
        column == 0 ? nodes.newNode(reference, prefix, nodeHeight) : nodes.newVersion(reference);
    if (node == 0) {
      return false;
    }
    if (column == 0) {
      if (height.get() < nodeHeight) {
        height.accumulateAndGet(nodeHeight, Math::max);
      }
      splice.raise(nodeHeight);
      int level = 0;
      while (level < nodeHeight && column == 0) {
        if (nodes.link(splice.before(level), splice.after(level), node, level)) {
          splice.moveBehind(node, level);
          level++;
        } else {
          // Another writer linked a node here: look again, from the same predecessor on.
          column = splice.findOnLevel(this, level, splice.before(level), 0, prefix, buffer, cell);
        }
      }
    }
    if (column != 0) {
      // Link the version into the list of its column.
      int steps = 0;
      int link = NodeMemory.firstVersionLink(column);
      while (true) {
        int next = nodes.get(link);
        if (next != 0 && isVersionBefore(next, buffer, position)) {
          link = NodeMemory.nextVersionLink(next);
          steps++;
        } else if (nodes.linkVersion(link, next, node)) {
          break;
        }
      }
      if (steps > VERSION_STEPS_MAX) {
        slow = true;
      }
    }
    splice.leaveHint(hints, column);
    return true;
  }

  /** Returns whether a version sorts before a record of the same column. */
  private boolean isVersionBefore(int version, ByteBuffer buffer, int position) {
    int reference = nodes.reference(version);
    ByteBuffer versionBuffer = pool.buffer(reference);
    int versionPosition = pool.position(reference);
    int order =
        CellComparator.compareVersions(
            versionBuffer,
            CellRecord.cellOffset(versionPosition),
            buffer,
            CellRecord.cellOffset(position));
    return order != 0
        ? order < 0
        : CellRecord.sequence(versionBuffer, versionPosition)
            > CellRecord.sequence(buffer, position);
  }

  /**
   * Returns whether versions of some column came in an order in which each insertion is slow.
   * Further cells should then go into another list.
   */
  boolean isSlow() {
    return slow;
  }

  /** Returns the map by which the prefixes of the nodes are computed. */
  KeyPrefix keyPrefix() {
    return keyPrefix;
  }

  /** Returns the memory of the nodes. */
  NodeMemory nodes() {
    return nodes;
  }

  /** Returns the hints from which searches start. */
  NodeHints hints() {
    return hints;
  }

  /** Returns the number of levels. */
  int height() {
    return height.get();
  }

  /** Returns the first node, or 0. */
  int first() {
    return nodes.isStarted() ? next(HEAD) : 0;
  }

  /** Returns the last node, or 0. */
  int last() {
    int node = HEAD;
    for (int level = nodes.isStarted() ? height() - 1 : -1; level >= 0; level--) {
      for (int next = nodes.next(node, level); next != 0; next = nodes.next(node, level)) {
        node = next;
      }
    }
    return node == HEAD ? 0 : node;
  }

  /** Returns the node after another one, or 0. */
  int next(int node) {
    return nodes.next(node, 0);
  }

  /** Returns the first version of a node's column. */
  int firstVersion(int node) {
    return nodes.get(NodeMemory.firstVersionLink(node));
  }

  /** Returns the version after another one of the same column, or 0. */
  int nextVersion(int version) {
    return nodes.get(NodeMemory.nextVersionLink(version));
  }

  /** Returns the last version of a column from one of them on. */
  int lastVersion(int version) {
    int last = version;
    for (int next = nextVersion(last); next != 0; next = nextVersion(last)) {
      last = next;
    }
    return last;
  }

  /** Returns the reference of a version's record; for a node, that of some version. */
  int reference(int version) {
    return nodes.reference(version);
  }

  /** Returns the key prefix of a node. */
  long prefix(int node) {
    return nodes.prefix(node);
  }

  /** Returns the last node of a column before that of a key, or 0. */
  int lastBefore(ByteBuffer key, int keyOffset) {
    if (!nodes.isStarted()) {
      return 0;
    }
    long prefix = keyPrefix.of(key, keyOffset);
    int near = lastNearBefore(prefix, key, keyOffset);
    if (near != 0) {
      return near;
    }
    int node = HEAD;
    int known = 0;
    for (int level = height() - 1; level >= 0; level--) {
      int next = nodes.next(node, level);
      while (next != 0 && next != known && compare(next, prefix, key, keyOffset) < 0) {
        node = next;
        next = nodes.next(node, level);
      }
      known = next;
    }
    return node == HEAD ? 0 : node;
  }

  /** Returns the last node of a column before that of a key if a hint leads to it, else 0. */
  private int lastNearBefore(long prefix, ByteBuffer key, int keyOffset) {
    int own = hints.range(prefix);
    if (own == NodeHints.NONE) {
      return 0;
    }
    int before = 0;
    for (int range = own; before == 0 && range >= NodeHints.lowestRange(own); range--) {
      int hint = hints.get(range);
      if (hint != 0 && compare(hint, prefix, key, keyOffset) < 0) {
        before = hint;
      }
    }
    for (int step = 0; before != 0 && step < NodeHints.STEPS_MAX; step++) {
      int after = next(before);
      if (after == 0 || compare(after, prefix, key, keyOffset) >= 0) {
        return before;
      }
      before = after;
    }
    return 0;
  }

  /** Returns the first node of a column at or after that of a key, or 0. */
  int firstAtOrAfter(ByteBuffer key, int keyOffset) {
    int before = lastBefore(key, keyOffset);
    int node = before == 0 ? first() : next(before);
    // A writer may have linked a node that is still before the key since the search.
    long prefix = keyPrefix.of(key, keyOffset);
    while (node != 0 && compare(node, prefix, key, keyOffset) < 0) {
      node = next(node);
    }
    return node;
  }

  /** Compares the columns of a node and of a cell. */
  int compare(int node, long prefix, ByteBuffer buffer, int cell) {
    long nodePrefix = nodes.prefix(node);
    if (nodePrefix != prefix) {
      return Long.compareUnsigned(nodePrefix, prefix);
    }
    int reference = nodes.reference(node);
    return CellComparator.compareColumns(
        pool.buffer(reference), CellRecord.cellOffset(pool.position(reference)), buffer, cell);
  }
}
