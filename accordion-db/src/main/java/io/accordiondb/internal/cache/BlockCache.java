// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.internal.metrics.Tallies;
import io.accordiondb.statistics.BlockKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the payloads of blocks that were read, up to a number of bytes, for all files of a
 * database. Thread-safe.
 *
 * <p>Blocks lie in slabs of direct memory, one behind the other in the order in which they came. A
 * read takes no lock, makes no object and writes nothing that other threads wait for: it copies the
 * block into the reader's own buffer and then asks whether the block stayed where it was ({@link
 * CachedBlock}). A scan decodes from that buffer, and a point read searches it.
 *
 * <p>When no slab has room, the slabs are gone through in a circle, as the hand of a clock does:
 * blocks that were read since the hand came by stay and move together, the others go. A full cache
 * takes a block only when it is offered for the second time within a while; so a scan pushes out
 * little.
 *
 * <p>The budget is a hard one. Others charge what they keep of files themselves, such as indices,
 * and slabs give way to that. Blocks longer than a 64th of the budget, or than 1 MiB, are not kept.
 */
public final class BlockCache {
  private static final Logger LOG = LoggerFactory.getLogger(BlockCache.class);

  /** Shorter blocks than this fill a slab before its memory is used up. */
  private static final int BLOCK_BYTES_MIN = 256;

  /** Slabs in which room is looked for, before a block is left out. */
  private static final int SLABS_TRIED = 4;

  /** Of the capacity, what a table may keep or not takes this many parts of four, at most. */
  private static final int KEPT_QUARTERS = 3;

  /** Of the capacity, one part in this many is left free for charges once slabs had to give way. */
  private static final int SPARE = 32;

  private volatile CacheSizes sizes;
  private volatile BlockTable blocks;

  /** Hashes of blocks offered lately; hints, written without order. */
  private volatile int[] offered;

  private final BufferPool buffers = new BufferPool();
  private final AtomicLong lastFile = new AtomicLong();
  private final Tallies tallies;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final List<Slab> slabs = new ArrayList<>();

  /** The slab that takes blocks. */
  @GuardedBy("lock")
  private @Nullable Slab open;

  /** The slab that the hand points to. */
  @GuardedBy("lock")
  private int hand;

  @GuardedBy("lock")
  private long slabsCharged;

  /** Bytes that others keep. */
  @GuardedBy("lock")
  private long keptBytes;

  /** Bytes of blocks, and of those the ones whose files were dropped. */
  @GuardedBy("lock")
  private long blockBytes;

  @GuardedBy("lock")
  private long droppedBytes;

  /** Left free for charges. */
  @GuardedBy("lock")
  private long spareBytes;

  @GuardedBy("lock")
  private boolean isDirectMemoryOut;

  /** Whether a block is taken only when it was offered lately; a hint. */
  private volatile boolean isFull;

  /**
   * Makes an empty cache, which takes memory as it is filled.
   *
   * @param capacityBytes bytes that blocks may take, with the memory of the entries; 0 turns the
   *     cache off
   */
  public BlockCache(long capacityBytes) {
    this(CacheSizes.of(capacityBytes));
  }

  /** Makes an empty cache, as above, which counts in the tallies of a database. */
  public BlockCache(long capacityBytes, Tallies tallies) {
    this(CacheSizes.of(capacityBytes), tallies);
  }

  BlockCache(CacheSizes sizes) {
    this(sizes, new Tallies());
  }

  private BlockCache(CacheSizes sizes, Tallies tallies) {
    this.sizes = sizes;
    this.tallies = tallies;
    blocks = new BlockTable(sizes.places());
    offered = new int[sizes.places()];
  }

  /** Changes the capacity; blocks go as far as a smaller one has no room for them. */
  public void resize(long capacityBytes) {
    CacheSizes newSizes = CacheSizes.of(capacityBytes);
    BlockTable table = new BlockTable(newSizes.places());
    lock.lock();
    try {
      sizes = newSizes;
      spareBytes = 0;
      isFull = false;
      isDirectMemoryOut = false;
      giveWay();
      // A reader on its way along a chain may be led into another one, and miss its block.
      slabs.forEach(slab -> slab.forEach(table::add));
      blocks = table;
      offered = new int[newSizes.places()];
    } finally {
      lock.unlock();
    }
  }

  /** Returns what identifies a file that was opened. */
  public CachedFile newFile() {
    return new CachedFile(lastFile.incrementAndGet());
  }

  /** Returns a buffer for reads, which is the caller's until it gives it back. */
  public BlockBuffer takeBuffer() {
    return buffers.take();
  }

  /** Takes back a buffer, which the caller no longer uses. */
  public void giveBack(BlockBuffer buffer) {
    buffers.giveBack(buffer);
  }

  /**
   * Copies the block at an offset of a file into a buffer, if it is held; returns whether it is.
   */
  public boolean read(BlockKind kind, CachedFile file, long offset, BlockBuffer target) {
    CachedBlock block = blocks.find(file, offset);
    if (block != null && block.copyTo(target)) {
      tallies.mine().countHit(kind);
      return true;
    }
    tallies.mine().countMiss(kind);
    return false;
  }

  /** Counts a block that was there without being asked for. */
  public void countHit(BlockKind kind) {
    tallies.mine().countHit(kind);
  }

  /**
   * Offers a block: it is taken if there is room, or if it was offered lately, for what is read
   * once and never again would push out others.
   *
   * @param payload from 0 to its limit
   */
  public void offer(CachedFile file, long offset, ByteBuffer payload) {
    if (isFull) {
      int hash = file.hashOf(offset);
      int[] marks = offered;
      int place = hash & marks.length - 1;
      if (marks[place] != hash) {
        marks[place] = hash;
        return;
      }
    }
    put(file, offset, payload);
  }

  /**
   * Takes a block, unless no room can be made for it or another thread is just changing the cache.
   *
   * @param payload from 0 to its limit
   */
  public void put(CachedFile file, long offset, ByteBuffer payload) {
    // To wait would take longer than to read the block again.
    if (payload.limit() > sizes.blockBytesMax() || !lock.tryLock()) {
      return;
    }
    try {
      Slab slab =
          file.isDropped() || blocks.find(file, offset) != null ? null : roomFor(payload.limit());
      if (slab != null) {
        CachedBlock block = slab.add(file, offset, payload);
        blocks.add(block);
        addHeld(block, 1);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Forgets a file's blocks, whose memory is used for others from now on. */
  public void drop(CachedFile file) {
    lock.lock();
    try {
      if (!file.isDropped()) {
        file.drop();
        droppedBytes += file.heldBytes();
        isFull &= !isWorthReclaiming();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Charges bytes that are kept elsewhere, so that slabs have less; negative to give them back. */
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
  private void giveWay() {
    while (slabsCharged > 0 && slabsCharged + keptBytes > sizes.capacityBytes()) {
      spareBytes = sizes.capacityBytes() / SPARE;
      release(slabs.remove(slabs.size() - 1));
    }
  }

  /**
   * Charges bytes of what may be kept elsewhere or not, if that leaves a quarter of the capacity to
   * blocks; returns whether it did.
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

  /** Takes bytes away from blocks for good, for another use; returns them. */
  public long reserve(long bytes) {
    charge(bytes);
    return bytes;
  }

  /** Returns what the cache has done and what it holds. */
  public BlockCacheStats stats() {
    lock.lock();
    try {
      long capacityBytes = sizes.capacityBytes();
      // What tables keep of themselves is the share of no cache if there is none.
      long usedBytes = capacityBytes == 0 ? 0 : keptBytes + blockBytes - droppedBytes;
      return new BlockCacheStats(
          tallies.blockHits(), tallies.blockMisses(), usedBytes, capacityBytes);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the bytes of memory that the cache has taken, with what others have charged. */
  long takenBytes() {
    lock.lock();
    try {
      return slabsCharged + keptBytes;
    } finally {
      lock.unlock();
    }
  }

  /** Returns a slab with room, if one can be had. */
  @GuardedBy("lock")
  private @Nullable Slab roomFor(int length) {
    Slab found = open;
    if (found == null || !found.hasRoom(length)) {
      found = newSlab(length);
      for (int i = 0; found == null && i < SLABS_TRIED && i < slabs.size(); i++) {
        hand = (hand + 1) % slabs.size();
        Slab slab = slabs.get(hand);
        if (slab.canHold(length)) {
          evictUnused(slab);
          found = slab.hasRoom(length) ? slab : null;
        }
      }
      if (found != null) {
        open = found;
      }
    }
    return found;
  }

  /** Returns a new slab for blocks of about a length, or null if there is no memory for one. */
  @GuardedBy("lock")
  private @Nullable Slab newSlab(int length) {
    int bytes = length > sizes.slabBytes() ? sizes.blockBytesMax() : sizes.slabBytes();
    int blocksMax = bytes / Math.max(length, BLOCK_BYTES_MIN) + 1;
    long charged = Slab.chargedBytes(bytes, blocksMax);
    boolean fits =
        !isDirectMemoryOut
            && slabsCharged + charged <= sizes.capacityBytes() - keptBytes - spareBytes;
    isFull = !fits && !isWorthReclaiming();
    if (!fits) {
      return null;
    }
    try {
      Slab slab = new Slab(bytes, blocksMax);
      slabs.add(slab);
      slabsCharged += charged;
      return slab;
    } catch (OutOfMemoryError e) {
      // Others need what is left more than a cache does.
      isDirectMemoryOut = true;
      LOG.warn(
          "no direct memory is left: the block cache keeps to {} of its {} bytes; raise"
              + " -XX:MaxDirectMemorySize or lower blockCacheBytes",
          slabsCharged + keptBytes,
          sizes.capacityBytes());
      return null;
    }
  }

  /** Returns whether so much of the slabs is of no use that all blocks should be taken. */
  @GuardedBy("lock")
  private boolean isWorthReclaiming() {
    return droppedBytes > sizes.slabBytes();
  }

  /** Gives a slab to the garbage collector, for readers may be copying from it. */
  @GuardedBy("lock")
  private void release(Slab slab) {
    evictAll(slab);
    slabsCharged -= slab.chargedBytes();
    if (open == slab) {
      open = null;
    }
  }

  /** Evicts the blocks that were not read since the hand came by. */
  @GuardedBy("lock")
  @SuppressWarnings("GuardedBy") // The lambda runs within the call.
  private void evictUnused(Slab slab) {
    slab.retain(block -> (!block.file().isDropped() && block.takeUse()) || evict(block));
  }

  @GuardedBy("lock")
  @SuppressWarnings("GuardedBy") // The lambda runs within the call.
  private void evictAll(Slab slab) {
    slab.retain(block -> evict(block));
  }

  /** Takes a block out of the table and ends it; returns false. */
  @GuardedBy("lock")
  private boolean evict(CachedBlock block) {
    blocks.remove(block);
    addHeld(block, -1);
    block.end();
    return false;
  }

  @GuardedBy("lock")
  private void addHeld(CachedBlock block, int sign) {
    long bytes = sign * (long) (block.length() + CachedBlock.OVERHEAD_BYTES);
    blockBytes += bytes;
    block.file().addHeld(bytes);
    if (block.file().isDropped()) {
      droppedBytes += bytes;
    }
  }
}
