// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.cell.CellCursor;
import java.nio.ByteBuffer;

/** A cursor over cells in memory: it cannot fail, and closing it does nothing. */
public interface MemoryCursor extends CellCursor {
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
