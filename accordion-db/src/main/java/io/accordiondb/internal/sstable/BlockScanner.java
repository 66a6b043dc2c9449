// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.internal.storage.StorageReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Finds the ends of blocks in a file whose index is damaged. From the beginning of a block, its end
 * is the first place where a valid checksum of all bytes before it follows a plausible compression
 * and length. Belongs to one thread.
 */
final class BlockScanner {
  private static final int WINDOW_STEP = 64 << 10;
  private static final int TRAILER_BYTES = SortedTableFormat.BLOCK_TRAILER_BYTES;

  /** Bytes of a trailer that its checksum covers. */
  private static final int COVERED_TRAILER_BYTES = TRAILER_BYTES - Integer.BYTES;

  private final StorageReader file;

  BlockScanner(StorageReader file) {
    this.file = file;
  }

  /**
   * Returns the block that begins at an offset.
   *
   * @param limit the highest offset at which the block may end
   * @return null if none does
   */
  @Nullable BlockHandle find(long from, long limit) throws IOException {
    long end = Math.min(limit, from + SortedTableFormat.PAYLOAD_BYTES_MAX + TRAILER_BYTES);
    CRC32C crc = new CRC32C();
    byte[] window = new byte[WINDOW_STEP + TRAILER_BYTES - 1];
    ByteBuffer bytes = ByteBuffer.wrap(window);
    for (long base = from; base + TRAILER_BYTES <= end; base += WINDOW_STEP) {
      bytes.clear().limit((int) Math.min(window.length, end - base));
      file.readFully(bytes, base);
      if (base == from) {
        crc.update(window, 0, COVERED_TRAILER_BYTES - 1);
      }
      for (int i = 0; i + TRAILER_BYTES <= bytes.limit(); i++) {
        int crcAt = i + COVERED_TRAILER_BYTES;
        crc.update(window[crcAt - 1]);
        int length = (int) (base - from) + i;
        if (SortedTableFormat.mask(crc) == bytes.getInt(crcAt) && isTrailer(bytes, i, length)) {
          return new BlockHandle(from, length);
        }
      }
    }
    return null;
  }

  /** Returns whether the bytes after a payload may be the beginning of its trailer. */
  private static boolean isTrailer(ByteBuffer bytes, int at, int length) {
    int compression = bytes.get(at);
    int uncompressed = bytes.getInt(at + 1);
    return compression == 0
        ? uncompressed == length
        : compression > 0
            && compression <= SortedTableFormat.COMPRESSION_ID_MAX
            && uncompressed >= 0
            && uncompressed <= SortedTableFormat.PAYLOAD_BYTES_MAX;
  }
}
