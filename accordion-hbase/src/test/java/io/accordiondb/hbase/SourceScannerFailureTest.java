// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.memstore.MemStore;
import io.accordiondb.memstore.MemStoreEnvironment;
import io.accordiondb.memstore.MemStoreListener;
import io.accordiondb.memstore.MemStoreOptions;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.retention.VersionRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

/** Scanners while the process has no memory left. */
class SourceScannerFailureTest {
  private final ChunkPool pool = new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 20);
  private final MemStore store =
      new MemStore(
          new MemStoreOptions(MemStorePolicy.of(Policy.BASIC), VersionRules.DEFAULT, 1 << 20),
          new MemStoreEnvironment(
              task -> {},
              () -> 0,
              () -> 0,
              new Random(1),
              pool,
              new MemoryBudget(1 << 20),
              MemStoreListener.NONE));

  /** Returns a source with cells, for whose cursor there is no memory. */
  private static CellSource starved() {
    CellSource source = Mockito.mock(CellSource.class);
    Mockito.when(source.cellCount()).thenReturn(1L);
    Mockito.when(source.cursor()).thenThrow(new OutOfMemoryError("planned"));
    return source;
  }

  @Test
  void scannersThatCannotBeMadeHoldNoMemory() {
    CellBatch.ofThread()
        .addTo(
            store,
            List.<Cell>of(MemStoreFixture.cell("a", "q", 1, 1, "v")).iterator(),
            new RegionAccess(null));
    assertThat(pool.chunksInUse()).isPositive();
    SharedView view = new SharedView(store, null);
    List<CellSource> sources = new ArrayList<>(view.sources());
    sources.add(starved());
    assertThatThrownBy(() -> SourceScanner.ofEach(sources, 1, view))
        .isInstanceOf(OutOfMemoryError.class);
    view.release();
    store.close();
    assertThat(pool.chunksInUse()).isZero();
  }
}
