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
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A follower keeps a copy of a store by a change feed, while the process is killed or the power
 * fails at any moment. The copy is always a state that the store had, whatever the follower gets.
 * If the follower has seen changes that a loss of power has undone, it gets an error.
 */
class ChangeFeedCrashTest {
  private static final int LIVES = 50;
  private static final int LIVES_LONG = 2_000;
  private static final String STORE = "store";

  private final Map<String, String> copy = new TreeMap<>();
  private @Nullable String token;
  private boolean sawUnforced;
  private int undone;
  private int value;

  @Test
  void theCopyFollowsTheStoreThroughCrashes() throws IOException {
    live(LIVES, new SplittableRandom(1));
  }

  @Test
  @Tag("long")
  void theCopyFollowsTheStoreThroughManyCrashes() throws IOException {
    live(LIVES_LONG, new SplittableRandom(2));
  }

  private void live(int lives, SplittableRandom random) throws IOException {
    MemoryStorage disk = new MemoryStorage();
    for (int life = 0; life < lives; life++) {
      DatabaseOptions options =
          DatabaseOptions.builder()
              .memoryBytes(1 << 20)
              .logFileBytes(4 << 10)
              .logWriting(random.nextBoolean() ? LogWriting.MAPPED : LogWriting.PLAIN)
              .logRetention(Duration.ofDays(1))
              .asyncLogDelay(Duration.ofMillis(1))
              .build();
      Database database = DatabaseEngine.open(disk, options);
      try (ChangeFeed feed = resume(database)) {
        follow(feed);
        assertThat(copy).as("life %d", life).isEqualTo(contents(database));
        work(database, feed, random);
        if (random.nextBoolean()) {
          // So that the follower has often seen writes that are not forced.
          follow(feed);
          sawUnforced = true;
        }
        boolean power = random.nextBoolean();
        disk = power ? disk.crash(random) : disk.copy();
        sawUnforced &= power;
      } finally {
        database.close();
      }
    }
    assertThat(undone).isPositive();
  }

  /** Goes on where the follower was or, if that was undone, from the beginning. */
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
    return database.changes(0, STORE);
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

  private void work(Database database, ChangeFeed feed, SplittableRandom random)
      throws IOException {
    KeyValueStore store = database.keyValueStore(STORE);
    for (int i = random.nextInt(60); i > 0; i--) {
      byte[] key = ("k" + random.nextInt(20)).getBytes(US_ASCII);
      byte[] next = ("v" + value++ + " ".repeat(random.nextInt(200))).getBytes(US_ASCII);
      Durability durability = random.nextBoolean() ? Durability.SYNC : Durability.FSYNC;
      switch (random.nextInt(12)) {
        case 0 -> store.delete(key);
        case 1 -> {
          database.flush();
          ((DatabaseEngine) database).truncateLog();
        }
        case 2 -> database.splitRegion(STORE, key);
        case 3 -> database.mergeRegions(STORE, key);
        case 4 -> {
          follow(feed);
          sawUnforced = true;
        }
        case 5 -> store.writeBatch().put(key, next).delete(new byte[] {'k', '1'}).commit();
        case 6 -> database.writeAsync(new WriteBatch()).toCompletableFuture().join();
        default -> store.put(key, next, durability);
      }
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
