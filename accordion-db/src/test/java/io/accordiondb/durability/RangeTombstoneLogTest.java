// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueStore;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The log keeps a range tombstone until a flush has written it. */
@Timeout(60)
class RangeTombstoneLogTest {
  private static final byte[] KEY = "key".getBytes(US_ASCII);

  /** Enough to fill several log files. */
  private static final int FILLERS = 40;

  private static DatabaseOptions options() {
    return DatabaseOptions.builder().memoryBytes(8 << 20).logFileBytes(4 << 10).build();
  }

  @Test
  void aDeletedRangeStaysDeletedThoughOnlyMemoryAndTheLogKnowOfIt() throws IOException {
    check();
  }

  static void check() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    try (Database database = DatabaseEngine.open(disk, options())) {
      KeyValueStore kept = database.keyValueStore("kept");
      kept.put(KEY, KEY);
      database.flush("kept");
      kept.deleteRange(null, null);
      KeyValueStore filler = database.keyValueStore("filler");
      for (int i = 0; i < FILLERS; i++) {
        filler.put(KEY, new byte[1000]);
      }
      database.flush("filler");
      ((DatabaseEngine) database).truncateLog();
      long held = database.statistics().log().bytes();
      assertDeleted(disk.copy());

      database.flush("kept");
      ((DatabaseEngine) database).truncateLog();
      assertThat(database.statistics().log().bytes()).isLessThan(held / 2);
      assertDeleted(disk.copy());
    }
  }

  private static void assertDeleted(MemoryStorage killed) throws IOException {
    try (Database database = DatabaseEngine.open(killed, options())) {
      assertThat(database.keyValueStore("kept").get(KEY)).isNull();
    }
  }
}
