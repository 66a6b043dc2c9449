// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.array;

import io.accordiondb.memstore.segment.CellRecord;
import java.nio.ByteBuffer;

/**
 * An object that stands for a cell in a chunk. Immutable; valid as long as its segment is held.
 *
 * @param buffer the chunk
 * @param position of the cell's record
 */
public record ChunkCell(ByteBuffer buffer, int position) implements CellObject {
  /** The bytes that such an object uses, with compressed references. */
  public static final int OBJECT_BYTES = 24;

  @Override
  public int offset() {
    return CellRecord.cellOffset(position);
  }

  @Override
  public int length() {
    return CellRecord.cellLength(buffer, position);
  }

  @Override
  public long sequence() {
    return CellRecord.sequence(buffer, position);
  }
}
