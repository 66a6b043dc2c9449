// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.dashboard;

import io.accordiondb.hbase.OpenMemStore;
import io.accordiondb.memstore.MemStoreStatistics;
import io.accordiondb.memstore.SegmentStatistics;
import io.accordiondb.statistics.CompactionStatistics;
import io.accordiondb.statistics.FileStatistics;
import io.accordiondb.statistics.FlushStatistics;
import io.accordiondb.statistics.LevelStatistics;
import io.accordiondb.statistics.MemoryStatistics;
import io.accordiondb.statistics.StallCause;
import io.accordiondb.statistics.StallStatistics;
import io.accordiondb.statistics.StoreStatistics;
import io.accordiondb.statistics.TableStatistics;
import io.accordiondb.statistics.WriteStatistics;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.MetricsRegionWrapper;
import org.apache.hadoop.hbase.util.Bytes;

/** The stores of a region server at one moment, individually and as sums. Belongs to one thread. */
final class ServedStores {
  /** Hexadecimal digits of a region's name that a number of JavaScript can hold. */
  private static final int REGION_DIGITS = 13;

  private static final int HEXADECIMAL = 16;

  /** One store: what is in memory, its region, and what is in files. */
  record ServedStore(OpenMemStore open, HRegion region, HStore store) {
    MemStoreStatistics memory() {
      return open.memory();
    }
  }

  private final List<ServedStore> stores;
  private final List<HRegion> regions;

  ServedStores(List<ServedStore> stores) {
    this.stores = stores;
    this.regions = stores.stream().map(ServedStore::region).distinct().toList();
  }

  private long sum(ToLongFunction<ServedStore> figure) {
    return stores.stream().mapToLong(figure).sum();
  }

  private long sumInMemory(ToLongFunction<MemStoreStatistics> figure) {
    return sum(served -> figure.applyAsLong(served.memory()));
  }

  private long sumOfSegments(
      Function<MemStoreStatistics, Stream<SegmentStatistics>> segments,
      ToLongFunction<SegmentStatistics> figure) {
    return sumInMemory(memory -> segments.apply(memory).mapToLong(figure).sum());
  }

  private long sumOfRegions(ToLongFunction<MetricsRegionWrapper> figure) {
    return regions.stream()
        .mapToLong(region -> figure.applyAsLong(region.getMetrics().getRegionWrapper()))
        .sum();
  }

  /** What was written is in memory, was dropped there, or has been flushed. */
  WriteStatistics writes() {
    long cells =
        sumInMemory(MemStoreStatistics::cells)
            + sumInMemory(MemStoreStatistics::cellsEliminated)
            + sum(served -> served.store().getFlushedCellsCount());
    long bytes =
        sumOfSegments(MemStoreStatistics::segments, SegmentStatistics::dataBytes)
            + sumInMemory(MemStoreStatistics::bytesEliminated)
            + sum(served -> served.store().getFlushedCellsSize());
    long slowed = sum(served -> served.open().slowedWrites());
    long nanos = sum(served -> served.open().slowedNanos());
    StallStatistics.Stalls stalls = new StallStatistics.Stalls(slowed, nanos, 0);
    return new WriteStatistics(
        regions.stream().mapToLong(HRegion::getWriteRequestsCount).sum(),
        cells,
        bytes,
        new StallStatistics(
            Map.of(StallCause.MEMORY, stalls),
            // Nobody counts the time in which any writer waits.
            nanos,
            slowed == 0 ? null : "a region holds much"),
        0,
        0);
  }

  FlushStatistics flushes() {
    return new FlushStatistics(
        sum(served -> served.open().flushes()),
        (int) sum(served -> served.memory().snapshot().isEmpty() ? 0 : 1),
        sum(served -> served.store().getFlushedCellsCount()),
        sum(served -> served.store().getFlushedOutputFileSize()),
        0,
        null);
  }

  /** Bytes written are those of the cells, before they are compressed: HBase counts no others. */
  CompactionStatistics compactions() {
    return new CompactionStatistics(
        sumOfRegions(MetricsRegionWrapper::getNumCompactionsCompleted),
        (int) regions.stream().filter(ServedStores::isCompacting).count(),
        sumOfRegions(MetricsRegionWrapper::getNumBytesCompacted),
        sum(
            served ->
                served.store().getCompactedCellsSize()
                    + served.store().getMajorCompactedCellsSize()),
        0,
        sumOfRegions(MetricsRegionWrapper::getNumCompactionsFailed),
        null);
  }

  MemoryStatistics memory(long budgetBytes) {
    long held = sumOfSegments(MemStoreStatistics::segments, SegmentStatistics::heldBytes);
    long index = sumOfSegments(MemStoreStatistics::segments, SegmentStatistics::indexBytes);
    long used = sumInMemory(MemStoreStatistics::usedBytes);
    return new MemoryStatistics(
        used,
        used,
        budgetBytes,
        sumInMemory(MemStoreStatistics::heapBytes),
        sumInMemory(MemStoreStatistics::offHeapBytes),
        sumInMemory(memory -> memory.active().heldBytes()),
        sumOfSegments(memory -> memory.pipeline().stream(), SegmentStatistics::heldBytes),
        sumOfSegments(memory -> memory.snapshot().stream(), SegmentStatistics::heldBytes),
        index,
        held - index,
        0,
        sumInMemory(MemStoreStatistics::cells),
        sumOfSegments(MemStoreStatistics::segments, SegmentStatistics::dataBytes),
        sumInMemory(MemStoreStatistics::pipelineSegments),
        sumInMemory(MemStoreStatistics::inMemoryFlushes),
        sumInMemory(MemStoreStatistics::merges),
        sumInMemory(MemStoreStatistics::compactions),
        sumInMemory(MemStoreStatistics::aborts),
        sumInMemory(MemStoreStatistics::cellsEliminated),
        sumInMemory(MemStoreStatistics::bytesEliminated));
  }

  FileStatistics files() {
    return files(
        sum(served -> served.store().getStorefilesCount()),
        sum(served -> served.store().getStorefilesSize()));
  }

  /** HBase's files have no levels, and it does not count their cells. */
  private static FileStatistics files(long count, long bytes) {
    return new FileStatistics(
        count == 0 ? List.of() : List.of(new LevelStatistics(0, count, bytes, 0)), 0);
  }

  List<TableStatistics> tables() {
    Map<String, List<StoreStatistics>> byTable =
        stores.stream()
            .map(ServedStores::statistics)
            .sorted(
                Comparator.comparing(StoreStatistics::startRow)
                    .thenComparing(StoreStatistics::family))
            .collect(
                Collectors.groupingBy(StoreStatistics::table, TreeMap::new, Collectors.toList()));
    return byTable.entrySet().stream().map(ServedStores::table).toList();
  }

  private static TableStatistics table(Map.Entry<String, List<StoreStatistics>> table) {
    long regions = table.getValue().stream().mapToLong(StoreStatistics::region).distinct().count();
    return new TableStatistics(table.getKey(), (int) regions, table.getValue());
  }

  private static StoreStatistics statistics(ServedStore served) {
    RegionInfo region = served.open().region();
    int files = served.store().getStorefilesCount();
    return new StoreStatistics(
        region.getTable().getNameAsString(),
        served.open().family(),
        number(region),
        Bytes.toStringBinary(region.getStartKey()),
        Bytes.toStringBinary(region.getEndKey()),
        served.memory(),
        files(files, served.store().getStorefilesSize()),
        files,
        0,
        !served.memory().snapshot().isEmpty(),
        isCompacting(served.region()));
  }

  /** Returns the first digits of a region's name; its identity is a time that regions may share. */
  private static long number(RegionInfo region) {
    String name = region.getEncodedName();
    return Long.parseLong(name, 0, Math.min(name.length(), REGION_DIGITS), HEXADECIMAL);
  }

  private static boolean isCompacting(HRegion region) {
    return region.getCompactionState() != CompactionState.NONE;
  }
}
