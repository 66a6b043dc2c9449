// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A block in a slab. While it is pinned its bytes neither change nor move; each pin needs one call
 * of {@link #unpin}.
 *
 * <p>A new block is closed, and only the thread that fills it may use it. Once it is opened, any
 * thread may pin it. To move or drop it, the holder of the cache's lock closes it again, which is
 * possible only while it is not pinned. So a pin that is never released keeps its place forever.
 *
 * <p>A reader that copies a block needs no pin. It reads the version before and after the copy, and
 * discards the copy if the block was closed in between. This saves two atomic operations, the
 * second of which would wait for the copy to reach the processor's cache.
 *
 * <p>An object is reused for other blocks, so that replacing blocks allocates nothing. It changes
 * to another block only while it is closed; so a reader pins it first and then checks that it still
 * is the wanted block.
 */
public final class CachedBlock {
  /** Bytes of memory beyond the payload: this object, and its places in slab and hash table. */
  static final int OVERHEAD_BYTES = 64;

  /** Replaces the number of pins while the block is filled or moved, or if there is none. */
  private static final int CLOSED = -1;

  /** Replaces the number of pins if filling failed; the block then waits for its eviction. */
  private static final int ABANDONED = -2;

  private static final int USES_MAX = 3;
  private static final VarHandle PINS = handle("pins");
  private static final VarHandle VERSION = handle("version");

  private final ByteBuffer memory;

  /** All fields that describe the block are written while it is closed. */
  private @Nullable CachedFile file;

  private long offset;
  private int hash;
  private int start;
  private int length;

  @SuppressWarnings("unused") // Through PINS.
  private int pins = CLOSED;

  /**
   * Even while the block is open; changes each time it is closed. Written by the thread that closes
   * it.
   */
  private int version = 1;

  /** Reads since the block was offered or last passed over; a hint, written without order. */
  private byte uses;

  /**
   * Whether the payload is missing, because filling failed. Written while the block is closed;
   * {@link #uses} may still count a read of the block that was here before.
   */
  private boolean isAbandoned;

  /** The next block of the same bucket. Written by the holder of the lock. */
  private volatile @Nullable CachedBlock next;

  /** Creates an unused object for blocks in a slab's memory. */
  CachedBlock(ByteBuffer memory) {
    this.memory = memory;
  }

  private static VarHandle handle(String field) {
    try {
      return MethodHandles.lookup().findVarHandle(CachedBlock.class, field, int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Assigns this object, which is closed, to a block that the caller will fill. */
  void assign(CachedFile newFile, long newOffset, int newStart, int newLength) {
    file = newFile;
    offset = newOffset;
    hash = newFile.hashOf(newOffset);
    start = newStart;
    length = newLength;
    uses = 0;
    isAbandoned = false;
  }

  /** Returns whether this is a given block of a file; only a hint for a caller without a pin. */
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
    noteUse();
    return true;
  }

  private void noteUse() {
    if (uses < USES_MAX) {
      uses++;
    }
  }

  /**
   * Copies the payload without a pin, unless the block is closed or another one. Returns whether it
   * did; if not, the content of the target is undefined.
   */
  boolean tryCopy(CachedFile wanted, long wantedOffset, BlockBuffer target) {
    int seen = (int) VERSION.getAcquire(this);
    if ((seen & 1) != 0 || !isOf(wanted, wantedOffset)) {
      return false;
    }
    int from = start;
    int bytes = length;
    // Before the copy, because a place and a length of two blocks can exceed the memory.
    if (!isStill(seen)) {
      return false;
    }
    memory.get(from, target.resize(bytes).array(), 0, bytes);
    if (!isStill(seen)) {
      return false;
    }
    noteUse();
    return true;
  }

  /** Returns whether everything that was read since a version was seen belongs to that version. */
  private boolean isStill(int seen) {
    VarHandle.acquireFence();
    return (int) VERSION.getOpaque(this) == seen;
  }

  /** Releases a pin. The caller must no longer use what it has read. */
  public void unpin() {
    int before = (int) PINS.getAndAddRelease(this, -1);
    assert before > 0 : "a block with " + before + " pins was unpinned";
  }

  /** Fills a closed block with a payload, from 0 to its limit, and opens it. */
  void fill(ByteBuffer payload) {
    memory.put(start, payload, 0, length);
    open();
  }

  /** Opens a block that was filled or moved. A thread that pins it sees all earlier writes. */
  void open() {
    open(0);
  }

  /** Opens a block that was filled; the caller has it pinned. */
  public void openPinned() {
    open(1);
  }

  private void open(int pinned) {
    VERSION.setRelease(this, version + 1);
    PINS.setRelease(this, pinned);
  }

  /** Gives up a block that could not be filled. */
  public void abandon() {
    isAbandoned = true;
    PINS.setRelease(this, ABANDONED);
  }

  /** Closes the block unless it is pinned or being filled; returns whether it did. */
  boolean tryClose() {
    if (PINS.compareAndSet(this, 0, CLOSED)) {
      VERSION.setOpaque(this, version + 1);
      // A reader that sees any change from now on sees the version, too.
      VarHandle.releaseFence();
      return true;
    }
    return PINS.compareAndSet(this, ABANDONED, CLOSED);
  }

  /** Returns the number of pins of the block. */
  int pins() {
    return Math.max(0, (int) PINS.getOpaque(this));
  }

  /** Returns the memory of the payload. The caller must hold a pin or be filling the block. */
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

  /** Returns whether the block was read since the last call, and uncounts one read. */
  boolean takeUse() {
    if (uses == 0 || isAbandoned) {
      return false;
    }
    uses--;
    return true;
  }

  /**
   * Moves the payload of a closed block to another place, which may overlap with the present one.
   */
  void moveTo(int newStart) {
    if (newStart != start) {
      memory.put(newStart, memory, start, length);
      start = newStart;
    }
  }
}
