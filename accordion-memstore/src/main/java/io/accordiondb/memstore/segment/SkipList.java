// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.cell.CellComparator;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryAccount;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A concurrent skip list over cells in chunks: many writers, lock-free readers, no removal.
 *
 * <p>Nodes are runs of ints in link blocks, so that following a link and reading the eight-byte key
 * prefix that decides most comparisons touch one cache line:
 *
 * <pre>
 *   node + 0            reference of the cell's record in chunk memory
 *   node + 1, node + 2  key prefix, high and low half
 *   node + 3 + l        next node on level l, 0 at the end
 * </pre>
 *
 * <p>Publication: a writer fills the record in its chunk and the node's ints with plain writes,
 * then links the node level by level from the bottom with a compare-and-set on the predecessor's
 * link. Readers read every link with acquire semantics and everything else plainly behind it.
 */
final class SkipList {
  static final int MAX_HEIGHT = 12;

  /** Link blocks that references can address. */
  static final int BLOCKS_MAX = 1 << 14;

  /** Ints of a node, more than the average of 4.33. */
  static final int NODE_INTS_EXPECTED = 5;

  /** One node in this many reaches the next level. */
  private static final int BRANCHING = 4;

  private static final int REFERENCE = 0;
  private static final int PREFIX_HIGH = 1;
  private static final int PREFIX_LOW = 2;
  private static final int LINKS = 3;

  private static final int BLOCK_SHIFT = Integer.numberOfTrailingZeros(ChunkPool.LINK_BLOCK_INTS);
  private static final int BLOCK_MASK = ChunkPool.LINK_BLOCK_INTS - 1;
  private static final int HEAD = 1;
  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle BLOCKS = MethodHandles.arrayElementVarHandle(int[][].class);

  private final ChunkPool pool;
  private final MemoryAccount account;
  private final KeyPrefix keyPrefix;

  /** Slots are filled in order and never change; a slot is set before nodes in it are linked. */
  private final int[][] blocks;

  private final AtomicInteger top = new AtomicInteger();

  /** Whether the head exists: a list without cells takes no memory. */
  private volatile boolean started;

  private final AtomicInteger height = new AtomicInteger(1);

  /**
   * Creates an empty list.
   *
   * @param blocksMax link blocks it may grow to, at least 1
   */
  SkipList(ChunkPool pool, MemoryAccount account, KeyPrefix keyPrefix, int blocksMax) {
    this.pool = pool;
    this.account = account;
    this.keyPrefix = keyPrefix;
    this.blocks = new int[blocksMax][];
  }

  /**
   * Where the last insertion of a thread ended: on each level the node before and the node after
   * it. The next insertion starts there and climbs only as far as it must, so sorted cells cost few
   * steps.
   */
  static final class Splice {
    private final int[] before = new int[MAX_HEIGHT];
    private final int[] after = new int[MAX_HEIGHT];
    private int height;
    private int random = System.identityHashCode(this) | 1;

    /** Forgets the position; to be called before a splice is used on another list. */
    void reset() {
      height = 0;
    }

    private int randomHeight() {
      int bits = random;
      bits ^= bits << 13;
      bits ^= bits >>> 17;
      bits ^= bits << 5;
      random = bits;
      int height = 1;
      while (height < MAX_HEIGHT && (bits & (BRANCHING - 1)) == 0) {
        height++;
        bits >>>= 2;
      }
      return height;
    }
  }

  /**
   * Links the cell of a record that the caller has filled.
   *
   * @return false when the list has no room for another node; then nothing has changed
   */
  boolean insert(int reference, Splice splice) {
    if (!started) {
      start();
    }
    int nodeHeight = splice.randomHeight();
    int node = allocate(LINKS + nodeHeight);
    if (node == 0) {
      return false;
    }
    ByteBuffer buffer = pool.buffer(reference);
    int position = pool.position(reference);
    int cell = CellRecord.cellOffset(position);
    long sequence = CellRecord.sequence(buffer, position);
    long prefix = keyPrefix.of(buffer, cell);

    int[] block = blocks[node >>> BLOCK_SHIFT];
    int at = node & BLOCK_MASK;
    block[at + REFERENCE] = reference;
    block[at + PREFIX_HIGH] = (int) (prefix >>> Integer.SIZE);
    block[at + PREFIX_LOW] = (int) prefix;

    raiseHeight(nodeHeight);
    findSplice(splice, prefix, buffer, cell, sequence);
    for (int level = 0; level < nodeHeight; level++) {
      while (true) {
        block[at + LINKS + level] = splice.after[level];
        if (casNext(splice.before[level], level, splice.after[level], node)) {
          break;
        }
        // Another writer linked a node here: look again, from the same predecessor on.
        findOnLevel(splice, level, splice.before[level], 0, prefix, buffer, cell, sequence);
      }
      splice.before[level] = node;
    }
    return true;
  }

  KeyPrefix keyPrefix() {
    return keyPrefix;
  }

  /** Returns the first node, or 0. */
  int first() {
    return started ? next(HEAD, 0) : 0;
  }

  /** Returns the last node, or 0. */
  int last() {
    int node = HEAD;
    for (int level = started ? height.get() - 1 : -1; level >= 0; level--) {
      for (int next = next(node, level); next != 0; next = next(node, level)) {
        node = next;
      }
    }
    return node == HEAD ? 0 : node;
  }

  /** Returns the node after another one, or 0. */
  int next(int node) {
    return next(node, 0);
  }

  /** Returns the reference of a node's record. */
  int reference(int node) {
    return blocks[node >>> BLOCK_SHIFT][(node & BLOCK_MASK) + REFERENCE];
  }

  /** Returns the key prefix of a node. */
  long prefix(int node) {
    int[] block = blocks[node >>> BLOCK_SHIFT];
    int at = node & BLOCK_MASK;
    return (long) block[at + PREFIX_HIGH] << Integer.SIZE | block[at + PREFIX_LOW] & 0xFFFFFFFFL;
  }

  /** Returns the last node before a key with the highest sequence number, or 0. */
  int lastBefore(ByteBuffer key, int keyOffset) {
    if (!started) {
      return 0;
    }
    long prefix = keyPrefix.of(key, keyOffset);
    int node = HEAD;
    int known = 0;
    for (int level = height.get() - 1; level >= 0; level--) {
      int next = next(node, level);
      while (next != 0 && next != known && isBefore(next, prefix, key, keyOffset, Long.MAX_VALUE)) {
        node = next;
        next = next(node, level);
      }
      known = next;
    }
    return node == HEAD ? 0 : node;
  }

  /** Returns the first node at or after a key with the highest sequence number, or 0. */
  int firstAtOrAfter(ByteBuffer key, int keyOffset) {
    int before = lastBefore(key, keyOffset);
    int node = before == 0 ? first() : next(before, 0);
    // A writer may have linked a node that is still before the key since the search.
    long prefix = keyPrefix.of(key, keyOffset);
    while (node != 0 && isBefore(node, prefix, key, keyOffset, Long.MAX_VALUE)) {
      node = next(node, 0);
    }
    return node;
  }

  private synchronized void start() {
    if (!started) {
      startBlock(0);
      for (int level = 0; level < MAX_HEIGHT; level++) {
        blocks[0][HEAD + LINKS + level] = 0;
      }
      top.set(HEAD + LINKS + MAX_HEIGHT);
      started = true;
    }
  }

  /** Returns the bytes of the link blocks. */
  long bytes() {
    int used = top.get();
    return used == 0 ? 0 : ((used - 1L >>> BLOCK_SHIFT) + 1) * ChunkPool.LINK_BLOCK_BYTES;
  }

  /** Gives the link blocks back; nobody may read the list any more. */
  void giveBack() {
    for (int i = 0; i < blocks.length && blocks[i] != null; i++) {
      pool.giveBackLinkBlock(blocks[i], account);
    }
  }

  private void findSplice(Splice splice, long prefix, ByteBuffer buffer, int cell, long sequence) {
    int listHeight = height.get();
    int level = 0;
    if (splice.height < listHeight) {
      // Levels that the splice has not seen begin at the head.
      for (int i = splice.height; i < listHeight; i++) {
        splice.before[i] = HEAD;
        splice.after[i] = 0;
      }
      boolean fresh = splice.height == 0;
      splice.height = listHeight;
      if (fresh) {
        level = listHeight;
      }
    }
    while (level < listHeight) {
      int before = splice.before[level];
      int after = splice.after[level];
      if (next(before, level) != after) {
        level++;
      } else if (before != HEAD && !isBefore(before, prefix, buffer, cell, sequence)) {
        while (level < listHeight && splice.before[level] == before) {
          level++;
        }
      } else if (after != 0 && isBefore(after, prefix, buffer, cell, sequence)) {
        while (level < listHeight && splice.after[level] == after) {
          level++;
        }
      } else {
        break;
      }
    }
    int start = level == listHeight ? HEAD : splice.before[level];
    int known = level == listHeight ? 0 : splice.after[level];
    while (--level >= 0) {
      findOnLevel(splice, level, start, known, prefix, buffer, cell, sequence);
      start = splice.before[level];
      known = splice.after[level];
    }
  }

  /**
   * Finds the neighbours on one level.
   *
   * @param known a node known to come after the cell, at which the search ends, or 0
   */
  private void findOnLevel(
      Splice splice,
      int level,
      int start,
      int known,
      long prefix,
      ByteBuffer buffer,
      int cell,
      long sequence) {
    int before = start;
    int after = next(before, level);
    while (after != 0 && after != known && isBefore(after, prefix, buffer, cell, sequence)) {
      before = after;
      after = next(before, level);
    }
    splice.before[level] = before;
    splice.after[level] = after;
  }

  private boolean isBefore(int node, long prefix, ByteBuffer buffer, int cell, long sequence) {
    int[] block = blocks[node >>> BLOCK_SHIFT];
    int at = node & BLOCK_MASK;
    long nodePrefix =
        (long) block[at + PREFIX_HIGH] << Integer.SIZE | block[at + PREFIX_LOW] & 0xFFFFFFFFL;
    if (nodePrefix != prefix) {
      return Long.compareUnsigned(nodePrefix, prefix) < 0;
    }
    int reference = block[at + REFERENCE];
    ByteBuffer nodeBuffer = pool.buffer(reference);
    int position = pool.position(reference);
    return CellComparator.compare(
            nodeBuffer,
            CellRecord.cellOffset(position),
            CellRecord.sequence(nodeBuffer, position),
            buffer,
            cell,
            sequence)
        < 0;
  }

  private int next(int node, int level) {
    return (int) INTS.getAcquire(blocks[node >>> BLOCK_SHIFT], (node & BLOCK_MASK) + LINKS + level);
  }

  private boolean casNext(int node, int level, int expected, int next) {
    return INTS.compareAndSet(
        blocks[node >>> BLOCK_SHIFT], (node & BLOCK_MASK) + LINKS + level, expected, next);
  }

  private void raiseHeight(int nodeHeight) {
    if (height.get() < nodeHeight) {
      height.accumulateAndGet(nodeHeight, Math::max);
    }
  }

  /** Returns the first of so many ints in one block, or 0 when the list has no room left. */
  private int allocate(int ints) {
    while (true) {
      int used = top.get();
      boolean fits = (used & BLOCK_MASK) + ints <= ChunkPool.LINK_BLOCK_INTS;
      int start = fits ? used : (used | BLOCK_MASK) + 1;
      int block = start >>> BLOCK_SHIFT;
      if (block >= blocks.length) {
        // Once a node has found no room, no smaller one may: the list counts as full for good.
        if (top.compareAndSet(used, start)) {
          return 0;
        }
        continue;
      }
      if (blockAt(block) == null) {
        startBlock(block);
      }
      if (top.compareAndSet(used, start + ints)) {
        return start;
      }
    }
  }

  private int @Nullable [] blockAt(int block) {
    return (int[]) BLOCKS.getAcquire(blocks, block);
  }

  private synchronized void startBlock(int block) {
    if (blockAt(block) == null) {
      BLOCKS.setRelease(blocks, block, pool.takeLinkBlock(account));
    }
  }
}
