// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.internal.cache.Pool;
import io.accordiondb.internal.storage.StorageReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads many blocks of a file in one call for a cursor that reads them one after another. A cursor
 * that reads only a few blocks is left alone. Belongs to one thread.
 */
final class ReadAhead {
  /** Bytes of one call. */
  static final int BYTES = 64 << 10;

  /** Blocks that a cursor must have read from the file in order. */
  static final int BLOCKS_BEFORE = 2;

  private static final Pool<ByteBuffer> POOL = new Pool<>(() -> ByteBuffer.allocateDirect(BYTES));

  private @Nullable ByteBuffer bytes;

  /** The part of the file that the bytes have. */
  private long start;

  private long end;

  /** Where the next block begins if the cursor goes on, and how many have followed each other. */
  private long expected = -BYTES;

  private int inOrder;

  /**
   * Copies a part of the file, if it has been read ahead or is worth reading ahead.
   *
   * @param target receives the part from its position to its limit, if this returns true
   * @param fileEnd where the blocks of the file end
   * @return false if the caller must read it
   */
  boolean read(StorageReader file, long position, ByteBuffer target, long fileEnd) {
    int length = target.remaining();
    // Blocks between may have come from the cache.
    boolean follows = position >= expected && position - expected < BYTES;
    inOrder = follows ? inOrder + 1 : 0;
    expected = position + length;
    if (position < start || position + length > end) {
      boolean isWorthIt = inOrder >= BLOCKS_BEFORE && length <= BYTES / 2;
      if (!isWorthIt || !fill(file, position, fileEnd)) {
        return false;
      }
    }
    target.put(target.position(), bytes, (int) (position - start), length);
    return true;
  }

  /** Reads ahead; returns false if that fails, perhaps because of a block that nobody needs. */
  private boolean fill(StorageReader file, long position, long fileEnd) {
    end = start;
    try {
      ByteBuffer read = bytes;
      if (read == null) {
        read = POOL.take();
        bytes = read;
      }
      read.clear().limit((int) Math.min(BYTES, fileEnd - position));
      file.readFully(read, position);
      start = position;
      end = position + read.limit();
      return true;
    } catch (IOException | OutOfMemoryError e) {
      return false;
    }
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
