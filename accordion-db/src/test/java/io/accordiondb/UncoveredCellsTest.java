// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.retention.KeepDeletedCells;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cells that come to light, or stay, where markers, expiry, ranges and merges meet. */
class UncoveredCellsTest {
  private static final byte[] ROW = bytes("row");
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");

  private final AtomicLong now = new AtomicLong(1_000_000);

  private Database open() throws IOException {
    return DatabaseEngine.open(
        new MemoryStorage(),
        DatabaseOptions.builder()
            .memoryBytes(4 << 20)
            .compactionFilter(
                "x",
                cell ->
                    cell.value().get(0) == 'x' && cell.nowMillis() > 1_000_050
                        ? CompactionFilter.Decision.DROP
                        : CompactionFilter.Decision.KEEP)
            .clock(() -> Instant.ofEpochMilli(now.get()))
            .build());
  }

  private static byte[] value(Table table) throws IOException {
    return table.get(new Get(ROW).addColumn(F, Q)).value(F, Q);
  }

  @ParameterizedTest
  @EnumSource(CellMemory.class)
  void aPutAfterADeletedRangeOutlivesAnInMemoryFlush(CellMemory cells) throws IOException {
    try (Database database = open()) {
      IndexKind index = cells == CellMemory.OBJECTS ? IndexKind.ARRAY : IndexKind.CHUNK;
      database.createTable(
          TableDescriptor.builder("t")
              .family(
                  FamilyDescriptor.builder("f")
                      .mergeOperator("append")
                      .memStorePolicy(MemStorePolicy.of(Policy.EAGER))
                      .segmentLayout(SegmentLayout.of(cells, index))
                      .build())
              .build());
      Table table = database.table("t");
      database.write(
          new WriteBatch()
              .merge("t", new Merge(ROW).addColumn(F, Q, bytes("old")))
              .deleteRange("t", new DeleteRange(new byte[0], new byte[0]))
              .put("t", new Put(ROW).addColumn(F, Q, bytes("new"))));
      assertThat(value(table)).isEqualTo(bytes("new"));
      database.flushInMemory("t");
      await(
          "the active segment is flattened",
          database::statistics,
          now -> now.memory().inMemoryFlushes() > 0);
      assertThat(value(table)).isEqualTo(bytes("new"));
      database.flush();
      assertThat(value(table)).isEqualTo(bytes("new"));
    }
  }

  @Test
  void whatTheDeleteOfAnExpiredVersionUncoversOutlivesACompaction() throws IOException {
    FamilyDescriptor family = FamilyDescriptor.builder("f").maxVersions(3).build();
    outlivesACompaction(family, new Put(ROW).addColumn(F, Q, bytes("new")).setTtlMillis(100));
  }

  @Test
  void whatTheDeleteOfAFilteredVersionUncoversOutlivesACompaction() throws IOException {
    FamilyDescriptor family =
        FamilyDescriptor.builder("f")
            .maxVersions(3)
            .compactionFilter("x")
            .filtersReads(true)
            .build();
    outlivesACompaction(family, new Put(ROW).addColumn(F, Q, bytes("xnew")));
  }

  private void outlivesACompaction(FamilyDescriptor family, Put expiring) throws IOException {
    try (Database database = open()) {
      database.createTable(TableDescriptor.builder("t").family(family).build());
      Table table = database.table("t");
      table.put(new Put(ROW).addColumn(F, Q, bytes("old")));
      now.addAndGet(10);
      table.put(expiring);
      database.flush();
      now.addAndGet(10);
      table.delete(new Delete(ROW).addColumn(F, Q));
      assertThat(value(table)).isEqualTo(bytes("old"));
      now.addAndGet(200);
      assertThat(value(table)).isEqualTo(bytes("old"));
      database.majorCompact("t");
      assertThat(value(table)).isEqualTo(bytes("old"));
    }
  }

  @Test
  void noOlderValueComesBackInAFamilyThatKeepsDeletedCells() throws IOException {
    try (Database database = open()) {
      FamilyDescriptor family = FamilyDescriptor.builder("f").maxVersions(3).build();
      database.createTable(TableDescriptor.builder("t").family(family).build());
      Table table = database.table("t");
      table.put(new Put(ROW).addColumn(F, Q, 10, bytes("old")));
      table.put(new Put(ROW).addColumn(F, Q, now.get(), bytes("new")).setTtlMillis(100));
      database.alterTable(
          TableDescriptor.builder("t")
              .family(family.toBuilder().keepDeletedCells(KeepDeletedCells.TRUE).build())
              .build());
      Get past = new Get(ROW).addColumn(F, Q).setTimeRange(0, now.get() + 1);
      assertThat(table.get(past).value(F, Q)).isEqualTo(bytes("new"));
      now.addAndGet(50);
      table.delete(new Delete(ROW).addColumns(F, Q));
      assertThat(table.get(past).value(F, Q)).isEqualTo(bytes("new"));
      now.addAndGet(100);
      assertThat(table.get(past).value(F, Q)).isNull();
    }
  }
}
