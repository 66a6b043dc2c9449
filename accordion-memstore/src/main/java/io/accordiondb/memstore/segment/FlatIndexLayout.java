// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import java.nio.ByteBuffer;

/**
 * The entries of a serialised index, which lie in a chunk one after another: eight bytes of key
 * prefix and four bytes of reference to the cell's record (section 3.4 of the paper, Figure 4b).
 */
final class FlatIndexLayout {
  static final int ENTRY_BYTES = Long.BYTES + Integer.BYTES;

  private FlatIndexLayout() {}

  static void write(ByteBuffer chunk, int position, long prefix, int reference) {
    chunk.putLong(position, prefix);
    chunk.putInt(position + Long.BYTES, reference);
  }

  static long prefix(ByteBuffer chunk, int position) {
    return chunk.getLong(position);
  }

  static int reference(ByteBuffer chunk, int position) {
    return chunk.getInt(position + Long.BYTES);
  }
}
