// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import java.nio.ByteBuffer;

/**
 * The position of a block in its file. Serialised in twelve bytes: offset (8), length (4).
 *
 * @param offset of the payload's first byte in the file
 * @param length bytes of the payload as stored, without the trailer
 */
record BlockHandle(long offset, int length) {
  /** Bytes of a serialised handle. */
  static final int BYTES = Long.BYTES + Integer.BYTES;

  /** The handle of a block that a file does not have. */
  static final BlockHandle NONE = new BlockHandle(0, 0);

  /** Returns the bytes that the block takes in the file. */
  long fileBytes() {
    return (long) length + SortedTableFormat.BLOCK_TRAILER_BYTES;
  }

  void write(ByteBuffer target, int at) {
    target.putLong(at, offset).putInt(at + Long.BYTES, length);
  }

  /** Reads a handle without checking its values; {@link BlockInput} does that. */
  static BlockHandle read(byte[] source, int at) {
    return new BlockHandle(
        ArrayCells.getLong(source, at), ArrayCells.getInt(source, at + Long.BYTES));
  }
}
