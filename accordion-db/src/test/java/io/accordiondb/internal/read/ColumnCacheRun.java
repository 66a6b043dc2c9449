// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.accordiondb.encoding.FoundCell;
import io.accordiondb.internal.metrics.Tallies;
import io.accordiondb.internal.read.ColumnCache.ColumnKey;
import java.nio.ByteBuffer;

/** Offers a column to a cache. Runs among classes whose allocations fail. */
public final class ColumnCacheRun {
  private static final int OFFERS = 3;

  private ColumnCacheRun() {}

  /** Offers a column once more than a cache needs to keep it; one allocation may fail. */
  static void offerOnceMore(long unused) {
    ColumnCache cache = new ColumnCache(1 << 20, new Tallies(), ByteBuffer::allocateDirect);
    byte[] column = "column".getBytes(US_ASCII);
    ColumnKey key = new ColumnKey();
    key.set(column, 0, column.length);
    FoundCell cell = new FoundCell();
    cell.set(ByteBuffer.allocate(10), 0, 10, 1, 2);
    for (int i = 0; i < OFFERS; i++) {
      cache.offer(1, key, cell);
    }
    if (!cache.find(1, key, new FoundCell())) {
      throw new AssertionError("the column is not in the cache");
    }
  }
}
