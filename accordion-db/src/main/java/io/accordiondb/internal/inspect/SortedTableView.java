// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.inspect;

import io.accordiondb.CorruptionException;
import io.accordiondb.inspect.BlockOutline;
import io.accordiondb.inspect.Damage;
import io.accordiondb.inspect.SortedTableOutline;
import io.accordiondb.inspect.SortedTableVisitor;
import io.accordiondb.internal.manifest.FileOwner;
import io.accordiondb.internal.read.CellCopy;
import io.accordiondb.internal.sstable.SortedTableInspection;
import io.accordiondb.internal.sstable.SortedTableProperties;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Presents a sorted table in the types of the public API. */
final class SortedTableView implements SortedTableInspection.Visitor {
  private final String path;
  private final SortedTableVisitor visitor;

  /** The name of the family, which each cell has; empty if the file does not say. */
  private byte[] family = {};

  SortedTableView(String path, SortedTableVisitor visitor) {
    this.path = path;
    this.visitor = visitor;
  }

  @Override
  public void properties(SortedTableProperties table) throws IOException {
    FileOwner owner = ownerOf(table);
    family = owner == null ? family : owner.family().name().getBytes(StandardCharsets.UTF_8);
    visitor.outline(
        new SortedTableOutline(
            path,
            owner == null ? "" : owner.tableName(),
            owner == null ? 0 : owner.region().regionId(),
            owner == null ? "" : owner.family().name(),
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

  private @Nullable FileOwner ownerOf(SortedTableProperties table) throws IOException {
    try {
      return FileOwner.decode(table.owner(), path);
    } catch (CorruptionException e) {
      damage(e.offset(), e);
      return null;
    }
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
  public void cell(ByteBuffer buffer, int offset, int length, long sequence) throws IOException {
    visitor.cell(CellCopy.of(family, buffer, offset, length), sequence);
  }

  @Override
  public void damage(long offset, IOException cause) throws IOException {
    visitor.damage(new Damage(path, offset, String.valueOf(cause.getMessage())));
  }
}
