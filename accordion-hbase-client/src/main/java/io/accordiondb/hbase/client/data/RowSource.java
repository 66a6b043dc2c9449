// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.Cell;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a scan, in its direction, before filters. Belongs to one thread. */
interface RowSource extends Closeable {
  /** Returns the visible cells of the next row, in their order; null at the end. */
  @Nullable List<Cell> next() throws IOException;

  /**
   * Skips the rows before a row, in the direction of the scan. The source may still return some of
   * them.
   */
  void skipTo(byte[] row) throws IOException;

  @Override
  void close();
}
