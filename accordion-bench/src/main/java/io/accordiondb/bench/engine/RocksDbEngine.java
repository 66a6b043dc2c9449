// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import io.accordiondb.Durability;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.HistogramType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Statistics;
import org.rocksdb.StatsLevel;
import org.rocksdb.TickerType;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * RocksDB through JNI. A row of one field is one key; of several, one key a field, the row's key
 * followed by a zero byte and the field's name, so that a field can be written without being read.
 */
public final class RocksDbEngine implements Engine {
  private static final int BLOOM_BITS = 10;
  private static final long LOG_FLUSH_MILLIS = 10;

  private final EngineOptions options;
  private final List<AutoCloseable> handles = new ArrayList<>();
  private final Statistics statistics;
  private final WriteOptions writeOptions;
  private final RocksDB database;
  private final ScheduledExecutorService logFlusher;

  /** Opens the store, which is created if it is missing. */
  public RocksDbEngine(EngineOptions options) throws IOException {
    RocksDB.loadLibrary();
    this.options = options;
    Files.createDirectories(options.directory());
    statistics = kept(new Statistics());
    statistics.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS);
    Cache cache = kept(new LRUCache(Math.max(1, options.cacheBytes())));
    BlockBasedTableConfig tables =
        new BlockBasedTableConfig()
            .setBlockCache(cache)
            .setFilterPolicy(kept(new BloomFilter(BLOOM_BITS, false)))
            .setCacheIndexAndFilterBlocks(true)
            .setPinL0FilterAndIndexBlocksInCache(true);
    Options settings =
        kept(new Options())
            .setCreateIfMissing(true)
            .setStatistics(statistics)
            .setWriteBufferSize(options.memoryBytes() / 2)
            .setMaxWriteBufferNumber(2)
            .setMaxBackgroundJobs(2)
            .setCompressionType(CompressionType.LZ4_COMPRESSION)
            .setLevelCompactionDynamicLevelBytes(true)
            .setManualWalFlush(options.durability() == Durability.ASYNC)
            .setTableFormatConfig(tables);
    writeOptions =
        kept(new WriteOptions())
            .setDisableWAL(options.durability() == Durability.SKIP)
            .setSync(options.durability() == Durability.FSYNC);
    try {
      database = RocksDB.open(settings, options.directory().toString());
    } catch (RocksDBException e) {
      throw new IOException("RocksDB could not be opened", e);
    }
    logFlusher = Executors.newSingleThreadScheduledExecutor();
    if (options.durability() == Durability.ASYNC) {
      ScheduledFuture<?> unused =
          logFlusher.scheduleWithFixedDelay(
              this::flushLog, LOG_FLUSH_MILLIS, LOG_FLUSH_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private <T extends AutoCloseable> T kept(T handle) {
    handles.add(handle);
    return handle;
  }

  private void flushLog() {
    try {
      database.flushWal(false);
    } catch (RocksDBException e) {
      throw new IllegalStateException("RocksDB could not flush its log", e);
    }
  }

  @Override
  public Session session() {
    return new JniSession();
  }

  @Override
  public EngineFigures figures() {
    return new EngineFigures(
        statistics.getHistogramData(HistogramType.FLUSH_TIME).getCount(),
        statistics.getHistogramData(HistogramType.COMPACTION_TIME).getCount(),
        statistics.getTickerCount(TickerType.FLUSH_WRITE_BYTES),
        statistics.getTickerCount(TickerType.COMPACT_WRITE_BYTES),
        statistics.getTickerCount(TickerType.WAL_FILE_BYTES));
  }

  @Override
  public String settings() {
    return "RocksDB "
        + RocksDB.rocksdbVersion()
        + " JNI: 2 write buffers of "
        + options.memoryBytes() / 2
        + " bytes, block cache "
        + options.cacheBytes()
        + " bytes, LZ4, Bloom filter of "
        + BLOOM_BITS
        + " bits, leveled compaction with dynamic level bytes, 2 background jobs, log "
        + options.durability();
  }

  @Override
  public void close() throws IOException {
    logFlusher.shutdownNow();
    try {
      if (!logFlusher.awaitTermination(10, TimeUnit.SECONDS)) {
        throw new IOException("the log flusher of RocksDB does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    database.close();
    Collections.reverse(handles);
    for (AutoCloseable handle : handles) {
      try {
        handle.close();
      } catch (Exception e) {
        throw new IOException("a handle of RocksDB could not be closed", e);
      }
    }
  }

  private static byte[] keyOf(byte[] row, int field) {
    byte[] name = ("field" + field).getBytes(StandardCharsets.US_ASCII);
    byte[] key = new byte[row.length + 1 + name.length];
    System.arraycopy(row, 0, key, 0, row.length);
    System.arraycopy(name, 0, key, row.length + 1, name.length);
    return key;
  }

  private final class JniSession implements Session {
    private final WriteBatch batch = new WriteBatch();
    private final ReadOptions readOptions = new ReadOptions();

    @Override
    public void write(byte[][] keys, byte[][][] values, int count) throws IOException {
      try {
        if (count == 1 && options.fields() == 1) {
          database.put(writeOptions, keys[0], values[0][0]);
          return;
        }
        for (int i = 0; i < count; i++) {
          if (options.fields() == 1) {
            batch.put(keys[i], values[i][0]);
          } else {
            for (int field = 0; field < options.fields(); field++) {
              batch.put(keyOf(keys[i], field), values[i][field]);
            }
          }
        }
        database.write(writeOptions, batch);
        batch.clear();
      } catch (RocksDBException e) {
        throw new IOException("RocksDB could not write", e);
      }
    }

    @Override
    public boolean read(byte[] key, int field) throws IOException {
      try {
        return database.get(readOptions, options.fields() == 1 ? key : keyOf(key, field)) != null;
      } catch (RocksDBException e) {
        throw new IOException("RocksDB could not read", e);
      }
    }

    @Override
    public int scan(byte[] fromKey, int rows) throws IOException {
      int wanted = rows * options.fields();
      int found = 0;
      try (RocksIterator iterator = database.newIterator(readOptions)) {
        for (iterator.seek(fromKey); iterator.isValid() && found < wanted; iterator.next()) {
          if (iterator.key().length > 0 && iterator.value().length > 0) {
            found++;
          }
        }
        iterator.status();
      } catch (RocksDBException e) {
        throw new IOException("RocksDB could not scan", e);
      }
      return found / options.fields();
    }

    @Override
    public void close() {
      batch.close();
      readOptions.close();
    }
  }
}
