// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyProvider;
import io.accordiondb.KeyValueStore;
import io.accordiondb.OtherKeys;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted databases in memory with one store, as several tests need them. */
abstract class EncryptedStore {
  static final String STORE = "s";

  @TempDir Path temporary;

  static DatabaseOptions.Builder builder(@Nullable KeyProvider keys) {
    DatabaseOptions.Builder builder = DatabaseOptions.builder().memoryBytes(4 << 20);
    return keys == null ? builder : builder.encryption(keys);
  }

  static Database open(Storage disk, @Nullable KeyProvider keys) throws IOException {
    return DatabaseEngine.open(disk, builder(keys).build());
  }

  static byte[] key(int number) {
    return ("key-" + number).getBytes(US_ASCII);
  }

  static void write(Database database, int from, int to) throws IOException {
    KeyValueStore store = database.keyValueStore(STORE);
    for (int i = from; i < to; i++) {
      store.put(key(i), key(i), Durability.FSYNC);
    }
  }

  static void assertHolds(Database database, int entries) throws IOException {
    for (int i = 0; i < entries; i++) {
      assertThat(database.keyValueStore(STORE).get(key(i))).isEqualTo(key(i));
    }
  }

  /** Returns what is left of a database of 30 entries, the last 10 of them only in the log. */
  static MemoryStorage killed() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    try (Database database = open(disk, new OtherKeys())) {
      for (int i = 0; i < 3; i++) {
        write(database, 10 * i, 10 * i + 10);
        if (i < 2) {
          database.flush();
        }
      }
      return disk.copy();
    }
  }
}
