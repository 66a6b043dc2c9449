// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import java.nio.ByteBuffer;

/**
 * Selects column-by-column decisions for a compaction of a family with a merge operator. Belongs to
 * one thread.
 *
 * @param columnFold decides what is kept of each column
 */
public record FoldFilter(ColumnFold columnFold) implements CellFilter {
  @Override
  public boolean keeps(ByteBuffer buffer, int offset, int length, long sequence) {
    throw new UnsupportedOperationException("cells of this family are judged by columns");
  }
}
