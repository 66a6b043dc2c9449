// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Compression;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.commit.Batch;
import io.accordiondb.internal.commit.BatchBuilder;
import io.accordiondb.internal.commit.LoggedGroup;
import io.accordiondb.internal.read.RowRange;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.TableState;
import io.accordiondb.retention.RangeTombstone;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Cells from a log, to be written again, for example to another database.
 *
 * @param table name of their table
 * @param family name of their family
 * @param cells the cells as they were logged; their region is ignored
 */
public record LoggedCells(String table, byte[] family, LoggedGroup cells) {
  private static final int BYTES_EXPECTED = 256;
  private static final byte[] NO_QUALIFIER = {};

  /** Returns a batch of cells, each for the region that has its row now. */
  static Batch encode(List<LoggedCells> groups, OpenTables tables, Compression compression)
      throws IOException {
    // Logged batches may be larger than the present options allow.
    BatchBuilder builder = new BatchBuilder(BYTES_EXPECTED, Integer.MAX_VALUE);
    for (LoggedCells group : groups) {
      TableState table = tables.get(group.table);
      if (group.cells.deletesRanges()) {
        for (RangeTombstone range : group.cells.rangeTombstones()) {
          group.addRange(table, range, builder);
        }
      } else {
        group.addTo(table, builder);
      }
    }
    return builder.build(compression);
  }

  private void addTo(TableState table, BatchBuilder builder) throws IOException {
    ByteBuffer batch = cells.batch();
    int at = cells.offset();
    for (int i = 0; i < cells.cellCount(); i++) {
      byte[] row = KeyValueLayout.row(batch, at);
      builder.addRow(row);
      Store store = table.store(table.regions().regionOf(row), family);
      builder.addEncoded(store, cells.format(), batch, at);
      at += cells.format().step(batch, at);
    }
  }

  /** Adds a tombstone for each region that has rows of the range. */
  private void addRange(TableState table, RangeTombstone range, BatchBuilder builder)
      throws IOException {
    long time = KeyValueLayout.timestamp(cells.batch(), cells.offset());
    for (Region region : table.regions().regions()) {
      byte[] from = RowRange.higher(range.start(), region.startKey());
      byte[] to = RowRange.lower(range.end(), region.endKey());
      if (to.length == 0 || Arrays.compareUnsigned(from, to) < 0) {
        builder.add(
            table.store(region, family),
            from,
            NO_QUALIFIER,
            time,
            CellType.DELETE_RANGE,
            to,
            CellTags.NONE);
      }
    }
  }
}
