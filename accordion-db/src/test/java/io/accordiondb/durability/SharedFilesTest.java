// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.engine.StorageOperations;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.ObservedStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Files that regions and tables share are there as long as they are read. */
class SharedFilesTest extends OneTable {
  @Test
  void aScannerReadsOnAfterItsRegionIsSplitAndRewritten() throws IOException {
    try (Database database = open(disk, options().openFilesMax(1).blockCacheBytes(0))) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      for (int i = 100; i < 400; i++) {
        put(database, "t", "row" + i, "v".repeat(1000));
      }
      database.flush();
      int rows = 0;
      try (ResultScanner scanner = database.table("t").scan(new Scan())) {
        while (rows < 10) {
          assertThat(scanner.next()).isNotNull();
          rows++;
        }
        assertThat(database.splitRegion("t", bytes("row250"))).isTrue();
        database.majorCompact("t");
        assertThat(get(database, "t", "row399")).isNotNull();
        assertThat(get(database, "t", "row101")).isNotNull();
        while (scanner.next() != null) {
          rows++;
        }
      }
      assertThat(rows).isEqualTo(300);
    }
  }

  @Test
  void aScannerReadsOnAfterACopyIsDropped() throws IOException {
    try (Database database = open(disk, options().openFilesMax(1).blockCacheBytes(0))) {
      TableDescriptor t = TableDescriptor.builder("t").family(manual()).build();
      database.createTable(t);
      for (int i = 100; i < 400; i++) {
        put(database, "t", "row" + i, "v".repeat(1000));
      }
      database.flush();
      database.copyTable("t", TableDescriptor.builder("u").family(manual()).build());
      int rows = 0;
      try (ResultScanner scanner = database.table("t").scan(new Scan())) {
        while (rows < 10) {
          assertThat(scanner.next()).isNotNull();
          rows++;
        }
        database.majorCompact("t");
        database.dropTable("u");
        assertThat(get(database, "t", "row399")).isNotNull();
        while (scanner.next() != null) {
          rows++;
        }
      }
      assertThat(rows).isEqualTo(300);
    }
  }

  @Test
  void aCheckpointLinksFilesThatASplitShares() throws IOException {
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      for (int i = 100; i < 400; i++) {
        put(database, "t", "row" + i, "v");
      }
      database.flush();
      MemoryStorage memory = new MemoryStorage();
      AtomicBoolean isSplit = new AtomicBoolean();
      Storage target =
          new ObservedStorage(
              memory,
              () -> {
                if (memory.isDirectory("sst") && !isSplit.getAndSet(true)) {
                  split(database);
                }
              });
      StorageOperations.checkpoint(database, target);
      assertThat(isSplit).isTrue();
    }
  }

  private static void split(Database database) {
    try {
      assertThat(database.splitRegion("t", bytes("row250"))).isTrue();
      database.majorCompact("t");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
