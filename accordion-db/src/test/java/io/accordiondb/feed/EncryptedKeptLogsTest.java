// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.feed;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.ChangeFeed;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValueStore;
import io.accordiondb.OtherKeys;
import io.accordiondb.fixtures.Await;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The key of a log file that is kept or prepared is not asked for again and again. */
class EncryptedKeptLogsTest {
  private final AtomicLong unwrapped = new AtomicLong();
  @TempDir private Path folder;

  private final class CountingKeys extends OtherKeys {
    @Override
    public byte[] unwrap(String keyId, byte[] wrapped) throws IOException {
      unwrapped.incrementAndGet();
      return super.unwrap(keyId, wrapped);
    }
  }

  @Test
  void keptLogsOfAnEncryptedDatabaseAreNotReadAgainAndAgain() throws Exception {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .durability(Durability.ASYNC)
            .logFileBytes(64 << 10)
            .logRetention(Duration.ofDays(7))
            .encryption(new CountingKeys())
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

  @Test
  void aFeedDoesNotAskForTheKeyOfAPreparedFileEachTime() throws Exception {
    MemoryStorage disk = new MemoryStorage();
    DatabaseOptions options =
        DatabaseOptions.builder()
            .logFileBytes(64 << 10)
            .logRetention(Duration.ofDays(7))
            .encryption(new CountingKeys())
            .build();
    try (Database database = DatabaseEngine.open(disk, options)) {
      KeyValueStore s = database.keyValueStore("s");
      try (ChangeFeed feed = database.changes("s")) {
        s.put(bytes("key"), new byte[40 << 10]);
        Await.await("a prepared file", () -> disk.list("wal").size() == 2);
        assertThat(feed.next(Duration.ZERO)).isNotNull();
        // The file is there before its beginning is written; until then the feed asks again.
        Await.await(
            "a feed that has the prepared file open",
            () -> {
              long asked = unwrapped.get();
              s.put(bytes("key"), new byte[100]);
              return feed.next(Duration.ZERO) != null && unwrapped.get() == asked;
            });
        long before = unwrapped.get();
        for (int i = 0; i < 20; i++) {
          s.put(bytes("key"), new byte[100]);
          assertThat(feed.next(Duration.ZERO)).isNotNull();
        }
        assertThat(disk.list("wal")).hasSize(2);
        assertThat(unwrapped.get() - before).isLessThanOrEqualTo(1);
        // The log continues in the file that the feed has open.
        for (int i = 0; i < 20; i++) {
          s.put(bytes("key"), new byte[10 << 10]);
          assertThat(feed.next(Duration.ZERO)).isNotNull();
        }
        assertThat(unwrapped.get() - before).isLessThan(20);
      }
    }
    assertThat(disk.openFiles()).isZero();
  }
}
