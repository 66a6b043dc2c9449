// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.hbase.client.admin.AdminFixture.table;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.Get;
import io.accordiondb.fixtures.TestThread;
import io.accordiondb.hbase.client.InterceptedDatabase;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Truncating a region beside disabling its table. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class TruncatedRegionTest {
  private static final TableName T = TableName.valueOf("t");

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  @AfterEach
  void close() {
    released.countDown();
  }

  /** Returns a database that waits before it deletes a range. */
  private Database waiting(Database real) {
    return InterceptedDatabase.of(
        real,
        (type, method) -> {
          if (method.equals("deleteRange")) {
            begun.countDown();
            released.await();
          }
        });
  }

  @Test
  void disablingWaitsForATruncationThatHasBegun() throws Exception {
    try (AdminFixture fixture = new AdminFixture(waiting(Database.inMemory()))) {
      Admin admin = fixture.admin;
      admin.createTable(table("t", "f"));
      fixture.put("t", "row");
      byte[] region = admin.getRegions(T).get(0).getRegionName();
      TestThread truncates = TestThread.start("truncating", () -> admin.truncateRegion(region));
      begun.await();
      TestThread disables =
          TestThread.start(
              "disabling",
              () -> {
                admin.disableTable(T);
                admin.snapshot("s", T);
              });
      disables.awaitBlockedIn("awaitEndOfWrites");
      released.countDown();
      truncates.join();
      disables.join();
      TableName copy = TableName.valueOf("copy");
      admin.cloneSnapshot("s", copy);
      assertThat(fixture.catalog.get(copy).table().get(new Get(bytes("row"))).isEmpty()).isTrue();
    }
  }
}
