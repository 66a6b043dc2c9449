// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.Compression;
import java.io.IOException;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** Decompresses payloads. Pure functions, for any number of threads. */
final class BlockDecompressor {
  private static final LZ4SafeDecompressor LZ4 = LZ4Factory.fastestInstance().safeDecompressor();

  private BlockDecompressor() {}

  /**
   * Decompresses the first bytes of a buffer so that they fill a range of another one.
   *
   * @param stored direct memory or, as {@code target}, a buffer whose array begins at its index 0
   * @return the number of decompressed bytes, or -1 if the bytes are not compressed data or the
   *     result would exceed the range
   * @throws IOException if the compression cannot be used on this machine
   */
  static int decompress(
      Compression compression,
      ByteBuffer stored,
      int storedLength,
      ByteBuffer target,
      int start,
      int length)
      throws IOException {
    return switch (compression) {
      case NONE -> throw new IllegalArgumentException("the payload is not compressed");
      case LZ4 -> lz4(stored, storedLength, target, start, length);
      case ZSTD -> zstd(stored, storedLength, target, start, length);
    };
  }

  /** Returns the exception for a process that lacks zstd-jni or cannot load its native library. */
  static IOException zstdUnavailable(LinkageError cause) {
    return new IOException(
        "ZSTD compression needs zstd-jni, which is missing, or whose native library does not load on "
            + System.getProperty("os.name")
            + " "
            + System.getProperty("os.arch")
            + ", or java.io.tmpdir ("
            + System.getProperty("java.io.tmpdir")
            + ") is missing or cannot hold an executable library",
        cause);
  }

  private static int lz4(
      ByteBuffer stored, int storedLength, ByteBuffer target, int start, int length) {
    try {
      return LZ4.decompress(stored, 0, storedLength, target, start, length);
    } catch (LZ4Exception e) {
      return -1;
    }
  }

  private static int zstd(
      ByteBuffer stored, int storedLength, ByteBuffer target, int start, int length)
      throws IOException {
    try {
      return ZstdCodec.decompress(stored, storedLength, target, start, length);
    } catch (LinkageError e) {
      throw zstdUnavailable(e);
    }
  }
}
