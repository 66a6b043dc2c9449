// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
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
   * Decompresses the first bytes of {@code stored} so that they fill {@code target}, from 0 to its
   * limit in the array that backs it.
   *
   * @return the number of bytes that came out, or -1 if the bytes are no compressed ones or more
   *     would come out than {@code target} holds
   * @throws IOException if the compression cannot be used on this machine
   */
  static int decompress(Compression compression, byte[] stored, int length, ByteBuffer target)
      throws IOException {
    return switch (compression) {
      case NONE -> throw new IllegalArgumentException("the payload is not compressed");
      case LZ4 -> lz4(stored, length, target);
      case ZSTD -> zstd(stored, length, target);
    };
  }

  /** Returns the exception for a machine on which zstd-jni has no native library that loads. */
  static IOException zstdUnavailable(LinkageError cause) {
    return new IOException(
        "ZSTD compression needs the native library of zstd-jni, which does not load on "
            + System.getProperty("os.name")
            + " "
            + System.getProperty("os.arch"),
        cause);
  }

  private static int lz4(byte[] stored, int length, ByteBuffer target) {
    try {
      return LZ4.decompress(stored, 0, length, target.array(), 0, target.limit());
    } catch (LZ4Exception e) {
      return -1;
    }
  }

  private static int zstd(byte[] stored, int length, ByteBuffer target) throws IOException {
    try {
      long result = Zstd.decompressByteArray(target.array(), 0, target.limit(), stored, 0, length);
      return Zstd.isError(result) ? -1 : (int) result;
    } catch (ZstdException e) {
      return -1;
    } catch (LinkageError e) {
      throw zstdUnavailable(e);
    }
  }
}
