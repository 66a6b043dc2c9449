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
  @ParameterizedTest
  @EnumSource(names = {"LZ4", "ZSTD"})
  void bytesThatWereNotCompressedAreNoError(Compression compression) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    ByteBuffer target = ByteBuffer.allocate(512);
    for (int round = 0; round < 5_000; round++) {
      byte[] stored = new byte[random.nextInt(200)];
      for (int i = 0; i < stored.length; i++) {
        stored[i] = (byte) random.nextInt();
      }
      assertThat(BlockDecompressor.decompress(compression, stored, stored.length, target))
          .isBetween(-1, target.limit());
    }
  }
}
