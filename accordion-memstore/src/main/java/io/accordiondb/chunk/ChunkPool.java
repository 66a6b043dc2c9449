// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A pool of chunks of one size, on and off the heap, from which arenas take chunks and to which
 * they return them. Thread-safe.
 *
 * <p>A reference packs a chunk's number and a position in it into an {@code int}. Positions are
 * multiples of {@link #alignmentBytes}. With four bytes, references reach over 16 GiB; in larger
 * pools the alignment is as large as needed to reach over the cap and a quarter more.
 *
 * <p>The pool keeps returned chunks for reuse, and owns no more memory than its cap. A logged write
 * must reach memory, so the pool does not refuse a chunk beyond the cap, or one for which the
 * process has no direct memory left: it allocates that chunk on the heap and leaves it to the
 * garbage collector when it is returned. A jumbo chunk, which holds one request larger than a
 * chunk, is treated in the same way, and waits for reuse only outside of the heap. Once direct
 * memory has run out, the pool lowers the budget to what it has and an eighth of the heap.
 *
 * <p>The pool also lends the {@code int} blocks in which skip lists keep their links, because links
 * must be on the heap to be accessed atomically. It keeps returned blocks up to a small part of the
 * cap.
 */
public final class ChunkPool {
  // Longer than 400 lines because one lock guards all that a chunk can be, and a third of it is
  // Javadoc.

  /** Largest cap of a pool. */
  public static final long CAP_BYTES_MAX = 200L << 30;

  /** Smallest size of a chunk, in bytes. */
  public static final int CHUNK_BYTES_MIN = 4 << 10;

  /** Largest size of a chunk, in bytes. */
  public static final int CHUNK_BYTES_MAX = 4 << 20;

  /** Ints in a link block. */
  public static final int LINK_BLOCK_INTS = 1 << 14;

  /** Alignment of small pools, as a power of two. */
  private static final int ALIGNMENT_SHIFT_MIN = 2;

  /** References reach beyond the cap, by one part in this many of it. */
  private static final int ADDRESSES_SPARE = 4;

  /** If direct memory has run out, chunks may take one part in this many of the heap. */
  private static final int HEAP_SHARE = 8;

  /** Link blocks that wait for reuse take at most one part in this many of the cap. */
  private static final int FREE_LINK_BLOCKS_SHARE = 16;

  /** Number of link blocks that may wait for reuse in a pool of any cap. */
  private static final int FREE_LINK_BLOCKS_MIN = 16;

  /** Bytes charged for a link block. */
  public static final int LINK_BLOCK_BYTES = 16 + LINK_BLOCK_INTS * Integer.BYTES;

  /** Chunks that the table of a small pool has places for. */
  private static final int TABLE_LENGTH_MIN = 64;

  /** Bytes of direct memory that chunks leave to other users. */
  private static final int DIRECT_RESERVE_BYTES = 2 << 20;

  private final int chunkBytes;
  private final int positionBits;
  private final int positionMask;
  private final int alignmentShift;
  private final int alignmentMask;

  private final int numbersMax;

  /**
   * By chunk number. A slot is written before any reference into the chunk is published. The table
   * grows: it is replaced under the lock, and read without ordering.
   */
  private ByteBuffer[] chunks;

  private final LinkBlocks linkBlocks = new LinkBlocks();

  @GuardedBy("this")
  private final ChunkNumbers freeHeap = new ChunkNumbers();

  @GuardedBy("this")
  private final ChunkNumbers freeOffHeap = new ChunkNumbers();

  @GuardedBy("this")
  private final ChunkNumbers freeNumbers = new ChunkNumbers();

  @GuardedBy("this")
  private final JumboChunks freeJumbos = new JumboChunks();

  @GuardedBy("this")
  private long capBytes;

  @GuardedBy("this")
  private int numbersUsed;

  @GuardedBy("this")
  private long ownedBytes;

  /** Of the chunks that have a number. */
  @GuardedBy("this")
  private long directBytes;

  /** Larger jumbo chunks are on the heap, because one had no place in direct memory. */
  @GuardedBy("this")
  private int directJumboBytesMax = Integer.MAX_VALUE;

  @GuardedBy("this")
  private long chunksBeyondCap;

  @GuardedBy("this")
  private int chunksInUse;

  @GuardedBy("this")
  private @Nullable ByteBuffer directReserve;

  @GuardedBy("this")
  private boolean isDirectMemoryOut;

  /**
   * Creates an empty pool.
   *
   * @param chunkBytes size of a chunk in bytes, a power of two from {@link #CHUNK_BYTES_MIN} to
   *     {@link #CHUNK_BYTES_MAX}
   * @param capBytes bytes of chunks that the pool owns at most, taken and free ones together; up to
   *     {@link #CAP_BYTES_MAX}
   */
  public ChunkPool(int chunkBytes, long capBytes) {
    this(chunkBytes, capBytes, 0);
  }

  /** Creates a pool that does not use the lowest numbers of chunks, for tests of high ones. */
  ChunkPool(int chunkBytes, long capBytes, int firstNumber) {
    checkChunkBytes(chunkBytes);
    this.chunkBytes = chunkBytes;
    this.alignmentShift = alignmentShift(capBytes);
    this.alignmentMask = (1 << alignmentShift) - 1;
    this.positionBits = Integer.numberOfTrailingZeros(chunkBytes) - alignmentShift;
    this.positionMask = (1 << positionBits) - 1;
    this.numbersMax = 1 << (Integer.SIZE - positionBits);
    this.numbersUsed = firstNumber;
    this.chunks = new ByteBuffer[tableLength(firstNumber + capBytes / chunkBytes)];
    setCap(capBytes);
  }

  /**
   * Checks the size of a chunk.
   *
   * @param chunkBytes the size in bytes
   * @throws IllegalArgumentException if no pool can have it
   */
  public static void checkChunkBytes(int chunkBytes) {
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
  }

  private int tableLength(long wanted) {
    return (int) Math.min(numbersMax, Math.max(TABLE_LENGTH_MIN, wanted));
  }

  private static int alignmentShift(long capBytes) {
    int shift = ALIGNMENT_SHIFT_MIN;
    while (1L << Integer.SIZE + shift < capBytes + capBytes / ADDRESSES_SPARE) {
      shift++;
    }
    return shift;
  }

  /** {@return the largest cap that {@link #setCap} accepts: references reach no further} */
  public long capBytesMax() {
    long reach = 1L << Integer.SIZE + alignmentShift;
    return Math.min(CAP_BYTES_MAX, reach / (ADDRESSES_SPARE + 1) * ADDRESSES_SPARE);
  }

  /**
   * Changes the cap. Chunks beyond a lower cap are freed when they are returned.
   *
   * @param capBytes up to {@link #capBytesMax}
   */
  public synchronized void setCap(long capBytes) {
    if (capBytes > capBytesMax()) {
      throw new IllegalArgumentException(
          "cap of chunks is " + capBytes + " bytes, expected up to " + capBytesMax());
    }
    this.capBytes = capBytes;
    linkBlocks.setFreeMax(
        (int) Math.max(FREE_LINK_BLOCKS_MIN, capBytes / FREE_LINK_BLOCKS_SHARE / LINK_BLOCK_BYTES));
    forgetFor(0, freeHeap);
    forgetFor(0, freeOffHeap);
  }

  /**
   * Leaves the memory that waits for reuse to the garbage collector, and from now on what is
   * returned, too. Called when no more cells will be added.
   */
  public synchronized void close() {
    setCap(0);
    linkBlocks.setFreeMax(0);
    directReserve = null;
  }

  /**
   * Forgets chunks that wait for reuse until the pool may own more.
   *
   * @param bytes how much more
   * @param free what it forgets besides jumbo chunks
   * @return whether it may
   */
  @GuardedBy("this")
  private boolean forgetFor(int bytes, ChunkNumbers free) {
    while (!hasRoom(bytes) && freeJumbos.bytes() > 0) {
      ownedBytes -= freeJumbos.forget();
    }
    while (!hasRoom(bytes) && free.count() > 0) {
      removeOneOf(free);
    }
    return hasRoom(bytes);
  }

  /** Removes a chunk that waits for reuse from the pool, and returns its buffer. */
  @GuardedBy("this")
  private ByteBuffer removeOneOf(ChunkNumbers free) {
    int number = free.pop();
    ByteBuffer removed = chunks[number];
    forget(number);
    ownedBytes -= chunkBytes;
    return removed;
  }

  @GuardedBy("this")
  private boolean hasRoom(int bytes) {
    return ownedBytes + bytes <= capBytes;
  }

  /** {@return the alignment in bytes: every allocation begins at a multiple of it} */
  public int alignmentBytes() {
    return 1 << alignmentShift;
  }

  /**
   * {@return the number of bytes that an allocation takes, rounded up to the alignment}
   *
   * @param bytes the number of bytes requested
   */
  public int aligned(int bytes) {
    return Math.addExact(bytes, alignmentMask) & ~alignmentMask;
  }

  /**
   * {@return the number of bytes that an allocation has taken}
   *
   * @param reference what it has returned
   * @param bytes the number of bytes requested
   */
  public int takenBytes(int reference, int bytes) {
    int aligned = aligned(bytes);
    return aligned > chunkBytes ? buffer(reference).capacity() : aligned;
  }

  /** {@return the size of a chunk in bytes} */
  public int chunkBytes() {
    return chunkBytes;
  }

  /**
   * {@return the buffer of the chunk that a reference points into}
   *
   * @param reference a reference into a chunk that is taken
   */
  public ByteBuffer buffer(int reference) {
    return chunks[reference >>> positionBits];
  }

  /**
   * {@return the position in {@link #buffer} that a reference points to}
   *
   * @param reference a reference into a chunk that is taken
   */
  public int position(int reference) {
    return (reference & positionMask) << alignmentShift;
  }

  /**
   * {@return the number of the chunk that a reference points into}
   *
   * @param reference a reference into a chunk that is taken
   */
  public int chunkNumber(int reference) {
    return reference >>> positionBits;
  }

  /** {@return the number of chunks, jumbo ones included, that are taken} */
  public synchronized int chunksInUse() {
    return chunksInUse;
  }

  /** {@return the number of chunks, without jumbo ones, that wait for reuse} */
  public synchronized int chunksFree() {
    return freeHeap.count() + freeOffHeap.count();
  }

  /** {@return the bytes of all chunks, jumbo ones included, that wait for reuse} */
  public synchronized long bytesFree() {
    return (long) chunksFree() * chunkBytes + freeJumbos.bytes();
  }

  /** Returns the number of link blocks that wait for reuse. */
  int linkBlocksFree() {
    return linkBlocks.freeCount();
  }

  /** {@return the number of chunks taken beyond the cap} */
  public synchronized long chunksBeyondCap() {
    return chunksBeyondCap;
  }

  int reference(int chunkNumber, int position) {
    return chunkNumber << positionBits | position >>> alignmentShift;
  }

  /** Takes a chunk and charges it. */
  int takeChunk(MemoryKind kind, MemoryAccount account) {
    int chunk = takeFree(kind);
    if (chunk < 0) {
      // Outside the lock, because the system may need time to find memory.
      chunk = takeCounted(newChunk(kind, account));
    }
    // Charged after the allocation, which may fail.
    account.charge(kindOf(chunk), chunkBytes);
    return chunk;
  }

  /** Returns a chunk that waits for reuse, or -1. */
  private synchronized int takeFree(MemoryKind kind) {
    ChunkNumbers free = kind == MemoryKind.HEAP ? freeHeap : freeOffHeap;
    if (free.count() == 0) {
      return -1;
    }
    chunksInUse++;
    return free.pop();
  }

  /** Gives a new chunk, which was counted, its number; if that fails, it no longer counts. */
  private synchronized int takeCounted(ByteBuffer chunk) {
    int number = -1;
    try {
      number = take(chunk);
      return number;
    } finally {
      if (number < 0) {
        discount(chunk);
      }
    }
  }

  /** Counts a chunk no longer, whether it was owned or beyond the cap. */
  @GuardedBy("this")
  private void discount(ByteBuffer chunk) {
    // Chunks on the heap are alike: this one goes in place of the one beyond the cap.
    if (chunksBeyondCap > 0 && !chunk.isDirect()) {
      chunksBeyondCap--;
    } else {
      ownedBytes -= chunk.capacity();
    }
    if (chunk.capacity() != chunkBytes) {
      freeJumbos.cancel(chunk.capacity());
    }
  }

  /** Gives a new chunk its number. */
  private synchronized int take(ByteBuffer chunk) {
    int number;
    if (freeNumbers.count() > 0) {
      number = freeNumbers.pop();
    } else if (numbersUsed < numbersMax) {
      // Returning the chunk must not fail, so make room now for its number wherever it may be put.
      freeHeap.reserve(numbersUsed + 1);
      freeOffHeap.reserve(numbersUsed + 1);
      freeNumbers.reserve(numbersUsed + 1);
      if (numbersUsed >= chunks.length) {
        growTable();
      }
      number = numbersUsed++;
    } else {
      throw new IllegalStateException("all " + numbersMax + " chunks of the pool are taken");
    }
    chunks[number] = chunk;
    if (chunk.isDirect()) {
      directBytes += chunk.capacity();
    }
    chunksInUse++;
    return number;
  }

  @GuardedBy("this")
  private void growTable() {
    ByteBuffer[] larger = Arrays.copyOf(chunks, tableLength(2L * chunks.length));
    // A thread that sees the larger table sees what it holds, whichever chunk it looks for.
    VarHandle.releaseFence();
    chunks = larger;
  }

  private ByteBuffer newChunk(MemoryKind kind, MemoryAccount account) {
    if (own(kind)) {
      ByteBuffer chunk = null;
      try {
        chunk = kind == MemoryKind.HEAP ? ByteBuffer.allocate(chunkBytes) : offHeapChunk(account);
      } finally {
        if (chunk == null) {
          disown();
        }
      }
      if (chunk != null) {
        return chunk;
      }
    }
    ByteBuffer chunk = ByteBuffer.allocate(chunkBytes);
    countBeyondCap();
    return chunk;
  }

  /** Returns whether the pool may own one chunk more, and counts it. */
  private synchronized boolean own(MemoryKind kind) {
    if (!forgetFor(chunkBytes, kind == MemoryKind.HEAP ? freeOffHeap : freeHeap)) {
      return false;
    }
    ownedBytes += chunkBytes;
    return true;
  }

  private synchronized void disown() {
    ownedBytes -= chunkBytes;
  }

  private synchronized void countBeyondCap() {
    chunksBeyondCap++;
  }

  /**
   * Returns a direct buffer, or null when the process has no direct memory left. Then the pool
   * releases its reserve, because reading and writing files needs direct memory as well.
   */
  private @Nullable ByteBuffer offHeapChunk(MemoryAccount account) {
    try {
      return hasDirectMemory() ? allocateDirect(chunkBytes) : null;
    } catch (OutOfMemoryError e) {
      endDirectMemory(account.budget());
      return null;
    }
  }

  /** Returns a direct buffer, if need be in place of what waits for reuse. */
  private ByteBuffer allocateDirect(int bytes) {
    try {
      return ByteBuffer.allocateDirect(bytes);
    } catch (OutOfMemoryError e) {
      if (!forgetDirect()) {
        throw e;
      }
      return ByteBuffer.allocateDirect(bytes);
    }
  }

  /** Forgets all direct memory that waits for reuse; returns false if there is none. */
  private synchronized boolean forgetDirect() {
    boolean some = freeOffHeap.count() > 0;
    while (freeOffHeap.count() > 0) {
      removeOneOf(freeOffHeap);
    }
    return forgetJumbos() || some;
  }

  private synchronized boolean forgetJumbos() {
    boolean some = freeJumbos.bytes() > 0;
    while (freeJumbos.bytes() > 0) {
      ownedBytes -= freeJumbos.forget();
    }
    return some;
  }

  /** Returns whether direct memory has not run out yet. The first call sets the reserve aside. */
  private synchronized boolean hasDirectMemory() {
    if (directReserve == null && !isDirectMemoryOut) {
      directReserve = ByteBuffer.allocateDirect(DIRECT_RESERVE_BYTES);
    }
    return !isDirectMemoryOut;
  }

  /**
   * Releases direct memory that no segment uses, because the process has none left: jumbo chunks
   * or, if there are none, all of it. In the latter case, the pool allocates no more, and lowers
   * the budget to what it has and an eighth of the heap.
   *
   * @param budget the budget of the memory stores that use the pool
   */
  public synchronized void giveUpDirectMemory(MemoryBudget budget) {
    if (!forgetJumbos() && (directReserve != null || freeOffHeap.count() > 0)) {
      endDirectMemory(budget);
    }
  }

  private synchronized void endDirectMemory(MemoryBudget budget) {
    isDirectMemoryOut = true;
    directJumboBytesMax = 0;
    directReserve = null;
    forgetDirect();
    // The pool refuses no chunk, so without this limit it would fill the heap next.
    budget.lowerTo(directBytes + Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  /**
   * Takes a chunk outside of the heap that waits for reuse out of the pool.
   *
   * @return its buffer, of {@link #chunkBytes}, which nobody uses any more; null if none waits, or
   *     direct memory has run out, so that the pool could not replace it
   */
  public synchronized @Nullable ByteBuffer removeFree() {
    if (isDirectMemoryOut || freeOffHeap.count() == 0) {
      return null;
    }
    return removeOneOf(freeOffHeap);
  }

  /** Takes a jumbo chunk of at least {@code bytes} bytes and charges it. */
  int takeJumboChunk(int bytes, MemoryKind kind, MemoryAccount account) {
    ByteBuffer direct = kind == MemoryKind.HEAP ? null : directJumbo(JumboChunks.capacity(bytes));
    if (direct != null) {
      int chunk = takeCounted(direct);
      account.charge(MemoryKind.OFF_HEAP, direct.capacity());
      return chunk;
    }
    int chunk = take(ByteBuffer.allocate(bytes));
    account.charge(MemoryKind.HEAP, bytes);
    account.budget().chargeJumbo(bytes);
    return chunk;
  }

  /** Returns a direct buffer, which counts as owned; null if there is no room for it. */
  private @Nullable ByteBuffer directJumbo(int capacity) {
    ByteBuffer jumbo = null;
    boolean owned = false;
    try {
      synchronized (this) {
        jumbo = freeJumbos.take(capacity, hasRoom(capacity));
        if (jumbo == null && capacity <= directJumboBytesMax && forgetForJumbo(capacity)) {
          freeJumbos.reserve(capacity);
          ownedBytes += capacity;
          owned = true;
        }
      }
      if (owned && hasDirectMemory()) {
        jumbo = allocateDirect(capacity);
      }
    } catch (OutOfMemoryError e) {
      endDirectJumbos(capacity);
    } finally {
      if (owned && jumbo == null) {
        disownJumbo(capacity);
      }
    }
    return jumbo;
  }

  /** Forgets chunks that wait for reuse if the pool may then own more, and returns whether so. */
  @GuardedBy("this")
  private boolean forgetForJumbo(int capacity) {
    return ownedBytes - bytesFree() + capacity <= capBytes
        && (forgetFor(capacity, freeHeap) || forgetFor(capacity, freeOffHeap));
  }

  /** Takes larger jumbo chunks from the heap from now on. Smaller ones may still find room. */
  private synchronized void endDirectJumbos(int capacity) {
    directJumboBytesMax = Math.min(directJumboBytesMax, capacity - 1);
  }

  private synchronized void disownJumbo(int capacity) {
    ownedBytes -= capacity;
    freeJumbos.cancel(capacity);
  }

  @GuardedBy("this")
  private void giveBackJumbo(ByteBuffer jumbo) {
    if (hasRoom(0)) {
      freeJumbos.push(jumbo);
    } else {
      discount(jumbo);
    }
  }

  /** Returns the size of a chunk, jumbo or not. */
  int bytesOf(int number) {
    return chunks[number].capacity();
  }

  /** Returns where a chunk is: a full pool, for example, takes all chunks from the heap. */
  MemoryKind kindOf(int number) {
    return chunks[number].isDirect() ? MemoryKind.OFF_HEAP : MemoryKind.HEAP;
  }

  /** Returns a chunk, jumbo or not, to the pool and credits it. */
  void giveBack(int number, MemoryAccount account) {
    int bytes = bytesOf(number);
    MemoryKind kind = kindOf(number);
    synchronized (this) {
      chunksInUse--;
      ByteBuffer chunk = chunks[number];
      if (bytes != chunkBytes) {
        forget(number);
        if (kind == MemoryKind.OFF_HEAP) {
          giveBackJumbo(chunk);
        }
      } else if (!hasRoom(0) || (chunksBeyondCap > 0 && kind == MemoryKind.HEAP)) {
        discount(chunk);
        forget(number);
      } else {
        (kind == MemoryKind.HEAP ? freeHeap : freeOffHeap).push(number);
      }
    }
    account.credit(kind, bytes);
    if (bytes != chunkBytes && kind == MemoryKind.HEAP) {
      account.budget().chargeJumbo(-bytes);
    }
  }

  @GuardedBy("this")
  private void forget(int number) {
    if (kindOf(number) == MemoryKind.OFF_HEAP) {
      directBytes -= bytesOf(number);
    }
    chunks[number] = null;
    freeNumbers.push(number);
  }

  /**
   * Takes a block of {@link #LINK_BLOCK_INTS} ints, and charges the account for it.
   *
   * @param account the account to charge
   * @return the block, with arbitrary content
   */
  public int[] takeLinkBlock(MemoryAccount account) {
    int[] block = linkBlocks.take();
    account.charge(MemoryKind.HEAP, LINK_BLOCK_BYTES);
    return block;
  }

  /**
   * Returns a link block to the pool and credits it.
   *
   * @param block a block from {@link #takeLinkBlock}, which the caller must not use any more
   * @param account the account to credit
   */
  public void giveBackLinkBlock(int[] block, MemoryAccount account) {
    linkBlocks.giveBack(block);
    account.credit(MemoryKind.HEAP, LINK_BLOCK_BYTES);
  }
}
