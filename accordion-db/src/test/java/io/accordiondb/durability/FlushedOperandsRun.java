// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;

import io.accordiondb.Database;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.KeyValueStore;
import io.accordiondb.merge.MergeOperators;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Flushes operands of a merge, whatever allocation fails. Runs among {@link AllocatingClasses}. */
final class FlushedOperandsRun {
  private static final int OPERANDS = 3;
  private static final byte[] KEY = bytes("key");
  private static final byte[] ONE = ByteBuffer.allocate(Long.BYTES).putLong(1).array();

  private FlushedOperandsRun() {}

  /** Flushes, and checks that a reader sees each operand once, or gets an error. */
  static void flush(long unused) throws IOException {
    Database database = Database.inMemory();
    try {
      flush(database);
    } catch (OutOfMemoryError e) {
      // Nothing was returned.
    } finally {
      close(database);
    }
  }

  private static void flush(Database database) throws IOException {
    FamilyDescriptor counters =
        FamilyDescriptor.builder(KeyValueStore.FAMILY)
            .mergeOperator(MergeOperators.counter().name())
            .build();
    KeyValueStore store = database.keyValueStore("c", counters);
    for (int i = 0; i < OPERANDS; i++) {
      store.merge(KEY, ONE);
    }
    try {
      database.flush();
    } catch (IOException | OutOfMemoryError e) {
      // The operands are in memory, or in a file.
    }
    byte[] sum;
    try {
      sum = store.get(KEY);
    } catch (IOException e) {
      return;
    }
    if (sum == null || ByteBuffer.wrap(sum).getLong() != OPERANDS) {
      throw new AssertionError(
          OPERANDS + " operands count as " + (sum == null ? 0 : ByteBuffer.wrap(sum).getLong()));
    }
  }

  private static void close(Database database) {
    try {
      database.close();
    } catch (IOException | OutOfMemoryError e) {
      // The database has failed, and says so, or it was the closing that failed.
    }
  }
}
