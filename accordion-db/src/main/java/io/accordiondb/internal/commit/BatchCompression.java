// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * The format of a compressed batch in the log: the ones' complement of its uncompressed length,
 * then a block of LZ4. The first number is negative, while a plain batch has the number of its
 * groups there. Pure functions.
 */
final class BatchCompression {
  /** Smaller batches are not compressed. */
  private static final int BYTES_MIN = 256;

  /** No LZ4 block holds more than this multiple of its own length. */
  private static final int RATIO_MAX = 255;

  private BatchCompression() {}

  /** Returns a batch compressed; the batch itself unless that saves one byte in eight. */
  static ByteBuffer compress(ByteBuffer batch) {
    int bytes = batch.limit();
    if (bytes < BYTES_MIN) {
      return batch;
    }
    ByteBuffer target =
        ByteBuffer.allocate(Integer.BYTES + Lz4.COMPRESSOR.maxCompressedLength(bytes));
    int compressed =
        Lz4.COMPRESSOR.compress(
            batch.array(),
            batch.arrayOffset(),
            bytes,
            target.array(),
            Integer.BYTES,
            target.capacity() - Integer.BYTES);
    if (compressed > bytes - bytes / 8) {
      return batch;
    }
    return target.putInt(0, ~bytes).limit(Integer.BYTES + compressed);
  }

  /** Returns whether a batch is in the form that {@link #compress} gives it. */
  static boolean isCompressed(ByteBuffer logged) {
    return logged.limit() >= Integer.BYTES && logged.getInt(0) < 0;
  }

  /** Returns a batch that was read from the log, decompressed if it is compressed. */
  static ByteBuffer decompress(ByteBuffer logged) throws MalformedBatchException {
    if (!isCompressed(logged)) {
      return logged;
    }
    int bytes = ~logged.getInt(0);
    int compressed = logged.limit() - Integer.BYTES;
    if (bytes > (long) compressed * RATIO_MAX) {
      throw new MalformedBatchException(0, "bytes of a compressed batch", bytes, compressed);
    }
    ByteBuffer batch = ByteBuffer.allocate(bytes);
    int found;
    try {
      found =
          Lz4.DECOMPRESSOR.decompress(
              logged.array(),
              logged.arrayOffset() + Integer.BYTES,
              compressed,
              batch.array(),
              0,
              bytes);
    } catch (LZ4Exception e) {
      found = -1;
    }
    if (found != bytes) {
      throw new MalformedBatchException(Integer.BYTES, "decompressed bytes", found, bytes);
    }
    return batch;
  }

  /**
   * Loads the native library, under a lock of it. This pins a virtual thread, which may hold the
   * lock of the log, so it must not happen for batches that are not compressed.
   */
  private static final class Lz4 {
    static final LZ4Compressor COMPRESSOR = LZ4Factory.fastestInstance().fastCompressor();
    static final LZ4SafeDecompressor DECOMPRESSOR = LZ4Factory.fastestInstance().safeDecompressor();

    private Lz4() {}
  }
}
