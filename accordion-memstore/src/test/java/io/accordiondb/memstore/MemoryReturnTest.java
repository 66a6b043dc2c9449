// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every chunk comes back after many writes, in-memory flushes and disk flushes under scanners. */
@Tag("slow")
class MemoryReturnTest {
  private static final int ROWS = 25_000;
  private static final long OPERATIONS = 100_000;

  @ParameterizedTest
  @CsvSource({
    "BASIC, OFF_HEAP_CHUNKS, CHUNK",
    "AUTO, OFF_HEAP_CHUNKS, CHUNK",
    "EAGER, HEAP_CHUNKS, CHUNK",
    "ADAPTIVE, HEAP_CHUNKS, ARRAY",
    "ADAPTIVE, OBJECTS, ARRAY"
  })
  @Timeout(120)
  void allChunksComeBack(Policy policy, CellMemory cells, IndexKind index) throws Exception {
    new MemStoreLoad(policy, SegmentLayout.of(cells, index), ROWS, OPERATIONS).run();
  }
}
