// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.flat;

import io.accordiondb.chunk.Arena;
import java.nio.ByteBuffer;

/**
 * A Bloom filter over key prefixes: a prefix that it does not contain belongs to no row of the
 * segment. It is built from the index alone, so that a merge of segments does not read the cells
 * again.
 *
 * <p>It is stored in the chunks of the index. All bits of a prefix are in one line of 64 bytes, so
 * a query costs one cache miss. With ten bits a prefix, about 1 in 80 absent prefixes is a false
 * positive. One thread fills the filter; after safe publication many threads may query it. The
 * budget of chunks requires a filter in memory that the caller provides, which no library offers.
 */
final class PrefixFilter {
  /**
   * Fewer prefixes than this fit the cache, and searching them takes about as long as a query of a
   * filter.
   */
  private static final int PREFIXES_MIN = 1024;

  /** If more columns than this share a prefix, a filter rejects too few lookups. */
  private static final int COLUMNS_PER_PREFIX_MAX = 16;

  private static final int BITS_PER_PREFIX = 10;
  private static final int PROBES = 6;
  private static final int LINE_BYTES = 64;
  private static final int LINE_BITS = LINE_BYTES * Byte.SIZE;
  private static final int LINE_BIT_BITS = 9;

  /** A filter has at most this many times the bits that it needs. */
  private static final int SURPLUS_MAX = 2;

  private static final long HASH_FIRST = 0x9E3779B97F4A7C15L;
  private static final long HASH_SECOND = 0xD6E8FEB86659FD93L;

  private final ByteBuffer tail;
  private final int tailPosition;
  private final int tailLines;
  private final ByteBuffer[] chunks;
  private final int chunkLineBits;
  private final int lines;

  /**
   * Creates an empty filter in the rest of a chunk and, if that is too small, in further chunks.
   *
   * @param tail the chunk, whose bytes from {@code tailUsed} on are free
   * @param arena where further chunks come from
   * @param chunkBytes the size of its chunks
   * @param prefixes how many different ones there will be
   */
  PrefixFilter(ByteBuffer tail, int tailUsed, Arena arena, int chunkBytes, long prefixes) {
    int needed = Math.toIntExact(prefixes * BITS_PER_PREFIX / LINE_BITS + 1);
    this.tail = tail;
    this.tailPosition = tailUsed;
    this.tailLines = Math.min((chunkBytes - tailUsed) / LINE_BYTES, SURPLUS_MAX * needed);
    this.chunkLineBits = Integer.numberOfTrailingZeros(chunkBytes / LINE_BYTES);
    int linesPerChunk = 1 << chunkLineBits;
    this.chunks =
        new ByteBuffer[Math.max(0, (needed - tailLines + linesPerChunk - 1) / linesPerChunk)];
    for (int i = 0; i < chunks.length; i++) {
      chunks[i] = arena.buffer(arena.allocateChunk());
    }
    this.lines = Math.min(tailLines + chunks.length * linesPerChunk, SURPLUS_MAX * needed);
    for (int line = 0; line < lines; line++) {
      ByteBuffer buffer = buffer(line);
      int position = position(line);
      for (int i = 0; i < LINE_BYTES; i += Long.BYTES) {
        buffer.putLong(position + i, 0);
      }
    }
  }

  /**
   * Returns whether a segment with these numbers of different prefixes and columns profits from a
   * filter.
   */
  static boolean pays(long prefixes, long columns) {
    return prefixes >= PREFIXES_MIN && columns / prefixes < COLUMNS_PER_PREFIX_MAX;
  }

  /** Adds a prefix; not after the filter was published. */
  void add(long prefix) {
    long hash = hash(prefix);
    int line = line(hash);
    ByteBuffer buffer = buffer(line);
    int position = position(line);
    long bits = hash * HASH_SECOND;
    for (int i = 0; i < PROBES; i++) {
      int bit = (int) (bits >>> (Long.SIZE - LINE_BIT_BITS));
      int at = position + bit / Long.SIZE * Long.BYTES;
      buffer.putLong(at, buffer.getLong(at) | 1L << bit);
      bits <<= LINE_BIT_BITS;
    }
  }

  /** Returns whether a prefix may have been added; false if it was certainly not. */
  boolean mayContain(long prefix) {
    long hash = hash(prefix);
    int line = line(hash);
    ByteBuffer buffer = buffer(line);
    int position = position(line);
    long bits = hash * HASH_SECOND;
    for (int i = 0; i < PROBES; i++) {
      int bit = (int) (bits >>> (Long.SIZE - LINE_BIT_BITS));
      if ((buffer.getLong(position + bit / Long.SIZE * Long.BYTES) & 1L << bit) == 0) {
        return false;
      }
      bits <<= LINE_BIT_BITS;
    }
    return true;
  }

  private ByteBuffer buffer(int line) {
    int beyond = line - tailLines;
    return beyond < 0 ? tail : chunks[beyond >> chunkLineBits];
  }

  private int position(int line) {
    int beyond = line - tailLines;
    return beyond < 0
        ? tailPosition + line * LINE_BYTES
        : (beyond & (1 << chunkLineBits) - 1) * LINE_BYTES;
  }

  private static long hash(long prefix) {
    long mixed = (prefix ^ prefix >>> 32) * HASH_FIRST;
    return (mixed ^ mixed >>> 29) * HASH_SECOND;
  }

  private int line(long hash) {
    return (int) ((hash >>> 32) * lines >>> 32);
  }
}
