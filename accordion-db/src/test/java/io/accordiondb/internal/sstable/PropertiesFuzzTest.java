// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.CorruptionException;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes of a table's properties are read or refused. */
class PropertiesFuzzTest {
  private static final long FILE_BYTES = 10_000;

  static Stream<byte[]> sound() throws IOException {
    SortedTableProperties properties =
        Tables.write(
            new BytesStorage(),
            Tables.options(4096, Compression.NONE, BloomKind.ROW),
            Tables.grid(10, 2, 3));
    return Stream.of(PropertiesCodec.write(properties));
  }

  @MethodSource("sound")
  @FuzzTest(maxDuration = "1m")
  void areReadOrRefused(byte[] bytes) {
    try {
      PropertiesCodec.read(BlockFuzzTest.block(bytes), Tables.NUMBER, FILE_BYTES);
    } catch (CorruptionException refused) {
      return;
    }
  }
}
