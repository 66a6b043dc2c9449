// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Change;
import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangesLostException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.RecoveryMode;
import io.accordiondb.TableDescriptor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No sequence number is given out twice, so that no change feed misses a change. */
class SequenceNumbersTest extends OneTable {
  @Test
  void salvageKeepsSequenceNumbersGoingUp() throws IOException {
    long before;
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      for (int i = 100; i < 150; i++) {
        put(database, "t", "row" + i, "v");
      }
      database.flush();
      database.truncateTable("t");
      before = database.checkpoint(folder.resolve("c1")).sequence();
    }
    try (Database database = open(disk, options().recoveryMode(RecoveryMode.SALVAGE))) {
      long after = database.checkpoint(folder.resolve("c2")).sequence();
      assertThat(after).isGreaterThanOrEqualTo(before - 1);
    }
  }

  @Test
  void aFeedThatBeganBehindATruncationMissesNoLaterChange() throws IOException {
    String token;
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      put(database, "t", "a", "1");
      database.truncateTable("t");
      try (ChangeFeed feed = database.changes()) {
        token = feed.token();
      }
    }
    try (Database database = open(disk, options())) {
      put(database, "t", "b", "2");
      put(database, "t", "c", "3");
      List<String> rows = new ArrayList<>();
      try (ChangeFeed feed = database.changesAfter(token)) {
        for (Change c = feed.next(Duration.ZERO); c != null; c = feed.next(Duration.ZERO)) {
          c.cells().forEach(cell -> rows.add(new String(cell.cell().row(), US_ASCII)));
        }
      }
      assertThat(rows).containsExactly("b", "c");
    }
  }

  private void salvagedFeed(DatabaseOptions.Builder options) throws IOException {
    try (Database database = open(disk, options)) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      for (int i = 100; i < 200; i++) {
        put(database, "t", "row" + i, "v".repeat(100));
      }
      database.flush();
      for (int i = 200; i < 220; i++) {
        put(database, "t", "row" + i, "v".repeat(100));
      }
    }
    try (Database database = open(disk, options.recoveryMode(RecoveryMode.SALVAGE))) {
      put(database, "t", "new", "v");
      List<String> rows = new ArrayList<>();
      try (ChangeFeed feed = database.changes(1)) {
        for (Change c = feed.next(Duration.ZERO); c != null; c = feed.next(Duration.ZERO)) {
          c.cells().forEach(cell -> rows.add(new String(cell.cell().row(), US_ASCII)));
        }
      } catch (ChangesLostException e) {
        return;
      }
      assertThat(rows).hasSize(121);
    }
  }

  @Test
  void aFeedFromBeforeASalvageIsToldThatChangesAreLost() throws IOException {
    salvagedFeed(options().logFileBytes(4 << 10));
  }

  @Test
  void aFeedOfAKeptLogFromBeforeASalvageIsToldThatChangesAreLost() throws IOException {
    salvagedFeed(options().logFileBytes(4 << 10).logRetention(Duration.ofDays(1)));
  }

  @Test
  void sequenceNumbersGoUpAfterASalvage() throws IOException {
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      for (int i = 100; i < 200; i++) {
        put(database, "t", "row" + i, "v");
      }
    }
    String token;
    try (Database database = open(disk, options().recoveryMode(RecoveryMode.SALVAGE))) {
      try (ChangeFeed feed = database.changes()) {
        token = feed.token();
      }
      database.dropTable("t");
    }
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      for (int i = 0; i < 150; i++) {
        put(database, "t", "row" + i, "v");
      }
      int[] changes = {0};
      try (ChangeFeed feed = database.changesAfter(token)) {
        for (Change c = feed.next(Duration.ZERO); c != null; c = feed.next(Duration.ZERO)) {
          changes[0]++;
        }
      }
      assertThat(changes[0]).isEqualTo(150);
    }
  }
}
