// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Chunks of one size, on or off the heap, taken and given back. Thread-safe.
 *
 * <p>A reference packs a chunk's number and a position in it into an {@code int}; positions are
 * multiples of {@link #ALIGNMENT_BYTES}, so that one pool addresses 16 GiB. Chunks that were given
 * back wait for reuse; the pool never shrinks. A request larger than a chunk gets a jumbo chunk of
 * its own, which lies on the heap and goes to the garbage collector when it is given back.
 *
 * <p>The pool also lends the {@code int} blocks in which skip lists keep their links, because those
 * must lie on the heap to be accessed atomically.
 */
public final class ChunkPool {
  /** Every allocation begins at a multiple of this many bytes. */
  public static final int ALIGNMENT_BYTES = 4;

  /** Smallest and largest chunk. */
  public static final int CHUNK_BYTES_MIN = 4 << 10;

  public static final int CHUNK_BYTES_MAX = 4 << 20;

  /** Ints in a link block. */
  public static final int LINK_BLOCK_INTS = 1 << 14;

  private static final int ALIGNMENT_SHIFT = 2;

  /** What a link block is charged. */
  public static final int LINK_BLOCK_BYTES = 16 + LINK_BLOCK_INTS * Integer.BYTES;

  private final int chunkBytes;
  private final boolean offHeap;
  private final int positionBits;
  private final int positionMask;

  /** By chunk number. A slot is written before any reference into the chunk is published. */
  private final ByteBuffer[] chunks;

  // Guarded by this.
  private int[] freeChunks = new int[16];
  private int freeChunkCount;
  private int[] freeNumbers = new int[16];
  private int freeNumberCount;
  private int numbersUsed;
  private int[][] freeLinkBlocks = new int[16][];
  private int freeLinkBlockCount;
  private int chunksInUse;

  /**
   * Creates an empty pool.
   *
   * @param chunkBytes size of a chunk in bytes, a power of two from {@link #CHUNK_BYTES_MIN} to
   *     {@link #CHUNK_BYTES_MAX}
   * @param offHeap whether chunks are direct buffers
   */
  public ChunkPool(int chunkBytes, boolean offHeap) {
    if (Integer.bitCount(chunkBytes) != 1
        || chunkBytes < CHUNK_BYTES_MIN
        || chunkBytes > CHUNK_BYTES_MAX) {
      throw new IllegalArgumentException(
          "chunk size is "
              + chunkBytes
              + " bytes, expected a power of two from "
              + CHUNK_BYTES_MIN
              + " to "
              + CHUNK_BYTES_MAX);
    }
    this.chunkBytes = chunkBytes;
    this.offHeap = offHeap;
    this.positionBits = Integer.numberOfTrailingZeros(chunkBytes) - ALIGNMENT_SHIFT;
    this.positionMask = (1 << positionBits) - 1;
    this.chunks = new ByteBuffer[1 << (Integer.SIZE - positionBits)];
  }

  /** Returns the size of a chunk in bytes. */
  public int chunkBytes() {
    return chunkBytes;
  }

  /** Returns the buffer of the chunk that a reference points into. */
  public ByteBuffer buffer(int reference) {
    return chunks[reference >>> positionBits];
  }

  /** Returns the position in {@link #buffer} that a reference points to. */
  public int position(int reference) {
    return (reference & positionMask) << ALIGNMENT_SHIFT;
  }

  /** Returns the number of chunks, jumbo ones included, that are taken. */
  public synchronized int chunksInUse() {
    return chunksInUse;
  }

  /** Returns the number of chunks that wait for reuse. */
  public synchronized int chunksFree() {
    return freeChunkCount;
  }

  int reference(int chunkNumber, int position) {
    return chunkNumber << positionBits | position >>> ALIGNMENT_SHIFT;
  }

  /** Takes a chunk and charges it. */
  int takeChunk(MemoryAccount account) {
    int chunk;
    synchronized (this) {
      chunk =
          freeChunkCount > 0
              ? freeChunks[--freeChunkCount]
              : number(
                  offHeap
                      ? ByteBuffer.allocateDirect(chunkBytes)
                      : ByteBuffer.allocate(chunkBytes));
      chunksInUse++;
    }
    // Only now, because an allocation may fail.
    account.charge(chunkBytes);
    return chunk;
  }

  /** Takes a chunk of its own for {@code bytes} and charges it. */
  int takeJumboChunk(int bytes, MemoryAccount account) {
    ByteBuffer buffer = ByteBuffer.allocate(bytes);
    int chunk;
    synchronized (this) {
      chunk = number(buffer);
      chunksInUse++;
    }
    account.charge(bytes);
    return chunk;
  }

  /** Returns the size of a chunk of either kind. */
  int bytesOf(int number) {
    return chunks[number].capacity();
  }

  /** Gives back a chunk of either kind and credits it. */
  void giveBack(int number, MemoryAccount account) {
    int bytes = bytesOf(number);
    synchronized (this) {
      chunksInUse--;
      if (bytes == chunkBytes) {
        freeChunks = withRoom(freeChunks, freeChunkCount);
        freeChunks[freeChunkCount++] = number;
      } else {
        chunks[number] = null;
        freeNumbers = withRoom(freeNumbers, freeNumberCount);
        freeNumbers[freeNumberCount++] = number;
      }
    }
    account.credit(bytes);
  }

  /** Takes a block of {@link #LINK_BLOCK_INTS} ints of any content and charges it. */
  public int[] takeLinkBlock(MemoryAccount account) {
    int[] block = freeLinkBlock();
    if (block == null) {
      block = new int[LINK_BLOCK_INTS];
    }
    account.charge(LINK_BLOCK_BYTES);
    return block;
  }

  private synchronized int @Nullable [] freeLinkBlock() {
    return freeLinkBlockCount > 0 ? freeLinkBlocks[--freeLinkBlockCount] : null;
  }

  /** Gives back a link block and credits it. */
  public void giveBackLinkBlock(int[] block, MemoryAccount account) {
    synchronized (this) {
      if (freeLinkBlockCount == freeLinkBlocks.length) {
        freeLinkBlocks = Arrays.copyOf(freeLinkBlocks, 2 * freeLinkBlockCount);
      }
      freeLinkBlocks[freeLinkBlockCount++] = block;
    }
    account.credit(LINK_BLOCK_BYTES);
  }

  /** Gives a new chunk its number; the caller holds the lock. */
  private int number(ByteBuffer chunk) {
    int number;
    if (freeNumberCount > 0) {
      number = freeNumbers[--freeNumberCount];
    } else if (numbersUsed < chunks.length) {
      number = numbersUsed++;
    } else {
      throw new IllegalStateException("all " + chunks.length + " chunks of the pool are taken");
    }
    chunks[number] = chunk;
    return number;
  }

  private static int[] withRoom(int[] array, int used) {
    return used < array.length ? array : Arrays.copyOf(array, 2 * used);
  }
}
