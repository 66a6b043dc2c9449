// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.retention.RangeTombstone;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Encodes range tombstones as cells of a batch: the row is the start, the value is the end. */
final class RangeCells {
  private RangeCells() {}

  /** Decodes consecutive cells and passes their tombstones to a consumer. */
  static void forEach(
      ByteBuffer cells,
      int offset,
      int count,
      long firstSequence,
      Consumer<RangeTombstone> consumer) {
    int at = offset;
    for (int i = 0; i < count; i++) {
      consumer.accept(tombstone(cells, at, firstSequence + i));
      at += KeyValueLayout.length(cells, at);
    }
  }

  private static RangeTombstone tombstone(ByteBuffer cells, int offset, long sequence) {
    return new RangeTombstone(
        KeyValueLayout.row(cells, offset), KeyValueLayout.value(cells, offset), sequence);
  }

  /** Returns whether a cell is a range tombstone. */
  static boolean isOne(ByteBuffer cells, int offset) {
    return KeyValueLayout.typeCode(cells, offset) == CellType.DELETE_RANGE.code();
  }
}
