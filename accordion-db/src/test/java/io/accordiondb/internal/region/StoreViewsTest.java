// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.accordiondb.FamilyDescriptor;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.engine.OpenParts;
import io.accordiondb.internal.manifest.RegionRecord;
import io.accordiondb.internal.read.StoreView;
import io.accordiondb.memstore.MemStore;
import io.accordiondb.memstore.MemStoreEnvironment;
import io.accordiondb.memstore.MemStoreListener;
import io.accordiondb.memstore.MemStoreOptions;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.retention.CellExpiry;
import io.accordiondb.retention.RangeTombstones;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StoreViewsTest {
  private static final byte[] FAMILY = {'f'};
  private static final byte[] NOTHING = {};

  /** A filter whose reading side cannot be made. */
  private static final CellExpiry FAILING =
      new CellExpiry() {
        @Override
        public boolean isExpired(ByteBuffer buffer, int offset, long nowMillis) {
          return false;
        }

        @Override
        public String name() {
          return "failing";
        }

        @Override
        public @Nullable CellExpiry forReads() {
          throw new OutOfMemoryError("injected");
        }
      };

  private final MemoryBudget budget = new MemoryBudget(1 << 20);

  @Test
  void aViewThatCannotBeTakenHoldsNoMemory() {
    MemStore memory = memoryWithCell(FAILING);
    FileSet files = new FileSet(List.of(), RangeTombstones.NONE, () -> 0, () -> 1);
    FamilyDescriptor family = FamilyDescriptor.builder("f").build();
    StoreViews withoutFiles =
        new StoreViews(
            family,
            memory,
            null,
            () -> {
              throw new OutOfMemoryError("injected");
            });
    StoreViews views =
        new StoreViews(
            family,
            memory,
            null,
            () -> {
              assertThat(files.tryRetain()).isTrue();
              return files;
            });

    assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> withoutFiles.take(true));
    assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> views.take(true));

    memory.close();
    assertThat(budget.usedBytes()).isZero();
    files.release();
    assertThat(files.tryRetain()).isFalse();
  }

  @Test
  void aCellThatAFlushMovesWhileAViewIsTakenIsNotMissed() throws IOException {
    MemStore memory = memoryWithCell(null);
    FileSet files = new FileSet(List.of(), RangeTombstones.NONE, () -> 0, () -> 1);
    StoreViews views =
        new StoreViews(
            FamilyDescriptor.builder("f").build(),
            memory,
            null,
            () -> {
              // The flush ends now. If memory were looked at after this, it would be empty.
              memory.snapshot();
              memory.clearSnapshot();
              assertThat(files.tryRetain()).isTrue();
              return files;
            });

    try (StoreView view = views.take(true)) {
      assertThat(view.memory().sources()).anyMatch(source -> source.cellCount() == 1);
    }

    memory.close();
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void aFlushHasPutItsFileIntoTheStoreWhenItClearsMemory() throws IOException {
    OpenParts parts = new OpenParts();
    Store[] store = new Store[1];
    List<Long> seen = new ArrayList<>();
    MemStore memory =
        memoryWithCell(
            null,
            new MemStoreListener() {
              @Override
              public void onOldestSequence(long oldestSequence) {
                seen.add(cellsSeenIn(store[0]));
              }
            });
    StoreId id = parts.store().id();
    store[0] =
        new Store(
            id,
            "t",
            new RegionRecord(id.regionId(), 1, NOTHING, NOTHING),
            FamilyDescriptor.of("f"),
            memory,
            null,
            0,
            List.of(),
            RangeTombstones.NONE,
            () -> 1);

    parts.flusher.flush(store[0]);

    assertThat(seen).containsExactly(1L);
    store[0].close();
  }

  private static long cellsSeenIn(Store store) {
    try (StoreView view = store.view(false)) {
      return Stream.concat(view.memory().sources().stream(), view.tables().stream())
          .mapToLong(CellSource::cellCount)
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private MemStore memoryWithCell(@Nullable CellExpiry expiry) {
    return memoryWithCell(expiry, MemStoreListener.NONE);
  }

  private MemStore memoryWithCell(@Nullable CellExpiry expiry, MemStoreListener listener) {
    MemStore memory =
        new MemStore(
            new MemStoreOptions(
                MemStorePolicy.DEFAULT,
                VersionRules.DEFAULT,
                1 << 20,
                SegmentLayout.DEFAULT,
                null,
                expiry),
            new MemStoreEnvironment(
                Runnable::run,
                () -> 0,
                () -> 0,
                new Random(1),
                new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 20),
                budget,
                listener));
    ByteBuffer cell = ByteBuffer.allocate(100);
    KeyValueLayout.write(cell, 0, FAMILY, NOTHING, NOTHING, 1, CellType.PUT.code(), NOTHING);
    memory.add(cell, 0, 1, 1);
    return memory;
  }
}
