// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.retention.RangeTombstones;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the data blocks of a table of which range tombstones delete every cell. It reads the
 * index alone, and of an index of two levels only the blocks in which a deleted range begins or
 * ends. Immutable.
 *
 * @param ranges the tombstones
 * @param aboveSequence a tombstone up to this sequence number does not count
 * @param upTo tombstones above this sequence number do not count
 */
record DeletedBlocks(RangeTombstones ranges, long aboveSequence, long upTo) {
  /**
   * Returns the bytes that these blocks take in the file, at most.
   *
   * @param firstRow the first row of the table
   * @param leaves the index blocks that the root names; null where it names data blocks
   */
  long bytes(byte[] firstRow, IndexBlock root, @Nullable ChildBlocks leaves) throws IOException {
    if (leaves == null) {
      return bytes(firstRow, root);
    }
    long sum = 0;
    long begin = 0;
    byte[] first = firstRow;
    for (int entry = 0; entry < root.count(); entry++) {
      byte[] last = row(root, entry);
      // An index block is behind the blocks that it names.
      long end = root.blockOffset(entry);
      if (delete(first, last)) {
        sum += end - begin;
      } else if (touch(first, last)) {
        sum += bytes(first, leaves.index(entry));
      }
      first = last;
      begin = end;
    }
    return sum;
  }

  private long bytes(byte[] firstRow, IndexBlock index) {
    long sum = 0;
    byte[] first = firstRow;
    for (int entry = 0; entry < index.count(); entry++) {
      byte[] last = row(index, entry);
      if (delete(first, last)) {
        sum += index.blockLength(entry);
      }
      first = last;
    }
    return sum;
  }

  private boolean delete(byte[] first, byte[] last) {
    return ranges.cover(first, last, aboveSequence, upTo);
  }

  private boolean touch(byte[] first, byte[] last) {
    return ranges.touches(first, Arrays.copyOf(last, last.length + 1), aboveSequence);
  }

  /** Returns the row of an entry: at or behind those of its block, and before those of the next. */
  private static byte[] row(IndexBlock index, int entry) {
    return KeyValueLayout.row(index.buffer(), index.cellOffset(entry));
  }
}
