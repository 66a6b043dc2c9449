// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.history;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Change;
import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangesLostException;
import io.accordiondb.Checkpoint;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogExtent;
import io.accordiondb.RestorePoint;
import io.accordiondb.RollForward;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a copy that follows the log, or goes its own way, says about it. */
class FollowedCopyTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
  @TempDir private Path folder;
  private final AtomicLong clock = new AtomicLong(NOON.toEpochMilli());

  private DatabaseOptions options(Duration retention) {
    return DatabaseOptions.builder()
        .logRetention(retention)
        .durability(Durability.SYNC)
        .clock(() -> Instant.ofEpochMilli(clock.get()))
        .build();
  }

  private static byte[] b(String text) {
    return text.getBytes(US_ASCII);
  }

  private static String get(Path database, DatabaseOptions options, String key) throws IOException {
    try (Database opened = Database.open(database, options)) {
      byte[] value = opened.keyValueStore("s").get(b(key));
      return value == null ? "none" : new String(value, US_ASCII);
    }
  }

  @Test
  void theOrderOfRangesAndPutsOfABatchIsKept() throws IOException {
    Path copy = folder.resolve("copy");
    Path log = folder.resolve("log");
    Checkpoint end;
    try (Database database = Database.open(folder.resolve("db"), options(Duration.ofDays(1)))) {
      KeyValueStore s = database.keyValueStore("s");
      s.put(b("z"), b("1"));
      database.checkpoint(copy);
      s.writeBatch()
          .deleteRange(b("a"), b("b"))
          .put(b("a"), b("secret"))
          .deleteRange(b("a"), b("b"))
          .commit();
      assertThat(s.get(b("a"))).isNull();
      end = database.checkpoint(log, LogExtent.KEPT);
    }
    RollForward.apply(copy, log, RestorePoint.sequence(end.sequence()), options(Duration.ZERO));
    assertThat(get(copy, options(Duration.ZERO), "a")).isEqualTo("none");
  }

  @Test
  void aTokenWithoutAChangeNoticesThatChangesWereUndone() throws IOException {
    Path copy = folder.resolve("copy");
    String token;
    try (Database database = Database.open(folder.resolve("db"), options(Duration.ofDays(1)))) {
      KeyValueStore s = database.keyValueStore("s");
      s.put(b("z"), b("1"));
      database.checkpoint(copy, LogExtent.KEPT);
      for (int i = 0; i < 20; i++) {
        s.put(b("a" + i), b("undone"));
      }
      try (ChangeFeed feed = database.changes()) {
        assertThat(feed.next(Duration.ZERO)).isNull();
        token = feed.token();
      }
    }
    try (Database restored = Database.open(copy, options(Duration.ofDays(1)))) {
      KeyValueStore s = restored.keyValueStore("s");
      for (int i = 0; i < 40; i++) {
        s.put(b("b" + i), b("x"));
      }
      assertThatThrownBy(
              () -> {
                try (ChangeFeed feed = restored.changesAfter(token)) {
                  Change change = feed.next(Duration.ZERO);
                  throw new AssertionError("silently continues with " + change);
                }
              })
          .isInstanceOf(ChangesLostException.class);
    }
  }
}
