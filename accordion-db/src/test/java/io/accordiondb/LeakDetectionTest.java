// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeakDetectionTest {
  @TempDir private Path folder;

  private Database open(LeakDetection detection) throws IOException {
    return Database.open(
        folder, DatabaseOptions.builder().memoryBytes(4 << 20).leakDetection(detection).build());
  }

  private static void leakIterator(KeyValueStore store) throws IOException {
    assertThat(store.range(null, null).hasNext()).isTrue();
  }

  private static void leakScanner(Database database) throws IOException {
    assertThat(database.table("s").scan(new Scan()).next()).isNotNull();
  }

  private static void leakCursor(KeyValueStore store) throws IOException {
    assertThat(store.cursor(null, null).first()).isTrue();
  }

  private static void leakSnapshot(Database database) throws IOException {
    assertThat(database.snapshot().sequenceNumber()).isPositive();
  }

  private static void leakFeed(Database database) throws IOException {
    assertThat(database.changes("s").next(Duration.ZERO)).isNull();
  }

  private static void collect(Database database) {
    System.gc();
    try {
      assertThat(database.statistics()).isNotNull();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatNobodyClosesIsLoggedWithTheStackThatOpenedIt() throws IOException {
    try (LoggedText log = new LoggedText();
        Database database = open(LeakDetection.ALWAYS)) {
      KeyValueStore store = database.keyValueStore("s");
      store.put("key".getBytes(US_ASCII), new byte[1]);
      leakIterator(store);
      log.await("leakIterator", () -> collect(database));
      leakScanner(database);
      log.await("leakScanner", () -> collect(database));
      leakCursor(store);
      log.await("leakCursor", () -> collect(database));
      leakSnapshot(database);
      log.await("leakSnapshot", () -> collect(database));
      leakFeed(database);
      log.await("leakFeed", () -> collect(database));
      assertThat(log.toString())
          .contains("a scanner, iterator or cursor of table s was never closed")
          .contains("a snapshot of sequence number 1 was never closed")
          .contains("a change feed of [s] was never closed");
      assertThat(database.statistics().readers().leaked()).isEqualTo(5);
    }
  }

  @Test
  void whatIsOpenWhenTheDatabaseIsClosedIsLogged() throws IOException {
    try (LoggedText log = new LoggedText()) {
      Snapshot snapshot;
      try (Database database = open(LeakDetection.ALWAYS)) {
        snapshot = database.snapshot();
      }
      assertThat(log.toString())
          .contains("a snapshot of sequence number", "is still open as the database is closed")
          .contains("whatIsOpenWhenTheDatabaseIsClosedIsLogged");
      snapshot.close();
    }
  }

  @Test
  void nothingIsLoggedOfWhatIsClosedOrNotWatched() throws IOException {
    try (LoggedText log = new LoggedText()) {
      try (Database database = open(LeakDetection.ALWAYS)) {
        KeyValueStore store = database.keyValueStore("s");
        store.put("key".getBytes(US_ASCII), new byte[1]);
        store.range(null, null).close();
        database.table("s").scan(new Scan()).close();
        try (KeyValueCursor cursor = store.cursor(null, null)) {
          cursor.first();
          cursor.refresh();
        }
        database.snapshot().close();
        database.changes().close();
        database.reconfigure(options -> options.leakDetection(LeakDetection.OFF));
        leakIterator(store);
        leakSnapshot(database);
        collect(database);
        assertThat(database.statistics().readers().leaked()).isZero();
      }
      assertThat(log.toString()).isEmpty();
    }
  }

  @Test
  void byDefaultOneInAThousandOrSoIsWatched() throws IOException {
    try (LoggedText log = new LoggedText()) {
      try (Database database = open(DatabaseOptions.defaults().leakDetection())) {
        database.keyValueStore("s").put("key".getBytes(US_ASCII), new byte[1]);
        for (int i = 0; i < 40_000; i++) {
          leakSnapshot(database);
        }
        Await.await(
            "ten reports in the log",
            () -> {
              collect(database);
              return reports(log);
            },
            reports -> reports >= 10);
      }
      assertThat(reports(log)).isLessThan(200);
    }
  }

  private static int reports(LoggedText log) {
    return log.toString().split("was never closed|is still open", -1).length - 1;
  }
}
