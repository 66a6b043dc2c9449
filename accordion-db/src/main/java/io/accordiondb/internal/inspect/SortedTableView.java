// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.inspect;

import io.accordiondb.inspect.BlockOutline;
import io.accordiondb.inspect.Damage;
import io.accordiondb.inspect.SortedTableOutline;
import io.accordiondb.inspect.SortedTableVisitor;
import io.accordiondb.internal.sstable.SortedTableInspection;
import io.accordiondb.internal.sstable.SortedTableProperties;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;

/** Shows a sorted table to whoever uses the public interface. */
record SortedTableView(String path, SortedTableVisitor visitor)
    implements SortedTableInspection.Visitor {
  @Override
  public void properties(SortedTableProperties table) throws IOException {
    visitor.outline(
        new SortedTableOutline(
            path,
            table.fileNumber(),
            table.fileBytes(),
            table.cellCount(),
            table.markerCount(),
            table.firstRow(),
            table.lastRow(),
            table.timestampMin(),
            table.timestampMax(),
            table.sequenceMin(),
            table.sequenceMax(),
            table.keyBytes(),
            table.valueBytes(),
            table.dataBlockCount(),
            table.dataBytes(),
            table.indexBytes(),
            table.filterBytes(),
            table.filterKeyCount(),
            table.compression().name().toLowerCase(Locale.ROOT),
            table.bloomKind().name().toLowerCase(Locale.ROOT),
            table.indexLevels()));
  }

  @Override
  public void block(BlockOutline block) throws IOException {
    visitor.block(block);
  }

  @Override
  public boolean wantsCells() {
    return visitor.wantsCells();
  }

  @Override
  public void cell(ByteBuffer buffer, int offset, long sequence) throws IOException {
    visitor.cell(CellCopy.of(buffer, offset), sequence);
  }

  @Override
  public void damage(long offset, IOException cause) throws IOException {
    visitor.damage(new Damage(path, offset, String.valueOf(cause.getMessage())));
  }
}
