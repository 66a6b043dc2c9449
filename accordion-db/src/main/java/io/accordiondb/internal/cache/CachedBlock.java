// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A block in a slab. Any number of threads copy it out while the holder of the cache's lock may
 * move it or end its life.
 *
 * <p>A version tells a reader whether that happened while it copied: it is odd while the block
 * moves and once it has ended, and another one after each move. So readers write nothing that other
 * threads read, and nothing that a reader forgets can keep a block from being evicted.
 */
final class CachedBlock {
  /** Bytes of memory beyond the payload: this object, and its places in slab and hash table. */
  static final int OVERHEAD_BYTES = 64;

  private static final int USES_MAX = 3;
  private static final VarHandle VERSION = version();

  private final CachedFile file;
  private final long offset;
  private final ByteBuffer memory;
  private final int length;

  /** Where the payload lies in the slab. Written only while the version is odd. */
  private int start;

  /** Written by the holder of the lock, through {@link #VERSION}. */
  @SuppressWarnings("unused")
  private int version;

  /** Reads since the block was offered or last passed over; a hint, written without order. */
  private byte uses;

  /** The next block of the same bucket. Written by the holder of the lock. */
  private volatile @Nullable CachedBlock next;

  /** Makes a block of what lies in a slab. */
  CachedBlock(CachedFile file, long offset, ByteBuffer memory, int start, int length) {
    this.file = file;
    this.offset = offset;
    this.memory = memory;
    this.start = start;
    this.length = length;
  }

  private static VarHandle version() {
    try {
      return MethodHandles.lookup().findVarHandle(CachedBlock.class, "version", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  boolean isOf(CachedFile otherFile, long otherOffset) {
    return offset == otherOffset && file == otherFile;
  }

  CachedFile file() {
    return file;
  }

  int hash() {
    return file.hashOf(offset);
  }

  int length() {
    return length;
  }

  @Nullable CachedBlock next() {
    return next;
  }

  void setNext(@Nullable CachedBlock block) {
    next = block;
  }

  /**
   * Copies the payload; returns false, with anything in the buffer, if it was not there to copy.
   */
  boolean copyTo(BlockBuffer target) {
    int before = (int) VERSION.getAcquire(this);
    if ((before & 1) != 0) {
      return false;
    }
    memory.get(start, target.resize(length).array(), 0, length);
    // What was copied must have been read before the version is read again.
    VarHandle.acquireFence();
    if ((int) VERSION.getOpaque(this) != before) {
      return false;
    }
    if (uses < USES_MAX) {
      uses++;
    }
    return true;
  }

  /** Returns whether the block was read since it was last asked; forgets one of the reads. */
  boolean takeUse() {
    if (uses == 0) {
      return false;
    }
    uses--;
    return true;
  }

  /** Moves the payload to another place of its slab, which may overlap with its own. */
  void moveTo(int newStart) {
    if (newStart == start) {
      return;
    }
    int before = version;
    VERSION.setOpaque(this, before + 1);
    // Readers that have seen any of the following must see the version odd.
    VarHandle.releaseFence();
    memory.put(newStart, memory, start, length);
    start = newStart;
    VERSION.setRelease(this, before + 2);
  }

  /** Ends the block's life, before its place is used for another one. */
  void end() {
    VERSION.setOpaque(this, version | 1);
    VarHandle.releaseFence();
  }
}
