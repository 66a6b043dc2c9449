// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.encoding.MalformedCellException;
import io.accordiondb.internal.region.StoreId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes a batch that was read from the log. It checks every length, because only the checksum of
 * the record has been verified before.
 */
public final class BatchReader {
  private BatchReader() {}

  /**
   * Reads the payload of a log record that extends from 0 to its limit; returns the cells, store by
   * store, in the order of their sequence numbers.
   *
   * @param cellCount the number of cells that the log record promises
   * @throws MalformedBatchException if it is not a batch
   */
  public static List<LoggedGroup> read(ByteBuffer logged, long firstSequence, int cellCount)
      throws MalformedBatchException {
    ByteBuffer payload = BatchCompression.decompress(logged);
    List<LoggedGroup> groups = new ArrayList<>();
    long cells = readGroups(payload, firstSequence, groups);
    if (cells != cellCount) {
      throw new MalformedBatchException(0, "cells in the batch", cells, cellCount);
    }
    return groups;
  }

  /** Checks a whole batch and finds its groups; returns the number of cells. */
  private static long readGroups(ByteBuffer payload, long firstSequence, List<LoggedGroup> found)
      throws MalformedBatchException {
    int limit = payload.limit();
    checkAvailable(limit, 0, BatchLayout.GROUP_COUNT_BYTES);
    int groups = payload.getInt(0);
    int at = BatchLayout.GROUP_COUNT_BYTES;
    long cells = 0;
    for (int group = 0; group < groups; group++) {
      checkAvailable(limit, at, BatchLayout.GROUP_HEADER_BYTES);
      StoreId store =
          new StoreId(
              payload.getLong(at + BatchLayout.REGION_OFFSET),
              payload.getInt(at + BatchLayout.FAMILY_OFFSET));
      int counted = payload.getInt(at + BatchLayout.CELLS_OFFSET);
      int count = counted & ~BatchLayout.TAGGED;
      BatchFormat format = BatchFormat.numbered(count != counted);
      int bytes = payload.getInt(at + BatchLayout.BYTES_OFFSET);
      at += BatchLayout.GROUP_HEADER_BYTES;
      checkAvailable(limit, at, bytes);
      checkCells(payload, at, count, at + bytes, format);
      LoggedGroup read = new LoggedGroup(store, payload, at, count, firstSequence + cells, format);
      if (LogNote.isUnknown(read)) {
        throw new MalformedBatchException(at, "a note of an unknown kind");
      }
      found.add(read);
      at += bytes;
      cells += count;
    }
    if (at != limit) {
      throw new MalformedBatchException(at, "end of the batch", at, limit);
    }
    return cells;
  }

  private static void checkCells(
      ByteBuffer payload, int offset, int count, int end, BatchFormat format)
      throws MalformedBatchException {
    int at = offset;
    int left = count;
    int ranges = 0;
    while (at < end && left > 0) {
      try {
        int length =
            format == BatchFormat.NUMBERED
                ? KeyValueLayout.checkCell(payload, at, end)
                : CellTags.checkCell(payload, at, end);
        ranges += RangeCells.isOne(payload, at) ? 1 : 0;
        at += length;
      } catch (MalformedCellException e) {
        throw new MalformedBatchException(at, e);
      }
      left--;
    }
    if (at != end || left != 0) {
      throw new MalformedBatchException(at, "cells in a group", count - left, count);
    }
    if (ranges != 0 && ranges != count) {
      throw new MalformedBatchException(offset, "range tombstones in a group", ranges, count);
    }
  }

  private static void checkAvailable(int limit, int at, int bytes) throws MalformedBatchException {
    if (bytes < 0 || bytes > limit - at) {
      throw new MalformedBatchException(at, "bytes left", limit - at, bytes);
    }
  }
}
