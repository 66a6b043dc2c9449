// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.flat;

import io.accordiondb.memstore.segment.KeyPrefix;
import java.nio.ByteBuffer;

/**
 * The layout of the entries of a serialised index, which follow each other in a chunk: eight bytes
 * of key prefix and four bytes of reference to the cell's record (section 3.4 of the paper, Figure
 * 4b).
 *
 * <p>The lowest bit of the prefix says whether the cell belongs to the same column as the one
 * before it, so that merges compare columns, not versions, and need not read most cells. Pure
 * functions.
 */
public final class FlatIndexLayout {
  /** Bytes of an entry. */
  public static final int ENTRY_BYTES = Long.BYTES + Integer.BYTES;

  private static final long CONTINUES_COLUMN = KeyPrefix.FREE_BIT;

  private FlatIndexLayout() {}

  /** Writes an entry. */
  static void write(
      ByteBuffer chunk, int position, long prefix, boolean continuesColumn, int reference) {
    long bits = KeyPrefix.shortened(prefix);
    chunk.putLong(position, continuesColumn ? bits | CONTINUES_COLUMN : bits);
    writeReference(chunk, position, reference);
  }

  /** Points an entry to another record of the same cell. */
  static void writeReference(ByteBuffer chunk, int position, int reference) {
    chunk.putInt(position + Long.BYTES, reference);
  }

  /** Returns the key prefix of an entry without {@link KeyPrefix#FREE_BIT}. */
  static long prefix(ByteBuffer chunk, int position) {
    return KeyPrefix.shortened(chunk.getLong(position));
  }

  /** Returns whether the cell of an entry is of the same column as the one before it. */
  static boolean continuesColumn(ByteBuffer chunk, int position) {
    return (chunk.getLong(position) & CONTINUES_COLUMN) != 0;
  }

  /** Returns the reference to the record of an entry. */
  static int reference(ByteBuffer chunk, int position) {
    return chunk.getInt(position + Long.BYTES);
  }
}
