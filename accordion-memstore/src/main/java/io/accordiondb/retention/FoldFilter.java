// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import java.nio.ByteBuffer;

/**
 * Has a compaction of a family with a merge operator decide by columns. Belongs to one thread.
 *
 * @param columnFold decides
 */
public record FoldFilter(ColumnFold columnFold) implements CellFilter {
  @Override
  public boolean keeps(ByteBuffer buffer, int offset, int length, long sequence) {
    throw new UnsupportedOperationException("cells of this family are judged by columns");
  }
}
