// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools;

import io.accordiondb.bench.engine.Engine;
import io.accordiondb.bench.engine.EngineFigures;
import io.accordiondb.bench.engine.EngineOptions;
import io.accordiondb.bench.engine.ScanRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.regionserver.ChunkCreator;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.MemStoreLAB;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.jspecify.annotations.Nullable;

/**
 * Regions without a region server: {@link HRegion#batchMutate} on the caller's thread, flushes and
 * compactions on one thread each, as in a region server. Thread-safe.
 */
final class RegionEngine implements Engine {
  private static final long BUSY_NANOS = 1_000_000;

  private final EngineName name;
  private final EngineOptions options;
  private final Configuration configuration = HBaseConfiguration.create();
  private final WALFactory logs;
  private final LruBlockCache cache;
  private final ExecutorService flusher = Executors.newSingleThreadExecutor();
  private final ExecutorService compactor = Executors.newSingleThreadExecutor();
  private final AtomicLong flushes = new AtomicLong();
  private final AtomicLong compactions = new AtomicLong();

  /** Empty until the first write; replaced once, as a whole. */
  private volatile List<Part> parts = List.of();

  /** A region, and whether it is about to be flushed. */
  private record Part(HRegion region, AtomicBoolean flushing) {}

  RegionEngine(EngineName name, EngineOptions options) throws IOException {
    this.name = name;
    this.options = options;
    Path root = new Path(options.directory().toAbsolutePath().toUri());
    configuration.set("fs.defaultFS", "file:///");
    configuration.set("hbase.wal.provider", "filesystem");
    CommonFSUtils.setRootDir(configuration, root);
    CommonFSUtils.setWALRootDir(configuration, root);
    name.configure(configuration, options);
    ChunkCreator.initialize(
        MemStoreLAB.CHUNK_SIZE_DEFAULT,
        false,
        MemorySizeUtil.getGlobalMemStoreSize(configuration).getFirst(),
        MemStoreLAB.POOL_MAX_SIZE_DEFAULT,
        MemStoreLAB.POOL_INITIAL_SIZE_DEFAULT,
        null,
        MemStoreLAB.INDEX_CHUNK_SIZE_PERCENTAGE_DEFAULT);
    this.logs = new WALFactory(configuration, "bench");
    this.cache = new LruBlockCache(Math.max(1 << 20, options.cacheBytes()), 64 << 10);
  }

  /** Opens the regions, whose ranges depend on the length of keys, at the first write. */
  private synchronized List<Part> open(byte[] key) throws IOException {
    if (!parts.isEmpty()) {
      return parts;
    }
    TableDescriptor table = name.table(options);
    byte[][] splits = EngineName.splits(key);
    List<Part> opened = new ArrayList<>();
    for (int i = 0; i < EngineName.REGIONS; i++) {
      RegionInfo info =
          RegionInfoBuilder.newBuilder(table.getTableName())
              .setStartKey(i == 0 ? new byte[0] : splits[i - 1])
              .setEndKey(i == splits.length ? new byte[0] : splits[i])
              .build();
      HRegion region =
          HRegion.createHRegion(
              info,
              CommonFSUtils.getRootDir(configuration),
              configuration,
              table,
              logs.getWAL(info),
              false);
      region.setBlockCache(cache);
      region.initialize();
      opened.add(new Part(region, new AtomicBoolean()));
    }
    parts = List.copyOf(opened);
    return parts;
  }

  private List<Part> parts(byte[] key) throws IOException {
    List<Part> opened = parts;
    return opened.isEmpty() ? open(key) : opened;
  }

  private static int partOf(List<Part> parts, byte[] row) {
    int part = parts.size() - 1;
    while (part > 0
        && Bytes.compareTo(row, parts.get(part).region.getRegionInfo().getStartKey()) < 0) {
      part--;
    }
    return part;
  }

  @Override
  public Session session() {
    return new RegionSession();
  }

  private void flushIfLarge(Part part) {
    HRegion region = part.region;
    if (region.getMemStoreHeapSize() + region.getMemStoreOffHeapSize()
            > region.getMemStoreFlushSize()
        && !part.flushing.getAndSet(true)) {
      flusher.execute(
          () -> {
            try {
              region.flush(true);
              flushes.incrementAndGet();
              part.flushing.set(false);
              compactor.execute(() -> compactIfNeeded(region));
            } catch (IOException e) {
              throw new IllegalStateException(e);
            }
          });
    }
  }

  private void compactIfNeeded(HRegion region) {
    try {
      if (region.getStores().stream().anyMatch(HStore::needsCompaction)) {
        region.compact(false);
        compactions.incrementAndGet();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void majorCompact() throws IOException {
    for (Part part : parts) {
      part.region.flush(true);
      part.region.compact(true);
    }
  }

  @Override
  public EngineFigures figures() {
    long flushed = 0;
    long compacted = 0;
    for (Part part : parts) {
      for (HStore store : part.region.getStores()) {
        flushed += store.getFlushedOutputFileSize();
        compacted += store.getCompactedCellsSize() + store.getMajorCompactedCellsSize();
      }
    }
    return new EngineFigures(flushes.get(), compactions.get(), flushed, compacted, 0);
  }

  @Override
  public String settings() {
    return "HBase " + VersionInfo.getVersion() + " in process, " + name.table(options);
  }

  @Override
  public void close() throws IOException {
    flusher.shutdown();
    await(flusher);
    compactor.shutdownNow();
    await(compactor);
    for (Part part : parts) {
      part.region.close();
    }
    logs.close();
    cache.shutdown();
  }

  private static void await(ExecutorService executor) throws IOException {
    try {
      executor.awaitTermination(10, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private final class RegionSession implements Session {
    @Override
    public void write(byte[][] keys, byte[][][] values, int count) throws IOException {
      List<Part> opened = parts(keys[0]);
      List<List<Mutation>> batches = new ArrayList<>();
      for (int i = 0; i < opened.size(); i++) {
        batches.add(new ArrayList<>());
      }
      for (int i = 0; i < count; i++) {
        Put put = new Put(keys[i]);
        for (int field = 0; field < values[i].length; field++) {
          put.addColumn(EngineName.FAMILY, EngineName.qualifier(field), values[i][field]);
        }
        batches.get(partOf(opened, keys[i])).add(put);
      }
      for (int i = 0; i < opened.size(); i++) {
        if (!batches.get(i).isEmpty()) {
          write(opened.get(i), batches.get(i).toArray(new Mutation[0]));
        }
      }
    }

    private void write(Part part, Mutation[] batch) throws IOException {
      while (true) {
        try {
          part.region.batchMutate(batch);
          flushIfLarge(part);
          return;
        } catch (RegionTooBusyException e) {
          flushIfLarge(part);
          LockSupport.parkNanos(BUSY_NANOS);
        }
      }
    }

    @Override
    public byte @Nullable [] read(byte[] key, int field) throws IOException {
      List<Part> opened = parts(key);
      Get get = new Get(key).addColumn(EngineName.FAMILY, EngineName.qualifier(field));
      return opened.get(partOf(opened, key)).region.get(get).value();
    }

    @Override
    public List<Row> scan(ScanRequest scan) throws IOException {
      int count = scan.count();
      List<Part> opened = parts(scan.key());
      List<Row> found = new ArrayList<>(count);
      List<Cell> cells = new ArrayList<>();
      int step = scan.reversed() ? -1 : 1;
      int part = partOf(opened, scan.key());
      for (; part >= 0 && part < opened.size() && found.size() < count; part += step) {
        try (RegionScanner scanner = opened.get(part).region.getScanner(EngineName.scan(scan))) {
          boolean more = true;
          while (more && found.size() < count) {
            cells.clear();
            more = scanner.next(cells);
            if (!cells.isEmpty()) {
              found.add(EngineName.row(cells));
            }
          }
        }
      }
      return found;
    }

    @Override
    public void delete(byte[] key) throws IOException {
      List<Part> opened = parts(key);
      write(opened.get(partOf(opened, key)), new Mutation[] {new Delete(key)});
    }

    @Override
    public void close() {}
  }
}
