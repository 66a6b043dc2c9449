// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.retention.VersionRules;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A cell that takes the place of an equal one, which only differs in its tags. */
class ReplacedCellTest {
  @ParameterizedTest
  @EnumSource(Policy.class)
  void aReplacementWithATimeToLiveCountsAsAMarker(Policy policy) {
    MemStore store =
        new MemStore(
            new MemStoreOptions(MemStorePolicy.of(policy), VersionRules.DEFAULT, 1 << 20),
            new MemStoreEnvironment(
                Runnable::run,
                () -> 0,
                () -> Long.MAX_VALUE,
                new Random(1),
                new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 30),
                new MemoryBudget(1 << 28),
                MemStoreListener.NONE));
    for (byte[] tags : List.of(CellTags.NONE, CellTags.ofTtl(100))) {
      ModelCell cell = ModelCell.put("a", "q", 1, 0, "v");
      ByteBuffer bytes = ByteBuffer.allocate(200);
      bytes.put(0, cell.encode(), 0, cell.length());
      CellTags.write(bytes, cell.length(), tags);
      store.addTagged(bytes, 0, 1, 7);
    }
    try (MemStoreView view = store.view()) {
      long markers = view.sources().stream().mapToLong(CellSource::deleteMarkerCount).sum();
      assertThat(markers).isEqualTo(1);
    }
    store.close();
  }
}
