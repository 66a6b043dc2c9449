// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.CompactionFilter;
import io.accordiondb.CompactionFilter.Decision;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * A newer version of a column was deleted, so the older one is seen again. A replay of the log
 * compacts both in memory before it comes to the delete, and rules have changed since: neither may
 * hide the older one.
 */
class ReplayedRulesTest {
  private static final byte[] ROW = bytes("row");
  private static final byte[] FAMILY = bytes("f");
  private static final byte[] QUALIFIER = bytes("q");
  private static final CompactionFilter DROPS_NEW =
      cell -> cell.value().equals(ByteBuffer.wrap(bytes("new"))) ? Decision.DROP : Decision.KEEP;

  private final MemoryStorage disk = new MemoryStorage();
  private final AtomicLong now = new AtomicLong(1_000_000);
  private final DatabaseOptions options =
      DatabaseOptions.builder()
          .memoryBytes(64 << 20)
          .memStorePolicy(MemStorePolicy.of(Policy.EAGER))
          .compactionFilter("new", DROPS_NEW)
          .clock(() -> Instant.ofEpochMilli(now.get()))
          .build();

  private static FamilyDescriptor.Builder family() {
    return FamilyDescriptor.builder("f").maxVersions(2);
  }

  private static TableDescriptor table(FamilyDescriptor.Builder family) {
    return TableDescriptor.builder("t").family(family.build()).build();
  }

  private static Put put(long timestamp, String value) {
    return new Put(ROW).addColumn(FAMILY, QUALIFIER, timestamp, bytes(value));
  }

  /** Writes the older version, a newer one, many other rows, and the delete of the newer one. */
  private void write(Table table, Put newer) throws IOException {
    table.put(put(now.get() - 1, "old"));
    table.put(newer);
    for (int i = 0; i < 100_000; i++) {
      table.put(new Put(bytes("other" + i)).addColumn(FAMILY, QUALIFIER, new byte[100]));
    }
    table.delete(new Delete(ROW).addColumn(FAMILY, QUALIFIER, now.get()));
    assertOld(table);
  }

  private void assertOldAfterACrash(Database killed) throws IOException {
    assertOld(killed.table("t"));
    try (Database database = DatabaseEngine.open(disk.copy(), options)) {
      assertOld(database.table("t"));
    }
  }

  private static void assertOld(Table table) throws IOException {
    assertThat(table.get(new Get(ROW)).value(FAMILY, QUALIFIER)).isEqualTo(bytes("old"));
  }

  @Test
  void theNewerOneWouldHaveExpiredSince() throws IOException {
    try (Database killed = DatabaseEngine.open(disk, options)) {
      killed.createTable(table(family()));
      write(killed.table("t"), put(now.get(), "new").setTtlMillis(100));
      now.addAndGet(101);
      killed.keyValueStore("s").put(ROW, bytes("later"));
      killed.flush("s");
      assertOldAfterACrash(killed);
    }
  }

  @Test
  void aFilterDropsTheNewerOneSince() throws IOException {
    try (Database killed = DatabaseEngine.open(disk, options)) {
      killed.createTable(table(family()));
      write(killed.table("t"), put(now.get(), "new"));
      killed.alterTable(table(family().compactionFilter("new").filtersReads(true)));
      assertOldAfterACrash(killed);
    }
  }

  @Test
  void theFamilyKeepsFewerVersionsSince() throws IOException {
    try (Database killed = DatabaseEngine.open(disk, options)) {
      killed.createTable(table(family()));
      write(killed.table("t"), put(now.get(), "new"));
      killed.alterTable(table(family().maxVersions(1)));
      assertOldAfterACrash(killed);
    }
  }
}
