// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Builds the payloads of data blocks one after another. Belongs to one thread and reuses its
 * memory. {@link CellBlockCursor} and {@link CellBlockSearch} read them.
 *
 * <pre>
 *   payload = base sequence (8) { whole cell | delta cell } { restart offset (4) } restart count (4)
 *   whole   = cell in KeyValue layout, sequence
 *   delta   = shared (varint), unshared (varint), value length (varint),
 *             last unshared bytes of the key, value, sequence
 *   sequence = zigzag varint of the sequence number less the base, which is the first cell's
 * </pre>
 *
 * A block that holds a cell with tags has the highest bit of its restart count set. In it, the
 * value of each cell is followed by the length of its tags (2), which may be 0, and the tags.
 *
 * <p>A key begins with the row length and ends with the type. A delta cell shares the first bytes
 * of its key with the key before it. Each restart offset names a whole cell, which can be compared
 * in place; all other cells are delta cells.
 */
final class CellBlockBuilder {
  /** Bytes before the first cell. */
  static final int HEADER_BYTES = Long.BYTES;

  private static final int RETAINED_BYTES_MAX = 1 << 20;

  private static final int VARINTS_BYTES_MAX = 3 * Varints.INT_BYTES_MAX + Varints.LONG_BYTES_MAX;

  private static final byte[] NO_BYTES = {};
  private static final ByteBuffer NO_VIEW = ByteBuffer.wrap(NO_BYTES);

  /** The bit in the restart count which says that cells have tags. */
  static final int TAGGED = Integer.MIN_VALUE;

  private final int restartInterval;
  private final int initialBytes;
  private byte[] bytes;
  private ByteBuffer view;
  private int size;
  private int[] restarts = new int[16];
  private int restartCount;
  private int cellsSinceRestart;
  private long baseSequence;
  private boolean tagged;

  CellBlockBuilder(int blockSizeBytes, int restartInterval) {
    this.restartInterval = restartInterval;
    initialBytes = Math.min(blockSizeBytes + blockSizeBytes / 4 + 512, RETAINED_BYTES_MAX);
    bytes = new byte[initialBytes];
    view = ByteBuffer.wrap(bytes);
  }

  /**
   * Appends a cell. If it has tags, the block must {@link #takesTags take} them.
   *
   * @param tagsBytes bytes of the tags and their length; 0 if the cell has none
   * @param shared bytes that its key has in common with the start of the key before it
   */
  void add(ByteBuffer cell, int offset, int tagsBytes, int shared, long sequence) {
    int keyLength = KeyValueLayout.keyLength(cell, offset);
    int valueLength = KeyValueLayout.valueLength(cell, offset);
    int length = KeyValueLayout.length(cell, offset);
    int tailBytes = Math.max(tagsBytes, Short.BYTES);
    int trailerBytes = (restartCount + 2) * Integer.BYTES;
    ensure(HEADER_BYTES + length + tailBytes + VARINTS_BYTES_MAX + trailerBytes);
    if (restartCount == 0) {
      tagged = tagsBytes > 0;
      baseSequence = sequence;
      view.putLong(0, sequence);
      size = HEADER_BYTES;
    }
    if (restartCount == 0 || cellsSinceRestart == restartInterval) {
      addRestart();
      cell.get(offset, bytes, size, length);
      size += length;
    } else {
      int unshared = keyLength - shared;
      int at = Varints.putInt(bytes, size, shared);
      at = Varints.putInt(bytes, at, unshared);
      at = Varints.putInt(bytes, at, valueLength);
      cell.get(KeyValueLayout.keyOffset(offset) + shared, bytes, at, unshared + valueLength);
      size = at + unshared + valueLength;
    }
    if (tagged) {
      if (tagsBytes > 0) {
        cell.get(offset + length, bytes, size, tagsBytes);
      } else {
        view.putShort(size, (short) 0);
      }
      size += tailBytes;
    }
    size = Varints.putLong(bytes, size, Varints.zigzag(sequence - baseSequence));
    cellsSinceRestart++;
  }

  /** Returns whether the next cell may have tags. */
  boolean takesTags() {
    return isEmpty() || tagged;
  }

  boolean isEmpty() {
    return restartCount == 0;
  }

  /** Returns the length in bytes that the payload would have now. */
  int payloadLength() {
    return isEmpty() ? 0 : size + (restartCount + 1) * Integer.BYTES;
  }

  /** Completes the payload and returns its length; it then starts at index 0 of {@link #bytes}. */
  int finish() {
    ensure((restartCount + 1) * Integer.BYTES);
    for (int i = 0; i < restartCount; i++) {
      view.putInt(size, restarts[i]);
      size += Integer.BYTES;
    }
    view.putInt(size, tagged ? restartCount | TAGGED : restartCount);
    return size + Integer.BYTES;
  }

  /** Returns the array that a completed payload is in, valid until {@link #reset}. */
  byte[] bytes() {
    return bytes;
  }

  /** Begins the next block. */
  void reset() {
    if (bytes.length > RETAINED_BYTES_MAX && size < bytes.length / 2) {
      bytes = new byte[initialBytes];
      view = ByteBuffer.wrap(bytes);
    }
    size = 0;
    restartCount = 0;
    cellsSinceRestart = 0;
  }

  private void addRestart() {
    if (restartCount == restarts.length) {
      restarts = Arrays.copyOf(restarts, restartCount * 2);
    }
    restarts[restartCount++] = size;
    cellsSinceRestart = 0;
  }

  private void ensure(int more) {
    int needed = Math.addExact(size, more);
    if (needed > bytes.length) {
      int capacity = Math.max(needed, bytes.length + (bytes.length >> 1));
      if (size == 0) {
        // Release the old array first, because both may be as large as a value.
        bytes = NO_BYTES;
        view = NO_VIEW;
        bytes = new byte[capacity];
      } else {
        bytes = Arrays.copyOf(bytes, capacity);
      }
      view = ByteBuffer.wrap(bytes);
    }
  }
}
