// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.accordiondb.CorruptionException;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes of an index block are searched or refused. */
class IndexBlockFuzzTest {
  static Stream<byte[]> sound() {
    return Stream.of(BlockFuzzTest.indexBlock());
  }

  @MethodSource("sound")
  @FuzzTest(maxDuration = "1m")
  void isSearchedOrRefused(byte[] bytes) {
    try {
      BlockFuzzTest.search(bytes, "row0000007");
    } catch (CorruptionException refused) {
      return;
    }
  }
}
