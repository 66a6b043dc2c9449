// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.Savepoint;
import io.accordiondb.TableDescriptor;
import io.accordiondb.Transaction;
import io.accordiondb.ValueTooLargeException;
import java.io.IOException;
import java.util.List;

/**
 * Commits a transaction after one of its writes was refused or rolled back, whatever allocation has
 * failed before. Runs among {@link AllocatingClasses}.
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
      } catch (OutOfMemoryError e) {
        // The transaction could not be begun.
      }
      if (!database.table("t").get(new Get(bytes("first part"))).isEmpty()) {
        throw new AssertionError("a part of a write was committed that had been refused");
      }
    }
  }

  /** Rolls back to a savepoint, and then to one made after it unless that is refused. */
  static void rollBackTwice(long unused) throws IOException {
    try (Database database = Database.inMemory()) {
      database.createTable(TableDescriptor.of("t", "f"));
      boolean isRolledBack = false;
      try (Transaction transaction = database.beginTransaction()) {
        write(transaction, put("kept", 1));
        Savepoint first = transaction.savepoint();
        write(transaction, put("discarded", 1));
        Savepoint second = transaction.savepoint();
        rollBack(transaction, first);
        write(transaction, put("last", 1));
        isRolledBack = rollBack(transaction, second);
        commit(transaction);
      } catch (OutOfMemoryError e) {
        // A savepoint could not be made.
      }
      if (isRolledBack && !database.table("t").get(new Get(bytes("last"))).isEmpty()) {
        throw new AssertionError("a write was committed that had been rolled back");
      }
    }
  }

  private static boolean rollBack(Transaction transaction, Savepoint savepoint) {
    try {
      transaction.rollbackTo(savepoint);
      return true;
    } catch (IllegalArgumentException | OutOfMemoryError e) {
      // It was made after one that was rolled back to, or the writes are discarded later.
      return false;
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
