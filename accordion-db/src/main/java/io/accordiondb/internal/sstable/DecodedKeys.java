// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import java.util.Arrays;

/**
 * The decoded keys of a block from a restart point on. Each key depends on the one before, so a
 * cursor that moves downwards keeps the keys instead of decoding all of them for each step. Belongs
 * to one thread.
 */
final class DecodedKeys {
  private static final int KEYS_MIN = 16;

  /** The keys, each as a cell without a value. */
  private byte[] bytes = new byte[1024];

  private int[] starts = new int[KEYS_MIN];
  private int[] valuesAt = new int[KEYS_MIN];
  private int[] ends = new int[KEYS_MIN];
  private long[] sequences = new long[KEYS_MIN];
  private int count;
  private int used;

  private int nextRestart;
  private int nextRestartOffset;

  /** The last result of {@link #countBefore}, near which the next one usually is. */
  private int lastBefore;

  /**
   * Forgets all keys. Those to be added start at a restart point.
   *
   * @param next the number of the restart point after it
   * @param nextOffset the offset of that one in the block, or of the end of the cells
   */
  void start(int next, int nextOffset) {
    clear();
    nextRestart = next;
    nextRestartOffset = nextOffset;
  }

  /** Forgets all keys. */
  void clear() {
    count = 0;
    used = 0;
    lastBefore = 0;
  }

  /** Returns the bytes of memory for keys. */
  int capacity() {
    return bytes.length + starts.length * (3 * Integer.BYTES + Long.BYTES);
  }

  /**
   * Adds the key of the next cell.
   *
   * @param cell holds the cell's lengths and key
   * @param length of both
   * @param valueAt offset of its value in the block
   * @param end offset of the end of its entry in the block
   */
  void add(byte[] cell, int offset, int length, int valueAt, int end, long sequence) {
    if (count == starts.length) {
      valuesAt = Arrays.copyOf(valuesAt, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
      sequences = Arrays.copyOf(sequences, 2 * count);
      // The last one, because its length tells whether there is room.
      starts = Arrays.copyOf(starts, 2 * count);
    }
    if (length > bytes.length - used) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, used + length));
    }
    System.arraycopy(cell, offset, bytes, used, length);
    starts[count] = used;
    valuesAt[count] = valueAt;
    ends[count] = end;
    sequences[count] = sequence;
    count++;
    used += length;
  }

  int count() {
    return count;
  }

  /** Returns how many of the keys are before a key. */
  int countBefore(LookupKey key) {
    int before = lastBefore;
    while (before < count && isBefore(before, key)) {
      before++;
    }
    while (before > 0 && !isBefore(before - 1, key)) {
      before--;
    }
    lastBefore = before;
    return before;
  }

  /** Returns whether the entry of the key at an index ends at an offset. */
  boolean isAt(int index, int end) {
    return index < count && ends[index] == end;
  }

  /**
   * Returns whether the key at an index is known to be the first of its row. Never in a damaged
   * block where the row before is higher, so that a walk downwards ends.
   */
  boolean startsRow(int index) {
    return index > 0 && ArrayCells.compareRows(bytes, starts[index - 1], bytes, starts[index]) < 0;
  }

  private boolean isBefore(int index, LookupKey key) {
    return ArrayCells.compareKeys(bytes, starts[index], key.bytes(), key.offset()) < 0;
  }

  /** Returns the number of the restart point after the one of the first key. */
  int nextRestart() {
    return nextRestart;
  }

  /** Returns the number of the restart point after a key, whose entry ends at an offset. */
  int nextRestart(int end) {
    return end <= nextRestartOffset ? nextRestart : nextRestart + 1;
  }

  byte[] bytes() {
    return bytes;
  }

  int start(int index) {
    return starts[index];
  }

  int valueAt(int index) {
    return valuesAt[index];
  }

  int end(int index) {
    return ends[index];
  }

  long sequence(int index) {
    return sequences[index];
  }
}
