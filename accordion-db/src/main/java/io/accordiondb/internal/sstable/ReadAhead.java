// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.internal.cache.DirectMemory;
import io.accordiondb.internal.pool.Pool;
import io.accordiondb.internal.storage.StorageReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads many blocks of a file in one call for a cursor that reads each block behind the last one. A
 * cursor that reads only a few, or skips some, is left alone. Belongs to one thread.
 *
 * <p>It holds memory while it has bytes that the cursor has not asked for. The process keeps that
 * memory, for as many cursors as have read ahead at the same time.
 */
final class ReadAhead {
  /** Bytes of one call. */
  static final int BYTES = 64 << 10;

  /** Blocks that a cursor must have read from the file in order. */
  static final int BLOCKS_BEFORE = 2;

  private static final ByteBuffer NONE = ByteBuffer.allocateDirect(0);
  private static final Pool<ByteBuffer> POOL = new Pool<>(() -> NONE);

  private final StorageReader file;
  private final long fileEnd;
  private final DirectMemory memory;
  private @Nullable ByteBuffer bytes;

  /** The part of the file that the bytes have. */
  private long start;

  private long end;

  /** Where the next block begins if the cursor goes on, and how many have followed each other. */
  private long expected = -1;

  private int inOrder;

  /** Up to here, something could not be read. */
  private long failedEnd;

  /**
   * Creates an object for one cursor.
   *
   * @param fileEnd where the blocks of the file end
   */
  ReadAhead(StorageReader file, long fileEnd, DirectMemory memory) {
    this.file = file;
    this.fileEnd = fileEnd;
    this.memory = memory;
  }

  /**
   * Copies a part of the file, if it has been read ahead or is worth reading ahead.
   *
   * @param target receives the part from its position to its limit, if this returns true
   * @return false if the caller must read it
   */
  boolean read(long position, ByteBuffer target) {
    int length = target.remaining();
    inOrder = position == expected ? inOrder + 1 : 0;
    expected = position + length;
    if (position < start || expected > end) {
      boolean isWorthIt = inOrder >= BLOCKS_BEFORE && length <= BYTES / 2 && position >= failedEnd;
      if (!isWorthIt || !fill(position)) {
        return false;
      }
    }
    target.put(target.position(), bytes, (int) (position - start), length);
    if (expected == end) {
      clear();
    }
    return true;
  }

  /** Reads ahead; returns false if that fails, perhaps because of a block that nobody needs. */
  private boolean fill(long position) {
    end = start;
    ByteBuffer read = taken();
    if (read == null) {
      return false;
    }
    int length = (int) Math.min(BYTES, fileEnd - position);
    try {
      file.readFully(read.clear().limit(length), position);
    } catch (IOException e) {
      failedEnd = position + length;
      clear();
      return false;
    }
    start = position;
    end = position + length;
    return true;
  }

  /** Returns the memory; null if the process has none left. */
  private @Nullable ByteBuffer taken() {
    if (bytes == null) {
      ByteBuffer kept = POOL.take();
      bytes = kept.capacity() == 0 ? memory.allocate(BYTES) : kept;
    }
    return bytes;
  }

  /** Gives the memory back. */
  void clear() {
    ByteBuffer taken = bytes;
    if (taken != null) {
      bytes = null;
      end = start;
      POOL.giveBack(taken);
    }
  }
}
