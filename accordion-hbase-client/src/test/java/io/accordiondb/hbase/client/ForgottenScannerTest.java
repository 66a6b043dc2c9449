// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.hbase.client.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Test;

/** Scanners that a program does not close. */
class ForgottenScannerTest {
  private static final int ROWS = 3;

  private static void forgetScanner(Table table) throws IOException {
    assertThat(table.getScanner(new Scan()).next()).isNotNull();
  }

  private static int readPoints(Database database) throws IOException {
    System.gc();
    return database.statistics().readers().readPoints();
  }

  @Test
  void aScannerIsClosedWhenTheProgramNoLongerRefersToIt() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (Database database = Database.inMemory()) {
      Table table = TestTables.embedded(database, threads);
      for (int i = 0; i < ROWS; i++) {
        table.put(put("row" + i, "f", "q", 1, "v"));
      }
      ResultScanner kept = table.getScanner(new Scan());
      assertThat(kept.next()).isNotNull();
      forgetScanner(table);
      await("the end of the forgotten scan", () -> readPoints(database), points -> points == 1);
      assertThat(kept.next()).isNotNull();
      assertThat(kept.next()).isNotNull();
      assertThat(kept.next()).isNull();
      kept.close();
      assertThat(readPoints(database)).isZero();
    } finally {
      threads.shutdown();
    }
  }
}
