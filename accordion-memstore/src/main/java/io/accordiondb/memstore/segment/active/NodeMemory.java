// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.active;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryAccount;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The nodes and versions of a {@link SkipList}: runs of ints in link blocks, so that following a
 * link and reading the eight-byte key prefix that decides most comparisons touch one cache line. A
 * node also holds the first version that was written to its column:
 *
 * <pre>
 *   version + 0         reference of the cell's record in chunk memory
 *   version + 1         next version of the column, 0 at the end
 *   node + 2            first version of the column
 *   node + 3, node + 4  key prefix, high and low half
 *   node + 5 + l        next node on level l, 0 at the end
 * </pre>
 *
 * <p>The first node is the head, which has no cell; a table of links for {@link NodeHints} follows
 * it. Thread-safe: links are read with acquire semantics and set with a compare-and-set or a
 * release; everything else is written plainly before a link leads to it, and does not change
 * afterwards.
 */
final class NodeMemory {
  static final int MAX_HEIGHT = 12;

  /** Link blocks that references can address. */
  static final int BLOCKS_MAX = 1 << 14;

  /** Ints of a node, more than the average of 6.33. */
  static final int NODE_INTS_EXPECTED = 7;

  static final int HEAD = 1;

  private static final int REFERENCE = 0;
  private static final int NEXT_VERSION = 1;
  private static final int VERSION_INTS = 2;
  private static final int FIRST_VERSION = 2;
  private static final int PREFIX_HIGH = 3;
  private static final int PREFIX_LOW = 4;
  private static final int LINKS = 5;

  static final int HINTS = HEAD + LINKS + MAX_HEIGHT;
  static final int HINT_COUNT = 1 << 13;

  private static final int BLOCK_SHIFT = Integer.numberOfTrailingZeros(ChunkPool.LINK_BLOCK_INTS);
  private static final int BLOCK_MASK = ChunkPool.LINK_BLOCK_INTS - 1;

  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle BLOCKS = MethodHandles.arrayElementVarHandle(int[][].class);

  private final ChunkPool pool;
  private final MemoryAccount account;

  /** Slots are filled in order and never change; a slot is set before nodes in it are linked. */
  private final int[][] blocks;

  private final AtomicInteger top = new AtomicInteger();

  /** Whether the head exists: a list without cells takes no memory. */
  private volatile boolean started;

  /**
   * Creates memory without nodes.
   *
   * @param blocksMax link blocks it may grow to, at least 1
   */
  NodeMemory(ChunkPool pool, MemoryAccount account, int blocksMax) {
    this.pool = pool;
    this.account = account;
    this.blocks = new int[blocksMax][];
  }

  /** Creates the head, unless it exists. */
  void start() {
    if (!started) {
      makeHead();
    }
  }

  private synchronized void makeHead() {
    if (!started) {
      startBlock(0);
      Arrays.fill(blocks[0], HEAD + LINKS, HINTS + HINT_COUNT, 0);
      top.set(HINTS + HINT_COUNT);
      started = true;
    }
  }

  /** Returns whether the head exists, so that there may be nodes. */
  boolean isStarted() {
    return started;
  }

  /** Returns the ints of all nodes and versions, without the head. */
  int nodeInts() {
    return top.get() - HINTS - HINT_COUNT;
  }

  /** Returns the bytes of the link blocks. */
  long bytes() {
    int used = top.get();
    return used == 0 ? 0 : ((used - 1L >>> BLOCK_SHIFT) + 1) * ChunkPool.LINK_BLOCK_BYTES;
  }

  /** Returns the link blocks to the pool. No read may follow. */
  void giveBack() {
    for (int i = 0; i < blocks.length && blocks[i] != null; i++) {
      pool.giveBackLinkBlock(blocks[i], account);
    }
  }

  /** Creates a version that no other thread sees; returns 0 if there is no room. */
  int newVersion(int reference) {
    int version = allocate(VERSION_INTS);
    if (version != 0) {
      set(version + REFERENCE, reference);
    }
    return version;
  }

  /**
   * Creates a node, with its first version, that no other thread sees; returns 0 if there is no
   * room.
   */
  int newNode(int reference, long prefix, int height) {
    int node = allocate(LINKS + height);
    if (node != 0) {
      set(node + REFERENCE, reference);
      set(node + NEXT_VERSION, 0);
      set(node + FIRST_VERSION, node);
      set(node + PREFIX_HIGH, (int) (prefix >>> Integer.SIZE));
      set(node + PREFIX_LOW, (int) prefix);
    }
    return node;
  }

  /** Returns the reference of a version's record; for a node, that of some version. */
  int reference(int version) {
    return blocks[version >>> BLOCK_SHIFT][(version & BLOCK_MASK) + REFERENCE];
  }

  /** Returns the key prefix of a node. */
  long prefix(int node) {
    int[] block = blocks[node >>> BLOCK_SHIFT];
    int at = node & BLOCK_MASK;
    return (long) block[at + PREFIX_HIGH] << Integer.SIZE | block[at + PREFIX_LOW] & 0xFFFFFFFFL;
  }

  /** Returns the node after another one on a level, or 0. */
  int next(int node, int level) {
    return get(node + LINKS + level);
  }

  /** Links a node, unless another thread has linked one at the same place on that level. */
  boolean link(int before, int after, int node, int level) {
    set(node + LINKS + level, after);
    return compareAndSet(before + LINKS + level, after, node);
  }

  /** Returns where the first version of a node's column is linked. */
  static int firstVersionLink(int node) {
    return node + FIRST_VERSION;
  }

  /** Returns where the version after another one is linked. */
  static int nextVersionLink(int version) {
    return version + NEXT_VERSION;
  }

  /**
   * Links a version in front of another one, or of 0 for the end, unless another thread has linked
   * one there.
   */
  boolean linkVersion(int link, int next, int version) {
    set(version + NEXT_VERSION, next);
    return compareAndSet(link, next, version);
  }

  /** Reads a link. */
  int get(int link) {
    return (int) INTS.getAcquire(blocks[link >>> BLOCK_SHIFT], link & BLOCK_MASK);
  }

  /** Sets a link so that a thread that reads it also sees the node to which it leads. */
  void setRelease(int link, int node) {
    INTS.setRelease(blocks[link >>> BLOCK_SHIFT], link & BLOCK_MASK, node);
  }

  /** Sets an int that no other thread can see yet. */
  private void set(int at, int value) {
    blocks[at >>> BLOCK_SHIFT][at & BLOCK_MASK] = value;
  }

  private boolean compareAndSet(int at, int expected, int value) {
    return INTS.compareAndSet(blocks[at >>> BLOCK_SHIFT], at & BLOCK_MASK, expected, value);
  }

  /** Returns the first of a number of ints in one block, or 0 if there is no room. */
  private int allocate(int ints) {
    while (true) {
      int used = top.get();
      boolean fits = (used & BLOCK_MASK) + ints <= ChunkPool.LINK_BLOCK_INTS;
      int start = fits ? used : (used | BLOCK_MASK) + 1;
      int block = start >>> BLOCK_SHIFT;
      if (block >= blocks.length) {
        // Once a node has found no room, no smaller one may find any: the list stays full.
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
