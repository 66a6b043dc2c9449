// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryAccount;
import java.util.Arrays;

/**
 * A Bloom filter over key prefixes: a prefix that it does not contain belongs to no row of the
 * segment. It is made from the index alone, so that merging segments need not look at cells again.
 *
 * <p>All bits of a prefix lie in one line of 64 bytes, so a question costs one cache miss. At the
 * ten bits a prefix that it begins with, about 1 in 80 absent prefixes seems to be there. One
 * thread fills it; when it is published safely, many may ask.
 */
final class PrefixFilter {
  /**
   * Fewer prefixes than this lie in the cache and are searched about as quickly as a filter
   * answers.
   */
  private static final int PREFIXES_MIN = 1024;

  /** Where prefixes tell fewer rows apart than this, they answer too few questions. */
  private static final int COLUMNS_PER_PREFIX_MAX = 16;

  private static final int BITS_PER_PREFIX = 10;
  private static final int PROBES = 6;
  private static final int LINE_INTS = 16;
  private static final int LINE_BITS = LINE_INTS * Integer.SIZE;
  private static final int LINE_BIT_BITS = 9;
  private static final int LINES_PER_BLOCK = ChunkPool.LINK_BLOCK_INTS / LINE_INTS;

  private static final long HASH_FIRST = 0x9E3779B97F4A7C15L;
  private static final long HASH_SECOND = 0xD6E8FEB86659FD93L;

  private final ChunkPool pool;
  private final MemoryAccount account;
  private final int[][] blocks;
  private final int lines;

  /** Creates an empty filter, which takes blocks of the pool. */
  PrefixFilter(ChunkPool pool, MemoryAccount account, long prefixes) {
    this.pool = pool;
    this.account = account;
    long blockBits = (long) LINES_PER_BLOCK * LINE_BITS;
    int blockCount = (int) (prefixes * BITS_PER_PREFIX / blockBits) + 1;
    blocks = new int[blockCount][];
    lines = blockCount * LINES_PER_BLOCK;
    for (int i = 0; i < blockCount; i++) {
      blocks[i] = pool.takeLinkBlock(account);
      Arrays.fill(blocks[i], 0);
    }
  }

  /** Returns whether a segment with so many different prefixes and columns profits from one. */
  static boolean pays(long prefixes, long columns) {
    return prefixes >= PREFIXES_MIN && columns / prefixes < COLUMNS_PER_PREFIX_MAX;
  }

  void add(long prefix) {
    long hash = hash(prefix);
    int line = line(hash);
    int[] block = blocks[line / LINES_PER_BLOCK];
    int start = line % LINES_PER_BLOCK * LINE_INTS;
    long bits = hash * HASH_SECOND;
    for (int i = 0; i < PROBES; i++) {
      int bit = (int) (bits >>> (Long.SIZE - LINE_BIT_BITS));
      block[start + bit / Integer.SIZE] |= 1 << bit;
      bits <<= LINE_BIT_BITS;
    }
  }

  boolean mayContain(long prefix) {
    long hash = hash(prefix);
    int line = line(hash);
    int[] block = blocks[line / LINES_PER_BLOCK];
    int start = line % LINES_PER_BLOCK * LINE_INTS;
    long bits = hash * HASH_SECOND;
    for (int i = 0; i < PROBES; i++) {
      int bit = (int) (bits >>> (Long.SIZE - LINE_BIT_BITS));
      if ((block[start + bit / Integer.SIZE] & 1 << bit) == 0) {
        return false;
      }
      bits <<= LINE_BIT_BITS;
    }
    return true;
  }

  long bytes() {
    return (long) blocks.length * ChunkPool.LINK_BLOCK_BYTES;
  }

  /** Gives the memory back; nobody may ask any more. */
  void giveBack() {
    for (int[] block : blocks) {
      pool.giveBackLinkBlock(block, account);
    }
  }

  private static long hash(long prefix) {
    long mixed = (prefix ^ prefix >>> 32) * HASH_FIRST;
    return (mixed ^ mixed >>> 29) * HASH_SECOND;
  }

  private int line(long hash) {
    return (int) ((hash >>> 32) * lines >>> 32);
  }
}
