// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;

import io.accordiondb.Database;
import io.accordiondb.Delete;
import io.accordiondb.TableDescriptor;
import io.accordiondb.WriteBatch;
import java.io.IOException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Locks rows, whatever allocation has failed before. Runs among {@link AllocatingClasses}. */
final class RowLocksRun {
  private static final int ROWS = 3;
  private static final int SECONDS = 10;

  private RowLocksRun() {}

  /**
   * Writes what must be read first, twice; an allocation may fail. The second time is another
   * thread's, because a thread may lock its own locks again.
   */
  static void writeTwice(long unused) throws Exception {
    try (Database database = Database.inMemory()) {
      database.createTable(TableDescriptor.of("t", "f"));
      WriteBatch batch = new WriteBatch();
      for (int i = 0; i < ROWS; i++) {
        batch.delete("t", new Delete(bytes("row" + i)).addColumn(bytes("f"), bytes("q")));
      }
      write(database, batch);
      FutureTask<Void> again =
          new FutureTask<>(
              () -> {
                write(database, batch);
                return null;
              });
      Thread thread = new Thread(again);
      thread.setDaemon(true);
      thread.start();
      again.get(SECONDS, TimeUnit.SECONDS);
    }
  }

  private static void write(Database database, WriteBatch batch) throws IOException {
    try {
      database.write(batch);
    } catch (OutOfMemoryError e) {
      // The rows are locked no longer.
    }
  }
}
