// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.accordiondb.CorruptionException;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes of a block of cells are walked over, from wherever, or refused. */
class CellBlockFuzzTest {
  static Stream<byte[]> sound() {
    return Stream.of(BlockFuzzTest.cellBlock(), BlockFuzzTest.taggedCellBlock());
  }

  @MethodSource("sound")
  @FuzzTest(maxDuration = "1m")
  void isReadOrRefused(byte[] bytes) {
    for (int way = 0; way < 4; way++) {
      try {
        BlockFuzzTest.walk(bytes, way, "row0000007");
      } catch (CorruptionException refused) {
        continue;
      }
    }
  }
}
