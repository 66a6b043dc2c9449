// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import java.nio.ByteBuffer;

/** A cell that has an object of its own: an element of an array index. */
sealed interface CellObject permits HeapCell, ChunkCell {
  ByteBuffer buffer();

  int offset();

  int length();

  long sequence();
}
