// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class OpenStoresTest extends MemStoreFixture {
  /** A server may open regions of any number of tables that live for a short time. */
  @Test
  void ofManyClosedTablesOnlyTheSumsStay() {
    long flushes = OpenStores.figures().inMemoryFlushes();
    openAndClose("first", 1000);
    assertThat(OpenStores.figuresByTable()).containsKey("first");
    for (int i = 0; i < OpenStores.CLOSED_TABLES_MAX; i++) {
      openAndClose("table" + i, 0);
    }
    assertThat(OpenStores.figuresByTable())
        .containsKeys("table0", "table" + (OpenStores.CLOSED_TABLES_MAX - 1))
        .doesNotContainKey("first");
    assertThat(OpenStores.figures().inMemoryFlushes()).isGreaterThan(flushes);
  }

  @Test
  void uniquenessIsThatOfTheStoresThatKnowIt() {
    openAndClose("closed", 10);
    assertThat(OpenStores.figuresByTable().get("closed").uniquenessPercent()).isEqualTo(100);
    region = new RecordingRegion(TableName.valueOf("open"), 1 << 20);
    AccordionMemStore store = open();
    StoreFigures unknown = OpenStores.figuresByTable().get("open");
    assertThat(unknown.uniquenessPercent()).isEqualTo(100);
    StoreFigures known = new StoreFigures(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0.5);
    assertThat(unknown.plus(known).uniquenessPercent()).isEqualTo(50);
    assertThat(known.plus(StoreFigures.NONE).plus(unknown).uniquenessPercent()).isEqualTo(50);
    assertThat(known.closed().uniquenessPercent()).isEqualTo(100);
    store.close();
  }

  private void openAndClose(String table, int cells) {
    region = new RecordingRegion(TableName.valueOf(table), 1 << 20);
    AccordionMemStore store = open();
    for (int i = 0; i < cells; i++) {
      store.add(cell("row" + i, "q", 1, i, "value"), region);
    }
    store.close();
  }
}
