// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.regionserver.HeapMemoryManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a server's configuration says about chunks. */
class ServerMemoryTest {
  private final Configuration configuration = HBaseConfiguration.create();

  @Test
  void chunksAreOf256KibibytesWithTheFlushSizeOfHBase() {
    assertThat(chunkBytes()).isEqualTo(256 << 10);
  }

  @ParameterizedTest
  @CsvSource({"1, 16", "12, 32", "16, 64", "32, 128", "63, 128", "64, 256", "1024, 256"})
  void anActiveSegmentOfASmallFlushSizeHasSeveralChunks(long flushMebibytes, int chunkKibibytes) {
    configuration.setLong(HConstants.HREGION_MEMSTORE_FLUSH_SIZE, flushMebibytes << 20);
    assertThat(chunkBytes()).isEqualTo(chunkKibibytes << 10);
  }

  @Test
  void whatIsSetCounts() {
    configuration.setLong(HConstants.HREGION_MEMSTORE_FLUSH_SIZE, 1 << 20);
    configuration.setInt(ServerMemory.CHUNK_BYTES_KEY, 4096);
    assertThat(chunkBytes()).isEqualTo(4096);
    configuration.setInt(ServerMemory.CHUNK_BYTES_KEY, 5000);
    assertThatIllegalArgumentException()
        .isThrownBy(this::chunkBytes)
        .withMessage(ServerMemory.CHUNK_BYTES_KEY + " is \"5000\", expected a power of two");
  }

  @Test
  void theLargestMemoryOfAServerIs200Gibibytes() {
    configuration.setLong(MemorySizeUtil.OFFHEAP_MEMSTORE_SIZE_KEY, 200 << 10);
    assertThat(ServerMemory.open(configuration).budget().limitBytes()).isEqualTo(200L << 30);
    configuration.setLong(MemorySizeUtil.OFFHEAP_MEMSTORE_SIZE_KEY, (200 << 10) + 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerMemory.open(configuration))
        .withMessageContaining(MemorySizeUtil.OFFHEAP_MEMSTORE_SIZE_KEY);
  }

  @Test
  void chunksOffTheHeapCountApartOnlyIfHBaseLimitsThemApart() {
    assertThat(ServerMemory.open(configuration).countsOffHeapApart()).isFalse();
    configuration.setLong(MemorySizeUtil.OFFHEAP_MEMSTORE_SIZE_KEY, 64);
    assertThat(ServerMemory.open(configuration).countsOffHeapApart()).isTrue();
    configuration.set(ServerMemory.CHUNK_MEMORY_KEY, "heap");
    assertThat(ServerMemory.open(configuration).countsOffHeapApart()).isFalse();
  }

  @Test
  void aHeapThatHBaseTunesCountsWithItsLargestShare() {
    long heapBytes = Runtime.getRuntime().maxMemory();
    configuration.setFloat(MemorySizeUtil.MEMSTORE_SIZE_KEY, 0.2f);
    long untuned = ServerMemory.open(configuration).budget().limitBytes();
    assertThat(untuned).isBetween(heapBytes / 6, heapBytes / 4);
    configuration.setFloat(HeapMemoryManager.MEMSTORE_SIZE_MAX_RANGE_KEY, 0.5f);
    assertThat(ServerMemory.open(configuration).budget().limitBytes())
        .isBetween(heapBytes * 4 / 10, heapBytes * 6 / 10);
  }

  private int chunkBytes() {
    return ServerMemory.open(configuration).pool().chunkBytes();
  }
}
