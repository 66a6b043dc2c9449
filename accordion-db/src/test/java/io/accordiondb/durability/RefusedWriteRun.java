// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.TableDescriptor;
import io.accordiondb.Transaction;
import io.accordiondb.ValueTooLargeException;
import java.io.IOException;
import java.util.List;

/**
 * Commits a transaction after one of its writes was refused, whatever allocation has failed before.
 * Runs among {@link AllocatingClasses}.
 */
final class RefusedWriteRun {
  private static final int VALUE_BYTES_MAX = 100;

  private RefusedWriteRun() {}

  /** Commits a write, and not another one whose last part was refused. */
  static void commitWithoutIt(long unused) throws IOException {
    DatabaseOptions options = DatabaseOptions.builder().valueBytesMax(VALUE_BYTES_MAX).build();
    try (Database database = Database.inMemory(options)) {
      database.createTable(TableDescriptor.of("t", "f"));
      try (Transaction transaction = database.beginTransaction()) {
        write(transaction, put("whole", 1));
        write(transaction, put("first part", 1), put("last part", VALUE_BYTES_MAX + 1));
        commit(transaction);
      }
      if (!database.table("t").get(new Get(bytes("first part"))).isEmpty()) {
        throw new AssertionError("a part of a write was committed that had been refused");
      }
    }
  }

  private static void write(Transaction transaction, Put... puts) throws IOException {
    try {
      transaction.table("t").mutate(List.of(puts));
    } catch (ValueTooLargeException | OutOfMemoryError e) {
      // The transaction is as it was before.
    }
  }

  private static void commit(Transaction transaction) throws IOException {
    try {
      transaction.commit();
    } catch (OutOfMemoryError e) {
      // It is rolled back.
    }
  }

  private static Put put(String row, int valueBytes) {
    return new Put(bytes(row)).addColumn(bytes("f"), bytes("q"), new byte[valueBytes]);
  }
}
