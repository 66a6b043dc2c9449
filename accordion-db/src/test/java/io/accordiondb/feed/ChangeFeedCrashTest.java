// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.feed;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Change;
import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangedCell;
import io.accordiondb.ChangesLostException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogWriting;
import io.accordiondb.WriteBatch;
import io.accordiondb.encoding.CellType;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A follower keeps a copy of a store by a change feed, while the process is killed or the power
 * fails at any moment. The copy is always a state that the store had, whatever the follower gets.
 * If the follower has seen changes that a loss of power has undone, it gets an error. Days pass
 * between two lives, and it gets all that the log is kept for.
 */
class ChangeFeedCrashTest {
  private static final int LIVES = 50;
  private static final int SEEDS = 10;
  private static final int LIVES_LONG = 2_000;

  /** Lives that the follower may miss: the log is kept for longer than the times between them. */
  private static final int AWAY_MAX = 2;

  private static final String STORE = "store";
  private static final String GONE = "gone";

  private static final Duration RETENTION = Duration.ofDays(1);

  private final AtomicLong now = new AtomicLong(1_000_000);
  private final Map<String, String> copy = new TreeMap<>();
  private @Nullable String token;
  private boolean sawUnforced;

  /** Lives since the follower was there. */
  private int away;

  private long flushedMillis;
  private int undone;
  private int value;

  @Test
  void theCopyFollowsTheStoreThroughCrashes() throws IOException {
    for (long seed = 1; undone == 0 && seed <= SEEDS; seed++) {
      live(LIVES, new SplittableRandom(seed));
    }
    assertThat(undone).isPositive();
  }

  @Test
  @Tag("long")
  void theCopyFollowsTheStoreThroughManyCrashes() throws IOException {
    live(LIVES_LONG, new SplittableRandom(2));
    assertThat(undone).isPositive();
  }

  private void live(int lives, SplittableRandom random) throws IOException {
    token = null;
    away = 0;
    flushedMillis = 0;
    MemoryStorage disk = new MemoryStorage();
    for (int life = 0; life < lives; life++) {
      DatabaseOptions options =
          DatabaseOptions.builder()
              .memoryBytes(1 << 20)
              .logFileBytes(4 << 10)
              .logWriting(random.nextBoolean() ? LogWriting.MAPPED : LogWriting.PLAIN)
              .logRetention(RETENTION)
              .clock(() -> Instant.ofEpochMilli(now.get()))
              .asyncLogDelay(Duration.ofMillis(1))
              .build();
      DatabaseEngine database = (DatabaseEngine) DatabaseEngine.open(disk, options);
      // Before the follower has seen anything, so that it needs what is kept.
      database.truncateLog();
      assertExpiredAreGone(disk);
      try {
        boolean power = random.nextBoolean();
        if (token != null && away < AWAY_MAX && random.nextInt(3) == 0) {
          // The follower gets later what this life writes and keeps.
          away++;
          work(database, null, random);
        } else {
          away = 0;
          attend(database, life, random);
          sawUnforced &= power;
        }
        disk = power ? disk.crash(random) : disk.copy();
      } finally {
        database.close();
      }
      pass(random);
    }
  }

  /** The follower gets all that was written in earlier lives, and perhaps what this one writes. */
  private void attend(Database database, int life, SplittableRandom random) throws IOException {
    try (ChangeFeed feed = resume(database)) {
      follow(feed);
      assertThat(copy).as("life %d", life).isEqualTo(contents(database));
      // The opening has forced all of that to the device.
      sawUnforced = false;
      // A follower that looks rarely depends on what is kept, and has seen nothing unforced.
      boolean isClose = random.nextBoolean();
      work(database, isClose ? feed : null, random);
      if (isClose && random.nextBoolean()) {
        // So that the follower has often seen writes that are not forced.
        follow(feed);
        sawUnforced = true;
      }
    }
  }

  /** Kept files go once the manifest says that enough time has passed, which each flush records. */
  private void assertExpiredAreGone(MemoryStorage disk) throws IOException {
    if (disk.exists("kept")) {
      assertThat(disk.list("kept"))
          .filteredOn(name -> name.endsWith(".log"))
          .allMatch(name -> keptMillis(name) > flushedMillis - RETENTION.toMillis());
    }
  }

  private static long keptMillis(String name) {
    return Long.parseLong(name.substring(name.indexOf('-') + 1, name.indexOf('.')));
  }

  /**
   * Lets some time pass while nothing is open: a part of that for which the log is kept, as the
   * follower may miss some lives, or more than that. Then all that was kept may be gone.
   */
  private void pass(SplittableRandom random) {
    long millis = RETENTION.toMillis();
    if (random.nextInt(4) == 0) {
      now.addAndGet(2 * millis);
      token = null;
    } else {
      now.addAndGet(random.nextLong(millis * 2 / 5));
    }
  }

  /** Goes on where the follower was or, if that was undone or is gone, with a new copy. */
  private ChangeFeed resume(Database database) throws IOException {
    database.keyValueStore(STORE);
    if (token != null) {
      try {
        return database.changesAfter(token, STORE);
      } catch (ChangesLostException e) {
        assertThat(sawUnforced).as("%s", e).isTrue();
        undone++;
      }
    }
    copy.clear();
    copy.putAll(contents(database));
    return database.changes(STORE);
  }

  private void follow(ChangeFeed feed) throws IOException {
    for (Change change = feed.next(Duration.ZERO);
        change != null;
        change = feed.next(Duration.ZERO)) {
      for (ChangedCell changed : change.cells()) {
        String key = new String(changed.cell().row(), US_ASCII);
        if (changed.cell().type() == CellType.PUT) {
          copy.put(key, new String(changed.cell().value(), US_ASCII));
        } else {
          copy.remove(key);
        }
      }
    }
    token = feed.token();
  }

  private void work(Database database, @Nullable ChangeFeed feed, SplittableRandom random)
      throws IOException {
    KeyValueStore store = database.keyValueStore(STORE);
    for (int i = random.nextInt(60); i > 0; i--) {
      byte[] key = ("k" + random.nextInt(20)).getBytes(US_ASCII);
      byte[] next = ("v" + value++ + " ".repeat(random.nextInt(200))).getBytes(US_ASCII);
      Durability durability = random.nextBoolean() ? Durability.SYNC : Durability.FSYNC;
      switch (random.nextInt(12)) {
        case 0 -> store.delete(key);
        case 1 -> {
          store.put(key, next, durability);
          database.flush();
          flushedMillis = now.get();
          ((DatabaseEngine) database).truncateLog();
        }
        case 2 -> database.splitRegion(STORE, key);
        case 3 -> database.mergeRegions(STORE, key);
        case 4 -> {
          if (feed != null) {
            follow(feed);
            sawUnforced = true;
          }
        }
        case 5 -> store.writeBatch().put(key, next).delete(new byte[] {'k', '1'}).commit();
        case 6 -> database.writeAsync(new WriteBatch()).toCompletableFuture().join();
        default -> store.put(key, next, durability);
      }
    }
    if (random.nextInt(4) == 0) {
      // The feed must know that these changes are not of its table, which is all it asks for.
      database.keyValueStore(GONE).put(new byte[1], new byte[1]);
      database.dropTable(GONE);
    }
  }

  private static Map<String, String> contents(Database database) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (KeyValueIterator all = database.keyValueStore(STORE).range(null, null)) {
      while (all.hasNext()) {
        KeyValue entry = all.next();
        contents.put(new String(entry.key(), US_ASCII), new String(entry.value(), US_ASCII));
      }
    }
    return contents;
  }
}
