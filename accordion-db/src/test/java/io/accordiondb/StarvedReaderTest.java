// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static io.accordiondb.fixtures.JavaProcess.outputOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processes whose direct memory is too small for memory stores and caches together. */
@Tag("slow")
class StarvedReaderTest {
  @TempDir Path folder;

  @ParameterizedTest
  @Timeout(300)
  @CsvSource({
    "8, 4, 1, 1, false", // Memory takes all but what the cache and columns share then.
    "1, 7, 1, 8, false", // The cache takes nearly all before memory needs any.
    "2, 4, 3, 2, false", // Each database has a cache of its own.
    "4, 2, 1, 16, false", // Threads find no memory before the cache does.
    "1, 6, 1, 2, true", // Other code takes what the cache has given back.
  })
  void readsFlushesCompactionsAndClosingGoOnWhenCachesHaveTakenAllDirectMemory(
      int memoryMib, int cacheMib, int databases, int threads, boolean othersTakeTheRest)
      throws Exception {
    String output =
        outputOf(
            javaProcess(
                List.of("-Xmx48m", "-XX:MaxDirectMemorySize=8m"),
                StarvedReader.class,
                folder,
                memoryMib << 20,
                cacheMib << 20,
                databases,
                threads,
                10_000 / databases,
                othersTakeTheRest));
    assertThat(output).doesNotContain("OutOfMemoryError");
  }
}
