// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Compression;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BlockDecompressorTest {
  private static final ByteBuffer DIRECT = ByteBuffer.allocateDirect(200);

  @ParameterizedTest
  @EnumSource(names = {"LZ4", "ZSTD"})
  void bytesThatWereNotCompressedAreNoError(Compression compression) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 5_000; round++) {
      byte[] stored = new byte[random.nextInt(200)];
      for (int i = 0; i < stored.length; i++) {
        stored[i] = (byte) random.nextInt();
      }
      ByteBuffer source = random.nextBoolean() ? ByteBuffer.allocate(200) : DIRECT;
      source.put(0, stored);
      ByteBuffer target =
          random.nextBoolean() ? ByteBuffer.allocate(600) : ByteBuffer.allocateDirect(600);
      int found = BlockDecompressor.decompress(compression, source, stored.length, target, 44, 512);
      assertThat(found).isBetween(-1, 512);
      assertThat(target.getLong(0)).isZero();
      assertThat(target.getLong(44 + 512)).isZero();
    }
  }
}
