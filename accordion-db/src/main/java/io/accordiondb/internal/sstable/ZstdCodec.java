// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.Closeable;
import java.nio.ByteBuffer;

/**
 * Compresses and decompresses by ZSTD. No other class names those of zstd-jni, so a process that
 * does not use ZSTD need not have that library; without it, the first use of this class throws a
 * {@link LinkageError}. An object belongs to one thread; {@link #close} frees its native memory.
 */
final class ZstdCodec implements Closeable {
  private static final int LEVEL = 3;

  private final ZstdCompressCtx context = new ZstdCompressCtx();

  ZstdCodec() {
    context.setLevel(LEVEL);
  }

  /** Returns the most bytes that a payload can have when it is compressed. */
  static int bytesMax(int length) {
    return Math.toIntExact(Zstd.compressBound(length));
  }

  /** Compresses a payload from index 0 of an array to index 0 of another; returns its length. */
  int compress(byte[] payload, int length, byte[] compressed) {
    return context.compressByteArray(compressed, 0, compressed.length, payload, 0, length);
  }

  /** Decompresses as {@link BlockDecompressor#decompress} does. */
  static int decompress(
      ByteBuffer stored, int storedLength, ByteBuffer target, int start, int length) {
    try (ZstdDecompressCtx context = new ZstdDecompressCtx()) {
      if (target.isDirect()) {
        return stored.isDirect()
            ? context.decompressDirectByteBuffer(target, start, length, stored, 0, storedLength)
            : context.decompressByteArrayToDirectByteBuffer(
                target, start, length, stored.array(), 0, storedLength);
      }
      return stored.isDirect()
          ? context.decompressDirectByteBufferToByteArray(
              target.array(), start, length, stored, 0, storedLength)
          : context.decompressByteArray(
              target.array(), start, length, stored.array(), 0, storedLength);
    } catch (ZstdException e) {
      return -1;
    }
  }

  @Override
  public void close() {
    context.close();
  }
}
