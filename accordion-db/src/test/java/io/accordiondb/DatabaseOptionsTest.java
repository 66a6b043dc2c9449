// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** The bounds of each option: the lowest and the highest value are taken, the next ones not. */
class DatabaseOptionsTest {
  private static final long MIB = 1 << 20;

  @Test
  void bounds() {
    bounded(MIB, 200L << 30, DatabaseOptions.Builder::memoryBytes);
    bounded(0, Long.MAX_VALUE, DatabaseOptions.Builder::storeFlushBytes);
    bounded(0, Long.MAX_VALUE, DatabaseOptions.Builder::blockCacheBytes);
    bounded(64 << 10, Long.MAX_VALUE, DatabaseOptions.Builder::logBytesMax);
    bounded(4 << 10, 1L << 40, DatabaseOptions.Builder::logFileBytes);
    bounded(1, 64, (options, value) -> options.flushThreads((int) (long) value));
    bounded(1, 64, (options, value) -> options.compactionThreads((int) (long) value));
    bounded(1, 32_767, (options, value) -> options.rowBytesMax((int) (long) value));
    bounded(1, 128 * MIB, (options, value) -> options.valueBytesMax((int) (long) value));
    bounded(1 << 10, 192 * MIB, (options, value) -> options.batchBytesMax((int) (long) value));
    bounded(1, 60_000, (options, value) -> options.asyncLogDelay(Duration.ofMillis(value)));
    bounded(0, 86_400_000, (options, value) -> options.stallMax(Duration.ofMillis(value)));
  }

  private static void bounded(
      long min, long max, BiConsumer<DatabaseOptions.Builder, Long> option) {
    for (long value : new long[] {min, max}) {
      option.accept(DatabaseOptions.builder(), value);
    }
    refused(min - 1, option);
    if (max < Long.MAX_VALUE) {
      refused(max + 1, option);
    }
  }

  private static void refused(long value, BiConsumer<DatabaseOptions.Builder, Long> option) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> option.accept(DatabaseOptions.builder(), value))
        .withMessageContaining(Long.toString(value));
  }

  @Test
  void batchesFitIntoTheMemory() {
    assertThat(DatabaseOptions.builder().memoryBytes(MIB).build().batchBytesMax())
        .isEqualTo(MIB / 4 * 3);
    assertThat(DatabaseOptions.builder().memoryBytes(1024 * MIB).build().batchBytesMax())
        .isEqualTo(64 * MIB);
    DatabaseOptions.Builder most = DatabaseOptions.builder().batchBytesMax((int) (2 * MIB));
    assertThat(most.memoryBytes(2 * MIB + 1).build().batchBytesMax()).isEqualTo(2 * MIB);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> most.memoryBytes(2 * MIB).build())
        .withMessageContaining("batch limit is " + 2 * MIB)
        .withMessageContaining("memory")
        .withMessageContaining("is " + 2 * MIB);
  }

  @Test
  void chunksAreAPowerOfTwo() {
    assertThat(DatabaseOptions.builder().chunkBytes(4 << 10).build().chunkBytes())
        .isEqualTo(4 << 10);
    for (int bytes : new int[] {0, -1, Integer.MIN_VALUE, 2 << 10, 8 << 20, (4 << 10) + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> DatabaseOptions.builder().chunkBytes(bytes));
    }
  }

  @Test
  void timesBeyondAllMeasureAreRefusedLikeOthers() {
    Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
    for (Duration duration : new Duration[] {forEver, forEver.negated()}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> DatabaseOptions.builder().stallMax(duration));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> DatabaseOptions.builder().asyncLogDelay(duration));
    }
  }
}
