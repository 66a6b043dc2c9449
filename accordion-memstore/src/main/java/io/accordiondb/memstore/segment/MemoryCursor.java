// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.encoding.CellCursor;
import java.nio.ByteBuffer;

/**
 * A cursor over cells in memory: it cannot fail, and closing it does nothing. Belongs to one
 * thread, which must hold what the cursor reads.
 */
public interface MemoryCursor extends CellCursor {
  /** The buffer that a cursor may hold while it is on no cell. */
  ByteBuffer NOWHERE = ByteBuffer.allocate(0);

  @Override
  boolean seekToFirst();

  @Override
  boolean seek(ByteBuffer key, int keyOffset);

  @Override
  boolean seekBefore(ByteBuffer key, int keyOffset);

  @Override
  boolean next();

  @Override
  default void close() {}
}
