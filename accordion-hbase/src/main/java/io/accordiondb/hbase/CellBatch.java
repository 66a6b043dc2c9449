// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.memstore.MemStore;
import java.nio.ByteBuffer;
import java.util.Iterator;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;

/**
 * Encodes HBase's cells, which may be in a request's buffer, into the bytes that a memory store
 * copies. Belongs to one thread.
 */
final class CellBatch {
  private static final int INITIAL_BYTES = 16 << 10;

  /** A buffer that has grown beyond this is not kept. */
  private static final int KEPT_BYTES_MAX = 1 << 20;

  private static final ThreadLocal<CellBatch> BATCHES = ThreadLocal.withInitial(CellBatch::new);

  private ByteBuffer buffer = ByteBuffer.allocate(INITIAL_BYTES);
  private int cells;
  private long dataBytes;
  private boolean hasTags;

  /** Returns the batch of the current thread. */
  static CellBatch ofThread() {
    return BATCHES.get();
  }

  /** Adds cells to a store. Cells with the same sequence number are added together. */
  void addTo(MemStore store, Iterator<Cell> source, RegionAccess region) {
    cells = 0;
    dataBytes = 0;
    hasTags = false;
    int run = 0;
    int end = 0;
    long sequence = 0;
    while (source.hasNext()) {
      Cell cell = source.next();
      long next = cell.getSequenceId();
      if (!region.knowsFamily()) {
        region.setFamily(CellUtil.cloneFamily(cell));
      }
      if (run > 0 && (next != sequence || end >= KEPT_BYTES_MAX)) {
        store.add(buffer, 0, run, sequence, BatchFormat.TAGGED);
        run = 0;
        end = 0;
      }
      sequence = next;
      end = append(cell, end);
      run++;
      cells++;
    }
    if (run > 0) {
      store.add(buffer, 0, run, sequence, BatchFormat.TAGGED);
    }
    if (buffer.capacity() > KEPT_BYTES_MAX) {
      buffer = ByteBuffer.allocate(INITIAL_BYTES);
    }
  }

  private int append(Cell cell, int offset) {
    int tagBytes = cell.getTagsLength();
    int length = lengthWithoutTags(cell);
    int end = offset + length + Short.BYTES + tagBytes;
    reserve(offset, end);
    if (tagBytes > 0) {
      hasTags = true;
      KeyValueUtil.appendTo(cell, buffer, offset, true);
      dataBytes += length + Short.BYTES + tagBytes;
    } else {
      if (cell instanceof KeyValue keyValue) {
        buffer.put(offset, keyValue.getBuffer(), keyValue.getOffset(), length);
      } else if (cell instanceof ByteBufferKeyValue keyValue) {
        // This also writes the length of empty tags if the cell has one.
        keyValue.write(buffer, offset);
      } else {
        KeyValueUtil.appendTo(cell, buffer, offset, false);
      }
      buffer.putShort(offset + length, (short) 0);
      dataBytes += length;
    }
    assert KeyValueLayout.lengthWithTags(buffer, offset) == end - offset
        : CellUtil.toString(cell, true);
    return end;
  }

  private static int lengthWithoutTags(Cell cell) {
    return cell instanceof KeyValue keyValue
        ? 2 * Integer.BYTES + keyValue.getKeyLength() + keyValue.getValueLength()
        : KeyValueLayout.length(
            cell.getRowLength(),
            cell.getFamilyLength(),
            cell.getQualifierLength(),
            cell.getValueLength());
  }

  private void reserve(int used, int needed) {
    if (needed > buffer.capacity()) {
      ByteBuffer larger = ByteBuffer.allocate(Math.max(needed, 2 * buffer.capacity()));
      larger.put(0, buffer, 0, used);
      buffer = larger;
    }
  }

  /** Returns the number of cells added last. */
  int cells() {
    return cells;
  }

  /** Returns the bytes of the cells added last, as they are stored. */
  long dataBytes() {
    return dataBytes;
  }

  /** Returns whether any of the cells added last has tags. */
  boolean hasTags() {
    return hasTags;
  }
}
