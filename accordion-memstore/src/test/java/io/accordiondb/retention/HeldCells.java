// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.ModelCell;
import java.nio.ByteBuffer;
import java.util.List;

/** What a source says of its cells. */
record HeldCells(List<ModelCell> cells) implements CellSource {
  @Override
  public CellCursor cursor() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean mayContainRow(ByteBuffer key, int keyOffset) {
    return true;
  }

  @Override
  public long cellCount() {
    return cells.size();
  }

  @Override
  public long deleteMarkerCount() {
    return cells.stream().filter(cell -> cell.type() != CellType.PUT || cell.hasTtl()).count();
  }

  @Override
  public long minTimestamp() {
    return cells.stream().mapToLong(ModelCell::timestamp).min().orElse(Long.MAX_VALUE);
  }

  @Override
  public long maxTimestamp() {
    return cells.stream().mapToLong(ModelCell::timestamp).max().orElse(Long.MIN_VALUE);
  }

  @Override
  public long minSequence() {
    return cells.stream().mapToLong(ModelCell::sequence).min().orElse(Long.MAX_VALUE);
  }

  @Override
  public long maxSequence() {
    return cells.stream().mapToLong(ModelCell::sequence).max().orElse(0);
  }
}
