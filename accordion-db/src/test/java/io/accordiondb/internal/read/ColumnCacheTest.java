// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.ThreadAllocation;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.internal.metrics.Tallies;
import io.accordiondb.internal.read.ColumnCache.ColumnKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

public class ColumnCacheTest {
  private static final long SET = 7;

  private static ColumnKey key(int number) {
    byte[] bytes = ("..column" + number).getBytes(US_ASCII);
    ColumnKey key = new ColumnKey();
    key.set(bytes, 2, bytes.length - 2);
    return key;
  }

  private static FoundCell cell(int number, int length) {
    FoundCell cell = new FoundCell();
    cell.set(ByteBuffer.wrap(value(number, length)), 0, length, number, number + 1L);
    return cell;
  }

  private static byte[] value(int number, int length) {
    byte[] value = new byte[length];
    for (int i = 0; i < length; i++) {
      value[i] = (byte) (number + i);
    }
    return value;
  }

  private static void offerTwice(ColumnCache cache, long set, int number, int length) {
    cache.offer(set, key(number), cell(number, length));
    cache.offer(set, key(number), cell(number, length));
  }

  @Test
  void takesAColumnThatIsAskedForTwiceAndGivesItToItsSetOnly() {
    ColumnCache cache = new ColumnCache(1 << 20, new Tallies(), ByteBuffer::allocateDirect);
    FoundCell found = new FoundCell();
    cache.offer(SET, key(1), cell(1, 10));
    assertThat(cache.find(SET, key(1), found)).isFalse();
    cache.offer(SET, key(1), cell(1, 10));
    assertThat(cache.find(SET, key(1), found)).isTrue();
    assertThat(found.value()).isEqualTo(value(1, 10));
    assertThat(found.timestamp()).isEqualTo(1);
    assertThat(found.sequence()).isEqualTo(2);
    assertThat(cache.find(SET + 1, key(1), found)).isFalse();
    assertThat(cache.find(SET, key(2), found)).isFalse();

    offerTwice(cache, SET + 1, 1, 30);
    assertThat(cache.find(SET, key(1), found)).isFalse();
    assertThat(cache.find(SET + 1, key(1), found)).isTrue();
    assertThat(found.valueLength()).isEqualTo(30);
  }

  @Test
  void keepsToItsBytesAndPrefersWhatIsUsed() {
    ColumnCache cache = new ColumnCache(100_000, new Tallies(), ByteBuffer::allocateDirect);
    FoundCell found = new FoundCell();
    offerTwice(cache, SET, 0, 100);
    long used = cache.usedBytes();
    assertThat(used).isBetween(100L, 300L);
    for (int i = 1; i < 5_000; i++) {
      assertThat(cache.find(SET, key(0), found)).as("after %d others", i).isTrue();
      offerTwice(cache, SET, i, 100);
      assertThat(cache.usedBytes()).isBetween(used, 100_000L);
    }
    assertThat(cache.usedBytes()).isGreaterThan(30_000);
  }

  @Test
  void largeValuesPushOutOthersAndVeryLargeOnesAreNotTaken() {
    ColumnCache cache = new ColumnCache(100_000, new Tallies(), ByteBuffer::allocateDirect);
    FoundCell found = new FoundCell();
    for (int i = 0; i < 500; i++) {
      offerTwice(cache, SET, i, 2_000);
      assertThat(cache.usedBytes()).isLessThanOrEqualTo(100_000);
    }
    assertThat(cache.usedBytes()).isGreaterThan(50_000);
    offerTwice(cache, SET, 1_000, 10_000);
    assertThat(cache.find(SET, key(1_000), found)).isFalse();
  }

  @Test
  void goesOnWithTheMemoryThatItHasWhenThereIsNoMore() {
    AtomicInteger slabs = new AtomicInteger();
    ColumnCache cache =
        new ColumnCache(
            2 << 20,
            new Tallies(),
            bytes -> slabs.incrementAndGet() <= 2 ? ByteBuffer.allocateDirect(bytes) : null);
    FoundCell found = new FoundCell();
    offerTwice(cache, SET, 0, 1_000);
    for (int i = 1; i < 2_000; i++) {
      assertThat(cache.find(SET, key(0), found)).as("after %d others", i).isTrue();
      offerTwice(cache, SET, i, 1_000);
      assertThat(cache.find(SET, key(i), found)).as("column %d", i).isTrue();
      assertThat(found.value()).isEqualTo(value(i, 1_000));
      assertThat(cache.usedBytes()).isLessThanOrEqualTo(2 * (256 << 10));
    }
    assertThat(slabs.get()).isEqualTo(3);
  }

  @Test
  void longValuesInUseStayWhenOthersHaveToGo() {
    ColumnCache cache = new ColumnCache(100_000, new Tallies(), ByteBuffer::allocateDirect);
    FoundCell found = new FoundCell();
    offerTwice(cache, SET, 0, 2_000);
    for (int i = 1; i < 2_000; i++) {
      assertThat(cache.find(SET, key(0), found)).as("after %d others", i).isTrue();
      offerTwice(cache, SET, i, 2_000);
      assertThat(cache.usedBytes()).isLessThanOrEqualTo(100_000);
    }
  }

  @Test
  void isMadeOnlyWhereItHasRoom() {
    assertThat(ColumnCache.share(0)).isZero();
    assertThat(
            ColumnCache.within(
                ColumnCache.share(10_000), new Tallies(), ByteBuffer::allocateDirect))
        .isNull();
    assertThat(ColumnCache.share(128 << 20)).isEqualTo(16 << 20);
    assertThat(ColumnCache.within(16 << 20, new Tallies(), ByteBuffer::allocateDirect)).isNotNull();
  }

  @Test
  void aHitAllocatesItsValueAlone() throws Throwable {
    ColumnCache cache = new ColumnCache(1 << 20, new Tallies(), ByteBuffer::allocateDirect);
    ColumnKey[] keys = new ColumnKey[100];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = key(i);
      offerTwice(cache, SET, i, 100);
    }
    FoundCell found = new FoundCell();
    long bytes =
        ThreadAllocation.bytesOf(
            () -> {
              for (int i = 0; i < 1_000; i++) {
                if (!cache.find(SET, keys[i % keys.length], found)) {
                  throw new AssertionError("column " + i % keys.length + " is missing");
                }
              }
            });
    assertThat(bytes / 1_000).isLessThanOrEqualTo(ThreadAllocation.arrayBytes(100));
  }

  @Property(tries = 100)
  void findsWhatItWasGiven(
      @ForAll @IntRange(min = 64 << 10, max = 800_000) int capacity,
      @ForAll @IntRange(min = 1, max = 2_000) int length,
      @ForAll long seed) {
    check(capacity, length, seed);
  }

  /** Lets a cache live for a while beside a map of all that it was given. */
  public static void check(int firstCapacity, int length, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int capacity = firstCapacity;
    ColumnCache cache = new ColumnCache(capacity, new Tallies(), ByteBuffer::allocateDirect);
    Map<Long, Integer> lengths = new HashMap<>();
    FoundCell found = new FoundCell();
    int hits = 0;
    for (int i = 0; i < 3_000; i++) {
      int number = random.nextInt(random.nextBoolean() ? 500 : 50);
      long set = random.nextInt(3);
      if (random.nextInt(500) == 0) {
        capacity = (64 << 10) + random.nextInt(800_000);
        cache.resize(capacity);
      }
      int bytes = lengths.computeIfAbsent(1_000 * set + number, unseen -> random.nextInt(length));
      if (random.nextBoolean()) {
        offerTwice(cache, set, number, bytes);
      } else if (cache.find(set, key(number), found)) {
        assertThat(found.value()).isEqualTo(value(number, bytes));
        assertThat(found.timestamp()).isEqualTo(number);
        assertThat(found.sequence()).isEqualTo(number + 1L);
        hits++;
      }
      assertThat(cache.usedBytes()).isLessThanOrEqualTo(capacity);
    }
    assertThat(hits).isPositive();
  }

  @Test
  void manyThreadsNeverSeeAnotherColumnOrSet() throws Exception {
    ColumnCache cache = new ColumnCache(64 << 10, new Tallies(), ByteBuffer::allocateDirect);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      Callable<Integer> work =
          () -> {
            FoundCell found = new FoundCell();
            int hits = 0;
            for (int i = 0; i < 200_000; i++) {
              int number = ThreadLocalRandom.current().nextInt(600);
              int set = ThreadLocalRandom.current().nextInt(2);
              int length = 20 + number + 50 * set;
              if (cache.find(set, key(number), found)) {
                hits++;
                assertThat(found.timestamp()).isEqualTo(number);
                assertThat(found.value()).isEqualTo(value(number, length));
              } else {
                cache.offer(set, key(number), cell(number, length));
              }
            }
            return hits;
          };
      List<Future<Integer>> results = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        results.add(threads.submit(work));
      }
      for (Future<Integer> result : results) {
        assertThat(result.get()).isPositive();
      }
      assertThat(cache.usedBytes()).isBetween(1L, 64L << 10);
    } finally {
      threads.shutdownNow();
    }
  }
}
