// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.feed;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.ChangeFeed;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueStore;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.WrappingStorage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A feed of a log of which many files are kept lists them seldom. */
class FeedListingsTest {
  private static final int FILES_MIN = 100;
  private static final Duration NONE = Duration.ZERO;

  private final MemoryStorage disk = new MemoryStorage();
  private final AtomicInteger listings = new AtomicInteger();
  private Database database;
  private KeyValueStore store;
  private int written;

  @BeforeEach
  void keepManyFiles() throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .memoryBytes(4 << 20)
            .logFileBytes(4 << 10)
            .logRetention(Duration.ofDays(1))
            .build();
    database = DatabaseEngine.open(new CountingStorage(), options);
    store = database.keyValueStore("store");
    while (disk.list("kept").size() < FILES_MIN) {
      for (int i = 0; i < 200; i++) {
        write();
      }
      database.flush("store");
    }
    listings.set(0);
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  private void write() throws IOException {
    store.put(bytes("key" + written), new byte[100]);
    written++;
  }

  private final class CountingStorage extends WrappingStorage {
    CountingStorage() {
      super(disk);
    }

    @Override
    public List<String> list(String directory) throws IOException {
      if (directory.equals("kept")) {
        listings.incrementAndGet();
      }
      return super.list(directory);
    }
  }

  @Test
  void openingListsThemAFewTimes() throws IOException {
    database.changes(1).close();
    database.changes().close();
    assertThat(listings).hasValueLessThan(20);
  }

  @Test
  void readingThemListsThemAFewTimes() throws IOException {
    int read = 0;
    try (ChangeFeed feed = database.changes(1)) {
      while (feed.next(NONE) != null) {
        read++;
      }
    }
    assertThat(read).isEqualTo(written);
    assertThat(listings).hasValueLessThan(20);
  }

  /** Each call finds another number that is visible. */
  @Test
  void readingBesideAWriterListsThemAFewTimes() throws IOException {
    try (ChangeFeed feed = database.changes(1)) {
      for (int i = 0; i < 1_000; i++) {
        write();
        assertThat(feed.next(NONE)).isNotNull();
      }
    }
    assertThat(listings).hasValueLessThan(20);
  }

  @Test
  void followingAWriterAtTheEndDoesNotListThem() throws IOException {
    try (ChangeFeed feed = database.changes()) {
      for (int i = 0; i < 1_000; i++) {
        write();
        assertThat(feed.next(Duration.ofSeconds(20))).isNotNull();
      }
    }
    assertThat(listings).hasValueLessThan(20);
  }
}
