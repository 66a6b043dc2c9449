// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import io.accordiondb.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.HistogramType;
import org.rocksdb.LRUCache;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Statistics;
import org.rocksdb.StatsLevel;
import org.rocksdb.TickerType;
import org.rocksdb.UInt64AddOperator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** RocksDB through JNI. */
public final class RocksDbEngine implements Engine {
  private static final int BLOOM_BITS = 10;
  private static final long LOG_FLUSH_MILLIS = 10;

  /** As UInt64AddOperator has numbers: little-endian. */
  private static final byte[] ONE = {1, 0, 0, 0, 0, 0, 0, 0};

  /** By default parts are down to 512 KB small, and the filter of a large table fits in none. */
  private static final long CACHE_PART_BYTES = 8 << 20;

  private static final int CACHE_PART_BITS_MAX = 6;

  private final EngineOptions options;
  private final double memPurgeThreshold;
  private final List<AutoCloseable> handles = new ArrayList<>();
  private final Statistics statistics;
  private final WriteOptions writeOptions;
  private final RocksDB database;
  private final ScheduledExecutorService logFlusher;

  /**
   * Opens the store, which is created if it is missing.
   *
   * @param memPurgeThreshold below which estimated share of useful bytes full write buffers are
   *     compacted in memory instead of flushed; 0 for never, RocksDB's default
   */
  public RocksDbEngine(EngineOptions options, double memPurgeThreshold) throws IOException {
    RocksDB.loadLibrary();
    this.options = options;
    this.memPurgeThreshold = memPurgeThreshold;
    Files.createDirectories(options.directory());
    statistics = kept(new Statistics());
    statistics.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS);
    writeOptions =
        kept(new WriteOptions())
            .setDisableWAL(options.durability() == Durability.SKIP)
            .setSync(options.durability() == Durability.FSYNC);
    try {
      List<ColumnFamilyHandle> families = new ArrayList<>();
      database =
          RocksDB.open(
              databaseOptions(),
              options.directory().toString(),
              List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, familyOptions())),
              families);
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

  private DBOptions databaseOptions() {
    return kept(new DBOptions())
        .setCreateIfMissing(true)
        .setStatistics(statistics)
        .setMaxBackgroundJobs(2)
        .setManualWalFlush(options.durability() == Durability.ASYNC);
  }

  private ColumnFamilyOptions familyOptions() {
    Cache cache =
        kept(new LRUCache(Math.max(1, options.cacheBytes()), cachePartBits(options.cacheBytes())));
    BlockBasedTableConfig tables =
        new BlockBasedTableConfig()
            .setBlockCache(cache)
            .setFilterPolicy(kept(new BloomFilter(BLOOM_BITS, false)))
            .setCacheIndexAndFilterBlocks(true)
            .setPinL0FilterAndIndexBlocksInCache(true);
    ColumnFamilyOptions family = kept(new ColumnFamilyOptions());
    if (options.counters()) {
      family.setMergeOperator(kept(new UInt64AddOperator()));
    }
    return family
        .setWriteBufferSize(options.memoryBytes() / 2)
        .setMaxWriteBufferNumber(2)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setLevelCompactionDynamicLevelBytes(true)
        .setExperimentalMempurgeThreshold(memPurgeThreshold)
        .setTableFormatConfig(tables);
  }

  private static int cachePartBits(long cacheBytes) {
    long parts = Math.max(1, cacheBytes / CACHE_PART_BYTES);
    return Math.min(CACHE_PART_BITS_MAX, Long.SIZE - 1 - Long.numberOfLeadingZeros(parts));
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
    return new EntrySession(new JniStore(), options.fields());
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
        + " bytes in parts of at least "
        + Math.min(options.cacheBytes(), CACHE_PART_BYTES)
        + ", LZ4, Bloom filter of "
        + BLOOM_BITS
        + " bits, leveled compaction with dynamic level bytes, 2 background jobs, log "
        + options.durability()
        + (memPurgeThreshold == 0 ? "" : ", mempurge threshold " + memPurgeThreshold);
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

  private final class JniStore implements EntryStore {
    private final WriteBatch batch = new WriteBatch();
    private final ReadOptions readOptions = new ReadOptions();
    private final ReadOptions boundedOptions = new ReadOptions();

    @Override
    public void put(List<Entry> entries) throws IOException {
      try {
        if (entries.size() == 1) {
          database.put(writeOptions, entries.get(0).key(), entries.get(0).value());
          return;
        }
        for (Entry entry : entries) {
          batch.put(entry.key(), entry.value());
        }
        database.write(writeOptions, batch);
        batch.clear();
      } catch (RocksDBException e) {
        throw new IOException("RocksDB could not write", e);
      }
    }

    @Override
    public void count(byte[][] keys, int count) throws IOException {
      try {
        for (int i = 0; i < count; i++) {
          batch.merge(keys[i], ONE);
        }
        database.write(writeOptions, batch);
        batch.clear();
      } catch (RocksDBException e) {
        throw new IOException("RocksDB could not merge", e);
      }
    }

    @Override
    public long counterOf(byte[] value) {
      return ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    @Override
    public void delete(List<byte[]> keys) throws IOException {
      try {
        for (byte[] key : keys) {
          batch.delete(key);
        }
        database.write(writeOptions, batch);
        batch.clear();
      } catch (RocksDBException e) {
        throw new IOException("RocksDB could not delete", e);
      }
    }

    @Override
    public byte @Nullable [] get(byte[] key) throws IOException {
      try {
        return database.get(readOptions, key);
      } catch (RocksDBException e) {
        throw new IOException("RocksDB could not read", e);
      }
    }

    @Override
    public List<Entry> scan(ScanRequest scan) throws IOException {
      byte[] end = scan.end();
      if (end == null) {
        return scan(scan, readOptions);
      }
      try (Slice bound = new Slice(end)) {
        return scan(scan, boundedOptions.setIterateUpperBound(bound));
      }
    }

    private List<Entry> scan(ScanRequest scan, ReadOptions bounds) throws IOException {
      List<Entry> found = new ArrayList<>(scan.count());
      try (RocksIterator iterator = database.newIterator(bounds)) {
        if (scan.reversed()) {
          iterator.seekForPrev(scan.key());
        } else {
          iterator.seek(scan.key());
        }
        while (iterator.isValid() && found.size() < scan.count()) {
          found.add(new Entry(iterator.key(), iterator.value()));
          if (scan.reversed()) {
            iterator.prev();
          } else {
            iterator.next();
          }
        }
        iterator.status();
      } catch (RocksDBException e) {
        throw new IOException("RocksDB could not scan", e);
      }
      return found;
    }

    @Override
    public void close() {
      batch.close();
      readOptions.close();
      boundedOptions.close();
    }
  }
}
