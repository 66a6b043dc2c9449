// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.chunk.ArenaFiller;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;

/**
 * The layout of a cell in a chunk: eight bytes of sequence number, whose highest bit says that the
 * cell has tags, then the cell. Pure functions. A writer fills a record before it publishes the
 * reference to it; afterwards the record does not change.
 */
public final class CellRecord {
  private static final int HEADER_BYTES = Long.BYTES;
  private static final long HAS_TAGS = Long.MIN_VALUE;

  private CellRecord() {}

  /** Returns the bytes of the record of a cell. */
  public static int bytes(int cellLength) {
    return Math.addExact(HEADER_BYTES, cellLength);
  }

  /** Writes the record of a cell. */
  public static void write(
      ByteBuffer chunk,
      int position,
      ByteBuffer cell,
      int cellOffset,
      int cellLength,
      long sequence) {
    boolean hasTags = KeyValueLayout.length(cell, cellOffset) != cellLength;
    chunk.putLong(position, hasTags ? sequence | HAS_TAGS : sequence);
    chunk.put(position + HEADER_BYTES, cell, cellOffset, cellLength);
  }

  /** Writes a record of a cell where there is room and returns its reference. */
  public static int write(
      ArenaFiller filler, ByteBuffer cell, int offset, int length, long sequence) {
    int reference = filler.allocate(bytes(length));
    ChunkPool pool = filler.pool();
    write(pool.buffer(reference), pool.position(reference), cell, offset, length, sequence);
    return reference;
  }

  /** Copies a record to where there is room and returns the reference of the copy. */
  public static int copyOf(int reference, ArenaFiller filler) {
    ChunkPool pool = filler.pool();
    ByteBuffer source = pool.buffer(reference);
    int position = pool.position(reference);
    int bytes = bytes(cellLength(source, position));
    int copy = filler.allocate(bytes);
    pool.buffer(copy).put(pool.position(copy), source, position, bytes);
    return copy;
  }

  /** Returns where the cell of a record begins. */
  public static int cellOffset(int position) {
    return position + HEADER_BYTES;
  }

  /** Returns the position of the record that a cell is in. */
  public static int position(int cellOffset) {
    return cellOffset - HEADER_BYTES;
  }

  /** Returns the sequence number. */
  public static long sequence(ByteBuffer chunk, int position) {
    return chunk.getLong(position) & ~HAS_TAGS;
  }

  /** Returns whether the cell has tags. */
  public static boolean hasTags(ByteBuffer chunk, int position) {
    return chunk.getLong(position) < 0;
  }

  /** Returns the bytes of the cell, its tags included. */
  public static int cellLength(ByteBuffer chunk, int position) {
    int cell = position + HEADER_BYTES;
    return hasTags(chunk, position)
        ? KeyValueLayout.lengthWithTags(chunk, cell)
        : KeyValueLayout.length(chunk, cell);
  }
}
