// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WriteBufferManager;

/**
 * Bounds RocksDB's memory as Kafka's documentation recommends: one cache for all stores of a
 * process.
 */
public final class BoundedRocksDb implements RocksDBConfigSetter {
  /** The budget, among the properties of Kafka Streams. */
  static final String MEMORY_BYTES = "bench.rocksdb.memory.bytes";

  @GuardedBy("BoundedRocksDb.class")
  private static @Nullable Cache cache;

  @GuardedBy("BoundedRocksDb.class")
  private static @Nullable WriteBufferManager writeBuffers;

  /** Kafka Streams calls it. */
  public BoundedRocksDb() {}

  @Override
  public void setConfig(String storeName, Options options, Map<String, Object> configs) {
    synchronized (BoundedRocksDb.class) {
      if (cache == null) {
        long memoryBytes = Long.parseLong(String.valueOf(configs.get(MEMORY_BYTES)));
        cache = new LRUCache(memoryBytes, -1, false, 0.1);
        writeBuffers = new WriteBufferManager(memoryBytes / 2, cache);
      }
      BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
      table.setBlockCache(cache);
      table.setCacheIndexAndFilterBlocks(true);
      table.setCacheIndexAndFilterBlocksWithHighPriority(true);
      table.setPinTopLevelIndexAndFilter(true);
      options.setWriteBufferManager(writeBuffers);
      options.setTableFormatConfig(table);
    }
  }

  @Override
  public void close(String storeName, Options options) {}
}
