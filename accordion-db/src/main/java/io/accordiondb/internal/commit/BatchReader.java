// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.cell.KeyValueLayout;
import io.accordiondb.cell.MalformedCellException;
import io.accordiondb.internal.region.StoreId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Decodes a batch that was read from the log, trusting nothing but its checksum. */
public final class BatchReader {
  private BatchReader() {}

  /** Receives the groups of a batch. */
  public interface GroupConsumer {
    /**
     * Receives the cells of one store.
     *
     * @param payload the batch, which has been decompressed; valid during the call
     * @param offset of the first cell in the payload
     */
    void accept(StoreId store, ByteBuffer payload, int offset, int cellCount, long firstSequence);
  }

  /** A group that has been checked: its store, and its cells from an offset of the payload on. */
  private record Group(StoreId store, int offset, int cellCount) {}

  /**
   * Reads the payload of a log record that extends from 0 to its limit.
   *
   * @param cellCount the number of cells that the log record promises
   * @throws MalformedBatchException if it is no batch; then no group has been given out
   */
  public static void read(
      ByteBuffer logged, long firstSequence, int cellCount, GroupConsumer consumer)
      throws MalformedBatchException {
    ByteBuffer payload = BatchCompression.decompress(logged);
    List<Group> groups = new ArrayList<>();
    long cells = readGroups(payload, groups);
    if (cells != cellCount) {
      throw new MalformedBatchException(0, "cells in the batch", cells, cellCount);
    }
    long sequence = firstSequence;
    for (Group group : groups) {
      consumer.accept(group.store, payload, group.offset, group.cellCount, sequence);
      sequence += group.cellCount;
    }
  }

  /** Checks a whole batch and finds its groups; returns the number of cells. */
  private static long readGroups(ByteBuffer payload, List<Group> found)
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
      int count = payload.getInt(at + BatchLayout.CELLS_OFFSET);
      int bytes = payload.getInt(at + BatchLayout.BYTES_OFFSET);
      at += BatchLayout.GROUP_HEADER_BYTES;
      checkAvailable(limit, at, bytes);
      checkCells(payload, at, count, at + bytes);
      found.add(new Group(store, at, count));
      at += bytes;
      cells += count;
    }
    if (at != limit) {
      throw new MalformedBatchException(at, "end of the batch", at, limit);
    }
    return cells;
  }

  private static void checkCells(ByteBuffer payload, int offset, int count, int end)
      throws MalformedBatchException {
    int at = offset;
    int left = count;
    while (at < end && left > 0) {
      try {
        at += KeyValueLayout.checkCell(payload, at, end);
      } catch (MalformedCellException e) {
        throw new MalformedBatchException(at, e);
      }
      left--;
    }
    if (at != end || left != 0) {
      throw new MalformedBatchException(at, "cells in a group", count - left, count);
    }
  }

  private static void checkAvailable(int limit, int at, int bytes) throws MalformedBatchException {
    if (bytes < 0 || bytes > limit - at) {
      throw new MalformedBatchException(at, "bytes left", limit - at, bytes);
    }
  }
}
