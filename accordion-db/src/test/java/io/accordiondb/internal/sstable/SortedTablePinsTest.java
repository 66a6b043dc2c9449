// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.CorruptionException;
import io.accordiondb.ThreadAllocation;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.internal.cache.BlockCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Point reads give back what they pin, however they end, and make no garbage. */
public class SortedTablePinsTest {
  private static final int ROWS = 300;
  private static final int VALUE_LENGTH = 100;
  private static final int DAMAGED = 300;

  /** Fewer bytes than the table has, so that blocks come and go. */
  private static final int CACHE_BYTES = 64 << 10;

  @Test
  void noPinOutlivesARead() throws IOException {
    check();
  }

  /** Reads sound and damaged tables. */
  public static void check() throws IOException {
    SplittableRandom random = new SplittableRandom(7);
    int refused = 0;
    for (Compression compression : Compression.values()) {
      BytesStorage storage = new BytesStorage();
      List<TestCell> cells = Tables.grid(ROWS, 2, VALUE_LENGTH);
      Tables.write(storage, Tables.options(512, compression, BloomKind.ROW), cells);
      byte[] sound = storage.bytes(Tables.NAME);
      assertThat(refusedReads(storage, random, 5 * ROWS)).isZero();
      for (int i = 0; i < DAMAGED; i++) {
        byte[] damaged = sound.clone();
        damaged[random.nextInt(damaged.length / 2)] ^= (byte) (1 + random.nextInt(255));
        storage.setBytes(Tables.NAME, SortedTableFuzzTest.withChecksums(damaged));
        refused += refusedReads(storage, random, ROWS);
      }
    }
    assertThat(refused).isPositive();
  }

  private static int refusedReads(BytesStorage storage, SplittableRandom random, int reads)
      throws IOException {
    BlockCache cache = new BlockCache(CACHE_BYTES);
    SortedTable table;
    try {
      table = Tables.open(storage, cache);
    } catch (CorruptionException e) {
      return 0;
    }
    int refused = 0;
    FoundCell found = new FoundCell();
    for (int i = 0; i < reads; i++) {
      try {
        long readPoint = random.nextBoolean() ? Long.MAX_VALUE : 0;
        boolean isFound =
            table.find(key(random.nextInt(ROWS + 1)), 0, readPoint, random.nextBoolean(), found);
        if (isFound) {
          assertThat(found.valueLength()).isPositive();
        }
      } catch (CorruptionException e) {
        refused++;
      }
      assertThat(cache.pins()).isZero();
    }
    table.release();
    return refused;
  }

  @Test
  void aReadOfACachedBlockAllocatesItsValueAlone() throws Throwable {
    BytesStorage storage = new BytesStorage();
    List<TestCell> cells = Tables.grid(ROWS, 2, VALUE_LENGTH);
    Tables.write(storage, Tables.options(4096, Compression.LZ4, BloomKind.ROW), cells);
    SortedTable table = Tables.open(storage, new BlockCache(10 << 20));
    ByteBuffer[] keys = new ByteBuffer[ROWS];
    Arrays.setAll(keys, SortedTablePinsTest::key);
    FoundCell found = new FoundCell();
    int rounds = 10;
    long bytes =
        ThreadAllocation.bytesOf(
            () -> {
              for (int i = 0; i < rounds * ROWS; i++) {
                assertFound(table.find(keys[i % ROWS], 0, Long.MAX_VALUE, true, found));
              }
            });
    assertThat(found.value()).isEqualTo("a".repeat(VALUE_LENGTH).getBytes(US_ASCII));
    long values = rounds * ROWS * ThreadAllocation.arrayBytes(VALUE_LENGTH);
    assertThat(bytes).isBetween(values, values + 1_000);
    table.release();
  }

  private static void assertFound(boolean found) {
    if (!found) {
      throw new AssertionError("a row is missing");
    }
  }

  private static ByteBuffer key(int row) {
    return TestCell.put(String.format("row%07d", row), "column0", "", Long.MAX_VALUE).bytes();
  }
}
