// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.region.Store;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A group of a {@link Batch}: cells of one store that follow each other, or range tombstones. A
 * {@link BatchBuilder} adds cells to it, on one thread. Once the batch is built, the group says
 * where its cells are in the payload, and no longer changes.
 */
public final class StoreCells {
  private static final byte[] NO_FAMILY = {};

  /** The buffer begins with room for the headers that a batch of one group needs. */
  private static final int START = BatchLayout.GROUP_COUNT_BYTES + BatchLayout.GROUP_HEADER_BYTES;

  private final Store store;
  private final boolean deletesRanges;
  private ByteBuffer buffer;
  private int start = START;
  private int end = START;
  private int count;
  private boolean tagged;

  /** Bytes of the tags and of their lengths. */
  private int tagBytes;

  StoreCells(Store store, boolean deletesRanges, int bytesExpected) {
    this.store = store;
    this.deletesRanges = deletesRanges;
    this.buffer = ByteBuffer.allocate(START + bytesExpected);
  }

  /** Returns the store to which the cells belong. */
  public Store store() {
    return store;
  }

  /** Returns whether the cells are range tombstones. */
  public boolean deletesRanges() {
    return deletesRanges;
  }

  /** Returns the offset of the first cell in the payload. */
  public int offset() {
    return start;
  }

  /** Returns the number of cells. */
  public int cellCount() {
    return count;
  }

  /** Returns how the cells follow each other. */
  public BatchFormat format() {
    return BatchFormat.numbered(tagged);
  }

  /** Returns whether the length of its tags follows each cell. */
  boolean isTagged() {
    return tagged;
  }

  /** Returns the buffer that holds the cells. */
  ByteBuffer buffer() {
    return buffer;
  }

  /** Returns the bytes of the cells. */
  int bytes() {
    return end - start;
  }

  /** Returns the bytes of rows, qualifiers and values. */
  long contentBytes() {
    return bytes() - tagBytes - (long) count * KeyValueLayout.CELL_OVERHEAD_BYTES;
  }

  /** Enlarges the buffer, up to the bytes that a batch may have. */
  void makeRoom(int bytes, int bytesMax) {
    if (buffer.capacity() - end < bytes) {
      int needed = Math.addExact(end, bytes);
      long most = Math.max(needed, (long) START + bytesMax);
      int capacity =
          (int) Math.min(Integer.MAX_VALUE - 8, Math.min(most, Math.max(needed, 2L * end)));
      buffer = ByteBuffer.wrap(Arrays.copyOf(buffer.array(), capacity));
    }
  }

  void add(ByteBuffer source, int offset, int bytes, boolean hasTags) {
    buffer.put(end, source, offset, bytes);
    end += bytes;
    if (hasTags) {
      tagBytes += bytes - KeyValueLayout.length(source, offset);
    } else if (tagged) {
      buffer.putShort(end, (short) 0);
      end += Short.BYTES;
      tagBytes += Short.BYTES;
    }
    count++;
  }

  /** Inserts the length of the tags, 0, behind each cell. There is room for it. */
  void makeTagged() {
    if (tagged) {
      return;
    }
    tagged = true;
    ByteBuffer untagged = ByteBuffer.wrap(Arrays.copyOf(buffer.array(), end));
    int from = START;
    for (int at = START; from < untagged.limit(); at += Short.BYTES) {
      int length = KeyValueLayout.length(untagged, from);
      buffer.put(at, untagged, from, length);
      buffer.putShort(at + length, (short) 0);
      from += length;
      at += length;
    }
    end += count * Short.BYTES;
    tagBytes += count * Short.BYTES;
  }

  void add(byte[] row, byte[] qualifier, long timestamp, CellType type, byte[] value, byte[] tags) {
    end +=
        KeyValueLayout.write(
            buffer, end, row, NO_FAMILY, qualifier, timestamp, type.code() & 0xFF, value);
    if (tagged) {
      int written = CellTags.write(buffer, end, tags);
      end += written;
      tagBytes += written;
    }
    count++;
  }

  /** Moves the cells to an offset of another buffer, when all have been added. */
  void moveTo(ByteBuffer payload, int offset) {
    int bytes = bytes();
    payload.put(offset, buffer, start, bytes);
    buffer = payload;
    start = offset;
    end = offset + bytes;
  }

  /** Writes the header of the group in front of the cells. */
  void writeHeader() {
    int at = start - BatchLayout.GROUP_HEADER_BYTES;
    buffer.putLong(at + BatchLayout.REGION_OFFSET, store.id().regionId());
    buffer.putInt(at + BatchLayout.FAMILY_OFFSET, store.id().familyId());
    buffer.putInt(at + BatchLayout.CELLS_OFFSET, tagged ? count | BatchLayout.TAGGED : count);
    buffer.putInt(at + BatchLayout.BYTES_OFFSET, bytes());
  }
}
