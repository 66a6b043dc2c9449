// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.active;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.encoding.CellComparator;
import io.accordiondb.memstore.segment.CellRecord;
import io.accordiondb.memstore.segment.KeyPrefix;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A concurrent skip list over cells in chunks: many writers, lock-free readers, no removal. It has
 * a node for each column, from which the versions of the column hang as a list, in the order of
 * cells. So columns that are written often do not make searches longer, most of which end at their
 * node on a high level; and a version that is newer than all others, which nearly each is, becomes
 * the first of its list without a further look.
 *
 * <p>Nodes and versions are runs of ints in link blocks, so that following a link and reading the
 * eight-byte key prefix that decides most comparisons touch one cache line. A node is the oldest
 * version that its column was given, too:
 *
 * <pre>
 *   version + 0         reference of the cell's record in chunk memory
 *   version + 1         next version of the column, 0 at the end
 *   node + 2            first version of the column
 *   node + 3, node + 4  key prefix, high and low half
 *   node + 5 + l        next node on level l, 0 at the end
 * </pre>
 *
 * <p>Most searches do not come from above: once there are some nodes, they show how key prefixes
 * are spread ({@link PrefixSpread}), and a table of hints has, for each small range of prefixes, a
 * node near its beginning. It lies behind the head. A hint is as good as its node is near: whoever
 * does not arrive after a few steps searches from above.
 *
 * <p>Publication: a writer fills the record in its chunk and the node's or version's ints with
 * plain writes, then links it with a compare-and-set, a node level by level from the bottom. The
 * link on the lowest level decides which of two writers gives a new column its node. Readers read
 * every link, and every hint, with acquire semantics and everything else plainly behind it.
 *
 * <p>Longer than 400 lines because it is one algorithm over one layout of ints, whose publication
 * rule must be seen whole.
 */
final class SkipList {
  static final int MAX_HEIGHT = 12;

  /** Link blocks that references can address. */
  static final int BLOCKS_MAX = 1 << 14;

  /** Ints of a node, more than the average of 6.33. */
  static final int NODE_INTS_EXPECTED = 7;

  /** One node in this many reaches the next level. */
  private static final int BRANCHING = 4;

  /** Steps past versions that an insertion may take; one that takes more is not worth repeating. */
  private static final int VERSION_STEPS_MAX = 1024;

  private static final int REFERENCE = 0;
  private static final int NEXT_VERSION = 1;
  private static final int VERSION_INTS = 2;
  private static final int FIRST_VERSION = 2;
  private static final int PREFIX_HIGH = 3;
  private static final int PREFIX_LOW = 4;
  private static final int LINKS = 5;

  private static final int BLOCK_SHIFT = Integer.numberOfTrailingZeros(ChunkPool.LINK_BLOCK_INTS);
  private static final int BLOCK_MASK = ChunkPool.LINK_BLOCK_INTS - 1;
  private static final int HEAD = 1;
  private static final int HINTS = HEAD + LINKS + MAX_HEIGHT;
  private static final int HINT_COUNT = 1 << 13;

  /** Ints of nodes after which the spread of prefixes is learned. */
  private static final int LEARNING_INTS = 2048;

  /** Of the ints of nodes, one hint in vain for each so many tells that prefixes are uneven. */
  private static final int INTS_BY_VAIN_HINT = 64;

  /** Ranges below that of a key in which a hint is looked for. */
  private static final int RANGES_BELOW_MAX = 16;

  /** Steps from a hint, and from where the last insertion of the thread ended. */
  private static final int HINT_STEPS_MAX = 16;

  private static final int FINGER_STEPS_MAX = 1;

  /** What a search returns that has not found the place, and why it has not. */
  private static final int UNKNOWN = -1;

  private static final int BEHIND = -2;
  private static final int TOO_FAR = -3;

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

  /** How prefixes are spread, once there are enough nodes to tell. */
  private volatile @Nullable PrefixSpread spread;

  /** Whether prefixes are not spread as they were at first, so that hints do not help. */
  private volatile boolean uneven;

  /** Searches that a hint has not helped. Writers may overwrite each other's counting. */
  private int vainHints;

  /** Whether a column's versions came in an order that makes their list slow. */
  private volatile boolean slow;

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
   * it, which lie between those of the level above, but for the lowest level, which many insertions
   * reach by themselves. The next insertion starts there and climbs only as far as it must, so
   * sorted cells cost few steps.
   */
  static final class Splice {
    private final int[] before = new int[MAX_HEIGHT];
    private final int[] after = new int[MAX_HEIGHT];
    private int height;

    /** Where the next node is to be left as a hint, or 0. */
    private int hintWanted;

    private int random = System.identityHashCode(this) | 1;

    /** Forgets the position; to be called before a splice is used on another list. */
    void reset() {
      height = 0;
    }

    /** Lets levels that it has not seen begin at the head. */
    private void raise(int levels) {
      for (; height < levels; height++) {
        before[height] = HEAD;
        after[height] = 0;
      }
    }

    /** Moves behind a node that is linked on a level, and so on all below. */
    private void moveTo(SkipList list, int node, int level) {
      for (int i = 0; i < height && (i <= level || after[i] == node); i++) {
        before[i] = node;
        after[i] = list.next(node, i);
      }
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
   * @return false when the list has no room for it; then nothing has changed
   */
  boolean insert(int reference, Splice splice) {
    if (!started) {
      start();
    }
    ByteBuffer buffer = pool.buffer(reference);
    int position = pool.position(reference);
    int cell = CellRecord.cellOffset(position);
    long prefix = keyPrefix.of(buffer, cell);
    PrefixSpread spread = uneven ? null : spread();
    int height = splice.randomHeight();
    if (spread != null) {
      // Hints do what the links on the second level would.
      height = Math.max(1, height - 1);
    }
    splice.hintWanted = 0;
    int column = findNear(splice, spread, prefix, buffer, cell);
    if (column == UNKNOWN) {
      column = findSplice(splice, 0, prefix, buffer, cell);
    } else if (column == 0 && height > 1) {
      column = findSplice(splice, 1, prefix, buffer, cell);
    }
    boolean linked =
        column == 0
            ? insertNode(height, reference, splice, prefix, buffer, cell)
            : insertVersion(reference, column);
    if (linked && splice.hintWanted != 0) {
      setRelease(splice.hintWanted, column == 0 ? splice.before[0] : column);
    }
    return linked;
  }

  private boolean insertVersion(int reference, int column) {
    int version = allocate(VERSION_INTS);
    if (version == 0) {
      return false;
    }
    set(version + REFERENCE, reference);
    linkVersion(column, version);
    return true;
  }

  /** Links a cell as the node of its column, unless another writer does so first. */
  private boolean insertNode(
      int nodeHeight, int reference, Splice splice, long prefix, ByteBuffer buffer, int cell) {
    int node = allocate(LINKS + nodeHeight);
    if (node == 0) {
      return false;
    }
    set(node + REFERENCE, reference);
    set(node + NEXT_VERSION, 0);
    set(node + FIRST_VERSION, node);
    set(node + PREFIX_HIGH, (int) (prefix >>> Integer.SIZE));
    set(node + PREFIX_LOW, (int) prefix);
    raiseHeight(nodeHeight);
    splice.raise(nodeHeight);
    for (int level = 0; level < nodeHeight; level++) {
      while (true) {
        set(node + LINKS + level, splice.after[level]);
        if (compareAndSet(splice.before[level] + LINKS + level, splice.after[level], node)) {
          break;
        }
        // Another writer linked a node here: look again, from the same predecessor on.
        int column = findOnLevel(splice, level, splice.before[level], 0, prefix, buffer, cell);
        if (column != 0) {
          linkVersion(column, node);
          return true;
        }
      }
      splice.before[level] = node;
    }
    return true;
  }

  /** Links a version, whose reference is set, into the list of its column. */
  private void linkVersion(int column, int version) {
    int reference = reference(version);
    ByteBuffer buffer = pool.buffer(reference);
    int position = pool.position(reference);
    int steps = 0;
    int link = column + FIRST_VERSION;
    while (true) {
      int next = get(link);
      if (next != 0 && isVersionBefore(next, buffer, position)) {
        link = next + NEXT_VERSION;
        steps++;
      } else {
        set(version + NEXT_VERSION, next);
        if (compareAndSet(link, next, version)) {
          break;
        }
      }
    }
    if (steps > VERSION_STEPS_MAX) {
      slow = true;
    }
  }

  /** Returns whether a version sorts before a record of the same column. */
  private boolean isVersionBefore(int version, ByteBuffer buffer, int position) {
    int reference = reference(version);
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
   * Returns whether versions of some column came in an order in which each is inserted slowly. Then
   * the rest should go into another list.
   */
  boolean isSlow() {
    return slow;
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

  /** Returns the first version of a node's column. */
  int firstVersion(int node) {
    return get(node + FIRST_VERSION);
  }

  /** Returns the version after another one of the same column, or 0. */
  int nextVersion(int version) {
    return get(version + NEXT_VERSION);
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
    return blocks[version >>> BLOCK_SHIFT][(version & BLOCK_MASK) + REFERENCE];
  }

  /** Returns the key prefix of a node. */
  long prefix(int node) {
    int[] block = blocks[node >>> BLOCK_SHIFT];
    int at = node & BLOCK_MASK;
    return (long) block[at + PREFIX_HIGH] << Integer.SIZE | block[at + PREFIX_LOW] & 0xFFFFFFFFL;
  }

  /** Returns the last node of a column before that of a key, or 0. */
  int lastBefore(ByteBuffer key, int keyOffset) {
    if (!started) {
      return 0;
    }
    long prefix = keyPrefix.of(key, keyOffset);
    int near = lastNearBefore(prefix, key, keyOffset);
    if (near != 0) {
      return near;
    }
    int node = HEAD;
    int known = 0;
    for (int level = height.get() - 1; level >= 0; level--) {
      int next = next(node, level);
      while (next != 0 && next != known && compare(next, prefix, key, keyOffset) < 0) {
        node = next;
        next = next(node, level);
      }
      known = next;
    }
    return node == HEAD ? 0 : node;
  }

  /** Returns the last node of a column before that of a key, if a hint leads to it; else 0. */
  private int lastNearBefore(long prefix, ByteBuffer key, int keyOffset) {
    PrefixSpread spread = uneven ? null : this.spread;
    if (spread == null) {
      return 0;
    }
    int own = HINTS + spread.bucket(prefix);
    int before = 0;
    for (int range = own; before == 0 && range >= lowestRange(own); range--) {
      int hint = get(range);
      if (hint != 0 && compare(hint, prefix, key, keyOffset) < 0) {
        before = hint;
      }
    }
    for (int step = 0; before != 0 && step < HINT_STEPS_MAX; step++) {
      int after = next(before, 0);
      if (after == 0 || compare(after, prefix, key, keyOffset) >= 0) {
        return before;
      }
      before = after;
    }
    return 0;
  }

  /** Returns the lowest range in which a hint is looked for on behalf of another. */
  private static int lowestRange(int own) {
    return Math.max(HINTS, own - RANGES_BELOW_MAX);
  }

  /** Returns the first node of a column at or after that of a key, or 0. */
  int firstAtOrAfter(ByteBuffer key, int keyOffset) {
    int before = lastBefore(key, keyOffset);
    int node = before == 0 ? first() : next(before, 0);
    // A writer may have linked a node that is still before the key since the search.
    long prefix = keyPrefix.of(key, keyOffset);
    while (node != 0 && compare(node, prefix, key, keyOffset) < 0) {
      node = next(node, 0);
    }
    return node;
  }

  private synchronized void start() {
    if (!started) {
      startBlock(0);
      Arrays.fill(blocks[0], HEAD + LINKS, HINTS + HINT_COUNT, 0);
      top.set(HINTS + HINT_COUNT);
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

  /**
   * Finds the neighbours of a cell's column on the lowest level, or its node, which is returned, or
   * neither, where a search from above would take less.
   */
  private int findNear(
      Splice splice, @Nullable PrefixSpread spread, long prefix, ByteBuffer buffer, int cell) {
    if (splice.height == 0) {
      return UNKNOWN;
    }
    int column = walk(splice, splice.before[0], FINGER_STEPS_MAX, prefix, buffer, cell);
    return column < 0 && spread != null
        ? findByHint(splice, spread, prefix, buffer, cell)
        : Math.max(UNKNOWN, column);
  }

  private int findByHint(
      Splice splice, PrefixSpread spread, long prefix, ByteBuffer buffer, int cell) {
    int own = HINTS + spread.bucket(prefix);
    int column = BEHIND;
    for (int range = own; column == BEHIND && range >= lowestRange(own); range--) {
      int hint = get(range);
      if (hint != 0) {
        column = walk(splice, hint, HINT_STEPS_MAX, prefix, buffer, cell);
      }
      if (range == own && column == BEHIND) {
        splice.hintWanted = own;
      }
    }
    if (column == TOO_FAR && ++vainHints > top.get() / INTS_BY_VAIN_HINT) {
      uneven = true;
    }
    return Math.max(UNKNOWN, column);
  }

  /**
   * Walks on the lowest level from a node to the neighbours of a cell's column, or to its node,
   * which is returned; or tells that the node is behind, or too far before.
   */
  private int walk(
      Splice splice, int start, int stepsMax, long prefix, ByteBuffer buffer, int cell) {
    int before = start;
    int order = start == HEAD ? -1 : compare(start, prefix, buffer, cell);
    if (order > 0) {
      return BEHIND;
    }
    for (int step = 0; order < 0; step++) {
      if (step == stepsMax) {
        return TOO_FAR;
      }
      int after = next(before, 0);
      order = after == 0 ? 1 : compare(after, prefix, buffer, cell);
      if (order > 0) {
        splice.before[0] = before;
        splice.after[0] = after;
        return 0;
      }
      before = after;
    }
    splice.before[0] = before;
    splice.after[0] = next(before, 0);
    return before;
  }

  /** Returns how prefixes are spread, or null as long as there are too few nodes to tell. */
  private @Nullable PrefixSpread spread() {
    PrefixSpread known = spread;
    return known != null || top.get() < HINTS + HINT_COUNT + LEARNING_INTS ? known : learnSpread();
  }

  private synchronized PrefixSpread learnSpread() {
    PrefixSpread learned = spread;
    if (learned == null) {
      int level = next(HEAD, 1) == 0 ? 0 : 1;
      LongStream.Builder sample = LongStream.builder();
      for (int node = next(HEAD, level); node != 0; node = next(node, level)) {
        sample.add(prefix(node));
      }
      learned = new PrefixSpread(sample.build().toArray(), HINT_COUNT);
      spread = learned;
    }
    return learned;
  }

  /**
   * Finds the neighbours of a cell's column, or its node, which is returned.
   *
   * @param lowest the lowest level on which neighbours are wanted
   */
  private int findSplice(Splice splice, int lowest, long prefix, ByteBuffer buffer, int cell) {
    int listHeight = height.get();
    boolean fresh = splice.height == 0;
    splice.raise(listHeight);
    int level = fresh ? listHeight : 1;
    while (level < listHeight) {
      int before = splice.before[level];
      int after = splice.after[level];
      if (next(before, level) != after) {
        level++;
        continue;
      }
      int order = before == HEAD ? -1 : compare(before, prefix, buffer, cell);
      if (order == 0) {
        return before;
      }
      if (order > 0) {
        while (level < listHeight && splice.before[level] == before) {
          level++;
        }
        continue;
      }
      order = after == 0 ? 1 : compare(after, prefix, buffer, cell);
      if (order == 0) {
        splice.moveTo(this, after, level);
        return after;
      }
      if (order > 0) {
        break;
      }
      while (level < listHeight && splice.after[level] == after) {
        level++;
      }
    }
    int start = level == listHeight ? HEAD : splice.before[level];
    int known = level == listHeight ? 0 : splice.after[level];
    while (--level >= lowest) {
      int column = findOnLevel(splice, level, start, known, prefix, buffer, cell);
      if (column != 0) {
        return column;
      }
      start = splice.before[level];
      known = splice.after[level];
    }
    return 0;
  }

  /**
   * Finds the neighbours on one level, or the node of the cell's column, which is returned.
   *
   * @param known a node known to come after the cell, at which the search ends, or 0
   */
  private int findOnLevel(
      Splice splice, int level, int start, int known, long prefix, ByteBuffer buffer, int cell) {
    int before = start;
    int after = next(before, level);
    while (after != 0 && after != known) {
      int order = compare(after, prefix, buffer, cell);
      if (order == 0) {
        splice.moveTo(this, after, level);
        return after;
      }
      if (order > 0) {
        break;
      }
      before = after;
      after = next(before, level);
    }
    splice.before[level] = before;
    splice.after[level] = after;
    return 0;
  }

  /** Compares the columns of a node and of a cell. */
  private int compare(int node, long prefix, ByteBuffer buffer, int cell) {
    long nodePrefix = prefix(node);
    if (nodePrefix != prefix) {
      return Long.compareUnsigned(nodePrefix, prefix);
    }
    int reference = reference(node);
    return CellComparator.compareColumns(
        pool.buffer(reference), CellRecord.cellOffset(pool.position(reference)), buffer, cell);
  }

  private int next(int node, int level) {
    return get(node + LINKS + level);
  }

  /** Reads a link. */
  private int get(int at) {
    return (int) INTS.getAcquire(blocks[at >>> BLOCK_SHIFT], at & BLOCK_MASK);
  }

  /** Sets a link so that whoever reads it sees the node behind it. */
  private void setRelease(int at, int node) {
    INTS.setRelease(blocks[at >>> BLOCK_SHIFT], at & BLOCK_MASK, node);
  }

  /** Sets an int that nobody else can see yet. */
  private void set(int at, int value) {
    blocks[at >>> BLOCK_SHIFT][at & BLOCK_MASK] = value;
  }

  private boolean compareAndSet(int at, int expected, int value) {
    return INTS.compareAndSet(blocks[at >>> BLOCK_SHIFT], at & BLOCK_MASK, expected, value);
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
