// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Builds the payloads of index blocks one after another. Belongs to one thread and reuses its
 * memory.
 *
 * <pre>
 *   payload = { entry } { entry offset (4) } entry count (4)
 *   entry   = cell in KeyValue layout: a separator key, and a block handle (12) as its value
 * </pre>
 *
 * A separator is at or after every cell of the block that its handle names, and before every cell
 * of the next block. {@link IndexBlock} reads what this class writes.
 */
final class IndexBlockBuilder {
  private byte[] bytes = new byte[4096];
  private ByteBuffer view = ByteBuffer.wrap(bytes);
  private int size;
  private int[] offsets = new int[64];
  private int count;

  /** Appends an entry. */
  void add(Separator separator, BlockHandle handle) {
    int valueOffset = KeyValueLayout.valueOffset(separator.cell(), 0);
    ensure(valueOffset + BlockHandle.BYTES);
    if (count == offsets.length) {
      offsets = Arrays.copyOf(offsets, count * 2);
    }
    offsets[count++] = size;
    separator.cell().get(0, bytes, size, valueOffset);
    view.putInt(size + Integer.BYTES, BlockHandle.BYTES);
    handle.write(view, size + valueOffset);
    size += valueOffset + BlockHandle.BYTES;
  }

  int count() {
    return count;
  }

  /** Returns the length in bytes that the payload would have now. */
  int payloadLength() {
    return size + (count + 1) * Integer.BYTES;
  }

  /** Completes the payload and returns its length; it then starts at index 0 of {@link #bytes}. */
  int finish() {
    ensure((count + 1) * Integer.BYTES);
    for (int i = 0; i < count; i++) {
      view.putInt(size, offsets[i]);
      size += Integer.BYTES;
    }
    view.putInt(size, count);
    return size + Integer.BYTES;
  }

  /** Returns the array that a completed payload is in, valid until {@link #reset}. */
  byte[] bytes() {
    return bytes;
  }

  /** Begins the next block. */
  void reset() {
    size = 0;
    count = 0;
  }

  private void ensure(int more) {
    int needed = Math.addExact(size, more);
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length + (bytes.length >> 1)));
      view = ByteBuffer.wrap(bytes);
    }
  }
}
