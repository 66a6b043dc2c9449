// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.feed;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Change;
import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangesLostException;
import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogWriting;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Bytes of kept log files change or are lost: the feed says so, and the database opens. */
class DamagedFeedTest {
  private static final int WRITES = 60;
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder()
          .memoryBytes(1 << 20)
          .logFileBytes(4 << 10)
          .logWriting(LogWriting.PLAIN)
          .logRetention(Duration.ofDays(1))
          .build();

  @Test
  void noChangedByteIsDelivered() throws IOException {
    MemoryStorage sound = withKeptLogs();
    assertThat(new Verifier(sound).verify().isSound()).isTrue();
    int tried = 0;
    for (String file : sound.list("kept")) {
      byte[] bytes = sound.bytes("kept/" + file);
      for (int i = 0; i < bytes.length; i += 1 + bytes.length / 40) {
        byte[] changed = bytes.clone();
        changed[i] ^= 1 << (i % 8);
        check(sound, file, changed);
        tried++;
      }
      check(sound, file, Arrays.copyOf(bytes, bytes.length / 2));
      check(sound, file, new byte[0]);
    }
    assertThat(tried).isGreaterThan(100);
  }

  private static MemoryStorage withKeptLogs() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    try (Database database = DatabaseEngine.open(disk, OPTIONS)) {
      KeyValueStore store = database.keyValueStore("store");
      for (int i = 0; i < WRITES; i++) {
        store.put(("key" + i).getBytes(US_ASCII), new byte[400]);
      }
      database.flush();
      ((DatabaseEngine) database).truncateLog();
    }
    assertThat(disk.list("kept")).hasSizeGreaterThan(3);
    return disk;
  }

  private static void check(MemoryStorage sound, String file, byte[] bytes) throws IOException {
    MemoryStorage damaged = sound.copy();
    damaged.setBytes("kept/" + file, bytes);
    assertThat(new Verifier(damaged).verify().isSound()).as(file).isFalse();
    try (Database database = DatabaseEngine.open(damaged, OPTIONS)) {
      assertThat(database.keyValueStore("store").get("key7".getBytes(US_ASCII))).hasSize(400);
      int delivered = 0;
      try (ChangeFeed feed = database.changes(0)) {
        for (Change change = feed.next(Duration.ZERO);
            change != null;
            change = feed.next(Duration.ZERO)) {
          String key = new String(change.cells().get(0).cell().row(), US_ASCII);
          assertThat(key).isEqualTo("key" + delivered++);
        }
        assertThat(delivered).isEqualTo(WRITES);
        assertThat(file).isEqualTo("names");
      } catch (CorruptionException | ChangesLostException e) {
        // The damage may be behind the last change.
        assertThat(delivered).isLessThanOrEqualTo(WRITES);
      }
    }
  }
}
