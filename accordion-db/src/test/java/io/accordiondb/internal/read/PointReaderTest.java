// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.memstore.MemStore;
import io.accordiondb.memstore.MemStoreEnvironment;
import io.accordiondb.memstore.MemStoreListener;
import io.accordiondb.memstore.MemStoreOptions;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.MemStoreView;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PointReaderTest {
  private static final byte[] FAMILY = bytes("f");
  private static final byte[] ROW = bytes("row");
  private static final byte[] QUALIFIER = bytes("q");

  private final MemStore memory =
      new MemStore(
          new MemStoreOptions(MemStorePolicy.DEFAULT, VersionRules.DEFAULT, 1 << 20),
          new MemStoreEnvironment(
              task -> {},
              () -> 0,
              () -> 0,
              new Random(1),
              new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 20),
              new MemoryBudget(1 << 20),
              MemStoreListener.NONE));

  @AfterEach
  void close() {
    memory.close();
  }

  private void add(CellType type, long sequence) {
    ByteBuffer cell = ByteBuffer.allocate(100);
    KeyValueLayout.write(cell, 0, ROW, bytes(""), QUALIFIER, 5, type.code(), bytes(""));
    memory.add(cell, 0, 1, sequence);
  }

  /** A large batch may come into memory behind writes that were numbered later. */
  @Test
  void aYoungMarkerBehindAnOldOneOfTheSameTimestampHides() throws IOException {
    add(CellType.DELETE_COLUMN, 2);
    add(CellType.DELETE, 20);
    memory.flushInMemory();
    add(CellType.PUT, 10);
    try (MemStoreView cells = memory.view();
        StoreView view =
            new StoreView(
                new FamilyRules(FAMILY, VersionRules.DEFAULT),
                cells,
                SortedTables.of(0, List.of()),
                cells.deletedRanges(),
                null,
                null,
                null,
                () -> {});
        PointReader reader = PointReader.take()) {
      assertThat(reader.find(view, ROW, QUALIFIER, 20, 6, true))
          .isEqualTo(PointReader.Outcome.MUST_MERGE);
    }
  }
}
