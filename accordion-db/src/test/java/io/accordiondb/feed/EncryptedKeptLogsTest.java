// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.feed;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyProvider;
import io.accordiondb.KeyValueStore;
import io.accordiondb.TestKeys;
import io.accordiondb.internal.engine.DatabaseEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The key of each kept log file is not asked for again and again. */
class EncryptedKeptLogsTest {
  @TempDir private Path folder;

  @Test
  void keptLogsOfAnEncryptedDatabaseAreNotReadAgainAndAgain() throws Exception {
    AtomicLong unwrapped = new AtomicLong();
    KeyProvider keys = TestKeys.current("a");
    KeyProvider counting =
        new KeyProvider() {
          @Override
          public String currentKeyId() {
            return keys.currentKeyId();
          }

          @Override
          public byte[] wrap(String keyId, byte[] dataKey) throws IOException {
            return keys.wrap(keyId, dataKey);
          }

          @Override
          public byte[] unwrap(String keyId, byte[] wrapped) throws IOException {
            unwrapped.incrementAndGet();
            return keys.unwrap(keyId, wrapped);
          }
        };
    DatabaseOptions options =
        DatabaseOptions.builder()
            .durability(Durability.ASYNC)
            .logFileBytes(64 << 10)
            .logRetention(Duration.ofDays(7))
            .encryption(counting)
            .build();
    try (Database database = Database.open(folder.resolve("db"), options)) {
      KeyValueStore s = database.keyValueStore("s");
      for (int i = 0; i < 20_000; i++) {
        s.put(bytes("key" + i), new byte[100]);
      }
      database.flush();
      ((DatabaseEngine) database).truncateLog();
      try (Stream<Path> files = Files.list(folder.resolve("db/kept"))) {
        assertThat(files.count()).isGreaterThan(10);
      }
      long before = unwrapped.get();
      for (int i = 0; i < 5; i++) {
        ((DatabaseEngine) database).truncateLog();
      }
      long during = unwrapped.get() - before;
      assertThat(during).isLessThan(10);
    }
  }
}
