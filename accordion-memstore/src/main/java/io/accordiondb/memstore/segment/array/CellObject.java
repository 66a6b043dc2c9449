// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.array;

import java.nio.ByteBuffer;

/**
 * A cell that is represented by an object of its own: an element of an array index. Immutable, so
 * many threads may read it.
 */
public sealed interface CellObject permits HeapCell, ChunkCell {
  /** Returns the buffer that the cell is in. */
  ByteBuffer buffer();

  /** Returns where in the buffer the cell begins. */
  int offset();

  /** Returns the bytes of the cell, its tags included. */
  int length();

  /** Returns the sequence number. */
  long sequence();
}
