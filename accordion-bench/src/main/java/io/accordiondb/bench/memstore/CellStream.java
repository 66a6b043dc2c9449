// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.memstore;

import io.accordiondb.bench.Rows;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Batches of encoded cells outside the heap, made before the clock starts, so that what is measured
 * is the memory store. The cells of a batch are sorted, as hosts add them.
 */
final class CellStream {
  private static final byte[] NOTHING = new byte[0];
  private static final int BLOCK_BYTES = 64 << 20;
  private static final int CELLS_PER_MILLISECOND = 1000;

  private final int batch;
  private final int cellBytes;
  private final int batchesPerBlock;
  private final List<ByteBuffer> blocks = new ArrayList<>();

  CellStream(MemStoreBenchOptions options, Rows rows) {
    batch = options.batch();
    cellBytes = KeyValueLayout.length(options.keyBytes(), 0, 0, options.valueBytes());
    batchesPerBlock = Math.max(1, BLOCK_BYTES / (batch * cellBytes));
    LongSupplier records = options.distribution().records(options.records());
    byte[][] keys = new byte[batch][];
    ByteBuffer block = ByteBuffer.allocate(0);
    for (int number = 0; number < options.operations() / batch; number++) {
      if (number % batchesPerBlock == 0) {
        block = ByteBuffer.allocateDirect(batchesPerBlock * batch * cellBytes);
        blocks.add(block);
      }
      for (int i = 0; i < batch; i++) {
        keys[i] = rows.key(records.getAsLong());
      }
      Arrays.sort(keys, Arrays::compareUnsigned);
      int at = offset(number);
      for (byte[] key : keys) {
        at +=
            write(
                block,
                at,
                key,
                (long) number * batch / CELLS_PER_MILLISECOND,
                rows.value(number, at, 0));
      }
    }
  }

  private static int write(ByteBuffer target, int at, byte[] key, long timestamp, byte[] value) {
    return KeyValueLayout.write(
        target, at, key, NOTHING, NOTHING, timestamp, CellType.PUT.code(), value);
  }

  /** Returns a key to search with: the first place of a row. */
  static ByteBuffer searchKey(byte[] row) {
    ByteBuffer key = ByteBuffer.allocate(KeyValueLayout.length(row.length, 0, 0, 0));
    write(key, 0, row, Long.MAX_VALUE, NOTHING);
    return key;
  }

  ByteBuffer block(int number) {
    return blocks.get(number / batchesPerBlock);
  }

  int offset(int number) {
    return number % batchesPerBlock * batch * cellBytes;
  }
}
