// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.internal.metrics.Tallies;
import io.accordiondb.internal.pool.Pool;
import io.accordiondb.statistics.BlockKind;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Caches the payloads of blocks that were read, up to a number of bytes, for all files of a
 * database. Thread-safe.
 *
 * <p>Blocks are stored in slabs of direct memory in the order in which they arrive. Memory that the
 * memory stores have left becomes slabs before more is allocated. A read takes no lock, makes no
 * object and writes only the block's count of pins ({@link CachedBlock}). A point read pins a block
 * while it searches the block; on a miss, the block is decompressed directly into its place in the
 * slab. A scan, which may stay at a block for hours, copies it into a buffer of its own. So no pin
 * outlives a call.
 *
 * <p>When no slab has room, a hand moves around the slabs like that of a clock: blocks that were
 * read since its last visit stay and move together, the others are dropped, and pinned blocks stay
 * where they are. A full cache accepts a block only when it is offered for the second time within a
 * short period, so a scan evicts little.
 *
 * <p>The budget is a hard limit: if pins leave no room, a block is read into the reader's own
 * buffer. Other code charges the cache for what it keeps of files, such as indices, and the slabs
 * shrink by that much. Blocks longer than a 64th of the budget, or than 1 MiB, are not kept.
 *
 * <p>When the process has no direct memory left, the cache gives some of its slabs back and stops
 * growing, because reading and writing files needs a little direct memory as well.
 */
public final class BlockCache {
  /** A shorter slab than usual has room for so many blocks, at least. */
  private static final int BLOCKS_MIN = 4;

  /** Larger buffers are not reused. */
  private static final int BUFFER_BYTES_MAX = 64 << 10;

  /** Full slabs' worth of bytes in which the cache looks for room before it rejects a block. */
  private static final int SLABS_TRIED = 4;

  /** Optional memory of tables takes at most this many quarters of the capacity. */
  private static final int KEPT_QUARTERS = 3;

  /** Bytes of slabs that the cache gives back each time that direct memory has run out. */
  private static final int GIVEN_BACK_BYTES = 2 << 20;

  /** Once slabs had to be freed for charges, one part in this many of the capacity stays free. */
  private static final int SPARE = 32;

  private volatile CacheSizes sizes;
  private volatile BlockTable blocks;
  private volatile RecentOffers offered;

  private final Pool<BlockBuffer> buffers = new Pool<>(BlockBuffer::new);
  private final AtomicLong lastFile = new AtomicLong();
  private final Tallies tallies;
  private final DirectMemory direct;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Slabs slabs = new Slabs();

  @GuardedBy("lock")
  private final HeldBytes held = new HeldBytes();

  /** Bytes that other code has charged. */
  @GuardedBy("lock")
  private long keptBytes;

  /** Bytes that are left free for charges. */
  @GuardedBy("lock")
  private long spareBytes;

  /** Whether the cache accepts a block only if it was offered recently; a hint. */
  private volatile boolean isFull;

  /**
   * Creates an empty cache, which takes memory as it is filled.
   *
   * @param capacityBytes bytes that blocks may take, with the memory of the entries; 0 turns the
   *     cache off
   */
  public BlockCache(long capacityBytes) {
    this(CacheSizes.of(capacityBytes));
  }

  /** Same as above, for a cache that counts in the tallies of a database. */
  public BlockCache(long capacityBytes, Tallies tallies) {
    this(CacheSizes.of(capacityBytes), tallies, ByteBuffer::allocateDirect);
  }

  BlockCache(CacheSizes sizes) {
    this(sizes, new Tallies(), ByteBuffer::allocateDirect);
  }

  BlockCache(CacheSizes sizes, Tallies tallies, IntFunction<ByteBuffer> allocator) {
    this.sizes = sizes;
    this.tallies = tallies;
    direct = new DirectMemory(allocator, this::giveBackSlabs);
    blocks = new BlockTable(sizes.places());
    offered = new RecentOffers(sizes.places());
  }

  /** Changes the capacity, and evicts blocks if the new one is too small for them. */
  public void resize(long capacityBytes) {
    CacheSizes newSizes = CacheSizes.of(capacityBytes);
    BlockTable table = new BlockTable(newSizes.places());
    lock.lock();
    try {
      sizes = newSizes;
      spareBytes = 0;
      isFull = false;
      direct.retry();
      giveWay();
      // A reader that follows a chain may end up in another one, and miss its block.
      slabs.forEachBlock(table::add);
      blocks = table;
      offered = new RecentOffers(newSizes.places());
    } finally {
      lock.unlock();
    }
  }

  /** Returns the identity of a file that was opened. */
  public CachedFile newFile() {
    return new CachedFile(lastFile.incrementAndGet());
  }

  /** Takes a buffer for reads from the pool. It belongs to the caller until {@link #giveBack}. */
  public BlockBuffer takeBuffer() {
    return buffers.take();
  }

  /** Returns a buffer to the pool. The caller must not use it any more. */
  public void giveBack(BlockBuffer buffer) {
    if (buffer.capacity() <= BUFFER_BYTES_MAX) {
      buffers.giveBack(buffer);
    }
  }

  /**
   * Pins the block at an offset of a file if the cache has it, and returns it; else returns null.
   * The caller must unpin it.
   */
  public @Nullable CachedBlock pin(BlockKind kind, CachedFile file, long offset) {
    CachedBlock block = blocks.find(file, offset);
    if (block != null && block.tryPin(file, offset)) {
      tallies.mine().countHit(kind);
      return block;
    }
    tallies.mine().countMiss(kind);
    return null;
  }

  /**
   * Copies the block at an offset of a file into a buffer if the cache has it; returns whether it
   * has.
   */
  public boolean read(BlockKind kind, CachedFile file, long offset, BlockBuffer target) {
    CachedBlock block = blocks.find(file, offset);
    if (block != null && block.tryCopy(file, offset, target)) {
      tallies.mine().countHit(kind);
      return true;
    }
    tallies.mine().countMiss(kind);
    return false;
  }

  /** Counts a hit for a block that was not looked up. */
  public void countHit(BlockKind kind) {
    tallies.mine().countHit(kind);
  }

  /**
   * Offers a block. The cache accepts it if there is room, or if it was offered recently. Otherwise
   * blocks that are read only once would evict others.
   *
   * @return a place that the caller must fill and open, or abandon; null if the cache does not
   *     accept the block
   */
  public @Nullable CachedBlock offer(CachedFile file, long offset, int length) {
    boolean isWanted = !isFull || offered.add(file.hashOf(offset));
    return isWanted ? place(file, offset, length) : null;
  }

  /**
   * Offers a block that has been read.
   *
   * @param payload from 0 to its limit
   */
  public void offer(CachedFile file, long offset, ByteBuffer payload) {
    CachedBlock block = offer(file, offset, payload.limit());
    if (block != null) {
      block.fill(payload);
    }
  }

  /**
   * Adds a block, unless there is no room for it or another thread is just changing the cache.
   *
   * @param payload from 0 to its limit
   */
  public void put(CachedFile file, long offset, ByteBuffer payload) {
    CachedBlock block = place(file, offset, payload.limit());
    if (block != null) {
      block.fill(payload);
    }
  }

  private @Nullable CachedBlock place(CachedFile file, long offset, int length) {
    // Waiting would take longer than reading the block again.
    if (length > sizes.blockBytesMax() || !lock.tryLock()) {
      return null;
    }
    try {
      Slab slab = file.isDropped() || blocks.find(file, offset) != null ? null : roomFor(length);
      if (slab == null) {
        return null;
      }
      CachedBlock block = slab.add(file, offset, length);
      blocks.add(block);
      held.add(block);
      return block;
    } finally {
      lock.unlock();
    }
  }

  /** Drops the blocks of a file. Other blocks will use their memory. */
  public void drop(CachedFile file) {
    lock.lock();
    try {
      if (held.drop(file)) {
        isFull &= !isWorthReclaiming();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Charges bytes that are kept elsewhere, so that slabs have less; a negative number credits them.
   */
  public void charge(long bytes) {
    lock.lock();
    try {
      keptBytes += bytes;
      giveWay();
    } finally {
      lock.unlock();
    }
  }

  /** Releases slabs until the rest is within the capacity. */
  @GuardedBy("lock")
  @SuppressWarnings("GuardedBy") // The lambda runs within the call.
  private void giveWay() {
    if (slabs.shrinkTo(sizes.capacityBytes() - keptBytes, block -> evict(block))) {
      spareBytes = sizes.capacityBytes() / SPARE;
    }
  }

  /**
   * Charges bytes of optional data that is kept elsewhere, if that leaves a quarter of the capacity
   * to blocks; returns whether it did.
   */
  public boolean tryCharge(long bytes) {
    lock.lock();
    try {
      if (keptBytes + bytes > sizes.capacityBytes() / 4 * KEPT_QUARTERS) {
        return false;
      }
      charge(bytes);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Reserves bytes permanently for another use, so that blocks have less; returns how many. */
  public long reserve(long bytes) {
    charge(bytes);
    return bytes;
  }

  /** Returns how full the cache is. */
  public BlockCacheStats stats() {
    lock.lock();
    try {
      long capacityBytes = sizes.capacityBytes();
      // If there is no cache, the bytes that tables keep do not count as part of it.
      long usedBytes = capacityBytes == 0 ? 0 : keptBytes + held.ofFiles();
      return new BlockCacheStats(usedBytes, capacityBytes);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the bytes of memory that the cache has taken, with what others have charged. */
  long takenBytes() {
    lock.lock();
    try {
      return slabs.chargedBytes() + keptBytes;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of pins; 0 when no read is in progress. */
  public int pins() {
    lock.lock();
    try {
      return slabs.pins();
    } finally {
      lock.unlock();
    }
  }

  /** Returns a slab with room, or null if none can be found. */
  @GuardedBy("lock")
  @SuppressWarnings("GuardedBy") // The lambda runs within the call.
  private @Nullable Slab roomFor(int length) {
    Slab found = slabs.openFor(length);
    if (found == null) {
      found = newSlab(length);
      long bytesLeft = (long) SLABS_TRIED * sizes.slabBytes();
      for (int i = 0; found == null && bytesLeft > 0 && i < slabs.count(); i++) {
        Slab slab = slabs.next();
        bytesLeft -= Math.min(slab.bytes(), sizes.slabBytes());
        if (slab.canHold(length)) {
          // Evicts the blocks that were not read since the last visit of the hand.
          slab.retain(block -> (!block.isDropped() && block.takeUse()) || evict(block));
          found = slab.hasRoom(length) ? slab : null;
        } else if (slab.bytes() < sizes.slabBytes() && !direct.isOut()) {
          // Otherwise a cache of short slabs would never accept a block that is longer than they.
          slabs.release(block -> evict(block));
          found = newSlab(length);
        }
      }
      if (found != null) {
        slabs.open(found);
      }
    }
    return found;
  }

  /** Returns a new slab for blocks of about a length, or null if there is no memory for one. */
  @GuardedBy("lock")
  private @Nullable Slab newSlab(int length) {
    int bytes = length > sizes.slabBytes() ? sizes.blockBytesMax() : sizes.slabBytes();
    long charged = Slab.chargedBytes(bytes, length);
    boolean fits =
        !direct.isOut()
            && slabs.chargedBytes() + charged <= sizes.capacityBytes() - keptBytes - spareBytes;
    isFull = !fits && !isWorthReclaiming();
    ByteBuffer memory = fits ? direct.allocate(BLOCKS_MIN * length, bytes) : null;
    return memory == null ? null : slabs.add(new Slab(memory, length));
  }

  /** Returns what allocates memory for the cache, and for others that have charged it. */
  public DirectMemory directMemory() {
    return direct;
  }

  @SuppressWarnings("GuardedBy") // The lambda runs within the call.
  private boolean giveBackSlabs() {
    lock.lock();
    try {
      return slabs.shrinkTo(slabs.chargedBytes() - GIVEN_BACK_BYTES, block -> evict(block));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns whether the useless part of the slabs is so large that the cache should accept all
   * blocks.
   */
  @GuardedBy("lock")
  private boolean isWorthReclaiming() {
    return held.ofDroppedFiles() > sizes.slabBytes();
  }

  /** Removes a block from the table; returns false. */
  @GuardedBy("lock")
  private boolean evict(CachedBlock block) {
    blocks.remove(block);
    held.remove(block);
    return false;
  }
}
