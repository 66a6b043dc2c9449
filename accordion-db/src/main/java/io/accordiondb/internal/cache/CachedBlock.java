// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A block in a slab. While it is pinned its bytes neither change nor move; whoever pins it calls
 * {@link #unpin} once.
 *
 * <p>A block begins closed, in the hands of who fills it. Once it is opened, any thread may pin it.
 * To move it or to end its life, the holder of the cache's lock closes it again, which is possible
 * only while nobody has it pinned. So a pin that is never given back would keep its place for ever.
 *
 * <p>An object stands for one block after another, so that blocks that come and go leave no garbage
 * behind. What it stands for changes only while it is closed; so a reader pins it first and looks
 * then whether it still is the block that was sought.
 */
public final class CachedBlock {
  /** Bytes of memory beyond the payload: this object, and its places in slab and hash table. */
  static final int OVERHEAD_BYTES = 64;

  /** In place of the number of pins: being filled or moved, or without a block. */
  private static final int CLOSED = -1;

  /** In place of the number of pins: it could not be filled, and waits to be evicted. */
  private static final int ABANDONED = -2;

  private static final int USES_MAX = 3;
  private static final VarHandle PINS = pinsHandle();

  private final ByteBuffer memory;

  /** Written while closed, as all that a block is. */
  private @Nullable CachedFile file;

  private long offset;
  private int hash;
  private int start;
  private int length;

  @SuppressWarnings("unused") // Through PINS.
  private int pins = CLOSED;

  /** Reads since the block was offered or last passed over; a hint, written without order. */
  private byte uses;

  /** The next block of the same bucket. Written by the holder of the lock. */
  private volatile @Nullable CachedBlock next;

  /** Makes an object without a block, for blocks in a slab's memory. */
  CachedBlock(ByteBuffer memory) {
    this.memory = memory;
  }

  private static VarHandle pinsHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(CachedBlock.class, "pins", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Makes this object, which is closed, stand for a block that is to be filled. */
  void assign(CachedFile newFile, long newOffset, int newStart, int newLength) {
    file = newFile;
    offset = newOffset;
    hash = newFile.hashOf(newOffset);
    start = newStart;
    length = newLength;
    uses = 0;
  }

  /** Returns whether it is a block of a file; a hint for who has not pinned it. */
  boolean isOf(CachedFile otherFile, long otherOffset) {
    return offset == otherOffset && file == otherFile;
  }

  /** Pins the block, unless it is closed or another one; returns whether it did. */
  boolean tryPin(CachedFile wanted, long wantedOffset) {
    int seen;
    do {
      seen = (int) PINS.getOpaque(this);
      if (seen < 0) {
        return false;
      }
    } while (!PINS.weakCompareAndSetAcquire(this, seen, seen + 1));
    if (!isOf(wanted, wantedOffset)) {
      unpin();
      return false;
    }
    if (uses < USES_MAX) {
      uses++;
    }
    return true;
  }

  /** Gives a pin back. What was read must not be looked at any more. */
  public void unpin() {
    int before = (int) PINS.getAndAddRelease(this, -1);
    assert before > 0 : "a block with " + before + " pins was unpinned";
  }

  /** Fills a closed block with a payload, from 0 to its limit, and opens it. */
  void fill(ByteBuffer payload) {
    memory.put(start, payload, 0, length);
    open();
  }

  /** Opens a block that was filled or moved. What was written before is seen by who pins it. */
  void open() {
    PINS.setRelease(this, 0);
  }

  /** Opens a block that was filled; the caller has it pinned. */
  public void openPinned() {
    PINS.setRelease(this, 1);
  }

  /** Gives up a block that could not be filled. */
  public void abandon() {
    PINS.setRelease(this, ABANDONED);
  }

  /** Closes the block, unless somebody has it pinned or fills it; returns whether it did. */
  boolean tryClose() {
    return PINS.compareAndSet(this, 0, CLOSED) || PINS.compareAndSet(this, ABANDONED, CLOSED);
  }

  /** Returns how many have the block pinned now. */
  int pins() {
    return Math.max(0, (int) PINS.getOpaque(this));
  }

  /** Returns the memory in which the payload lies, for the owner of a pin or who fills it. */
  public ByteBuffer memory() {
    return memory;
  }

  /** Returns where in the memory the payload begins. */
  public int start() {
    return start;
  }

  /** Returns the length of the payload in bytes. */
  public int length() {
    return length;
  }

  /** Copies the payload of a block that the caller has pinned. */
  void copyTo(BlockBuffer target) {
    memory.get(start, target.resize(length).array(), 0, length);
  }

  /** Returns whether the block belongs to a file that was dropped. */
  boolean isDropped() {
    return file != null && file.isDropped();
  }

  /** Returns the bytes of memory that the block takes. */
  int chargedBytes() {
    return length + OVERHEAD_BYTES;
  }

  /** Charges bytes to the block's file. */
  void addHeld(long bytes) {
    if (file != null) {
      file.addHeld(bytes);
    }
  }

  int hash() {
    return hash;
  }

  @Nullable CachedBlock next() {
    return next;
  }

  void setNext(@Nullable CachedBlock block) {
    next = block;
  }

  /** Returns whether the block was read since it was last asked; forgets one of the reads. */
  boolean takeUse() {
    if (uses == 0) {
      return false;
    }
    uses--;
    return true;
  }

  /** Moves the payload of a closed block to another place, which may overlap with its own. */
  void moveTo(int newStart) {
    if (newStart != start) {
      memory.put(newStart, memory, start, length);
      start = newStart;
    }
  }
}
