// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.Compression;
import java.io.Closeable;
import java.io.IOException;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import org.jspecify.annotations.Nullable;

/**
 * Compresses payloads one after another. Belongs to one thread and reuses its memory; {@link
 * #close} frees the native memory of ZSTD.
 *
 * <p>If payloads do not compress, it tries only some of them: after each failure it skips twice as
 * many, up to {@value #PASSED_OVER_MAX}.
 */
final class BlockCompressor implements Closeable {
  private static final int PASSED_OVER_MAX = 15;

  private final @Nullable LZ4Compressor lz4;
  private final @Nullable ZstdCodec zstd;
  private byte[] compressed = new byte[0];

  /** The number of payloads to skip after the next failure, and now. */
  private int passingOver;

  private int toPassOver;

  BlockCompressor(Compression compression) throws IOException {
    lz4 = compression == Compression.LZ4 ? LZ4Factory.fastestInstance().fastCompressor() : null;
    zstd = compression == Compression.ZSTD ? newZstd() : null;
  }

  /**
   * Compresses a payload that begins at index 0, into {@link #compressed}.
   *
   * @return the compressed length, or -1 if that would save less than one byte in eight or was not
   *     tried
   */
  int compress(byte[] payload, int length) {
    if (toPassOver > 0) {
      toPassOver--;
      return -1;
    }
    int compressedLength = tryCompress(payload, length);
    if (compressedLength >= 0) {
      passingOver = 0;
    } else {
      toPassOver = passingOver;
      passingOver = Math.min(2 * passingOver + 1, PASSED_OVER_MAX);
    }
    return compressedLength;
  }

  private int tryCompress(byte[] payload, int length) {
    int compressedLength;
    if (lz4 != null) {
      ensure(lz4.maxCompressedLength(length));
      compressedLength = lz4.compress(payload, 0, length, compressed, 0, compressed.length);
    } else if (zstd != null) {
      ensure(ZstdCodec.bytesMax(length));
      compressedLength = zstd.compress(payload, length, compressed);
    } else {
      return -1;
    }
    return compressedLength <= length - length / 8 ? compressedLength : -1;
  }

  /** Returns the array that the last compressed payload is in, from index 0. */
  byte[] compressed() {
    return compressed;
  }

  @Override
  public void close() {
    if (zstd != null) {
      zstd.close();
    }
  }

  private void ensure(int length) {
    if (compressed.length < length) {
      compressed = new byte[length];
    }
  }

  private static ZstdCodec newZstd() throws IOException {
    try {
      return new ZstdCodec();
    } catch (LinkageError e) {
      throw BlockDecompressor.zstdUnavailable(e);
    }
  }
}
