// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import io.accordiondb.Database;
import io.accordiondb.hbase.client.catalog.Catalog;
import io.accordiondb.hbase.client.catalog.CatalogTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Lock;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.exceptions.MergeRegionException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * HBase's operations on regions: list, flush, split, merge, truncate. They are done when a method
 * returns. A flush of a region or of a family flushes its table.
 */
final class RegionOperations {
  private final Catalog catalog;
  private final RegionLookup regions;
  private final ServerName server;
  private volatile boolean splits = true;
  private volatile boolean merges = true;

  RegionOperations(Catalog catalog, RegionLookup regions, ServerName server) {
    this.catalog = catalog;
    this.regions = regions;
    this.server = server;
  }

  public List<RegionInfo> getRegions(TableName table) throws IOException {
    try {
      return new ArrayList<>(catalog.regions(table));
    } catch (TableNotFoundException e) {
      return new ArrayList<>(); // As in HBase, which finds none in its list of regions.
    }
  }

  public List<RegionInfo> getRegions(ServerName name) throws IOException {
    checkServer(name);
    List<RegionInfo> all = new ArrayList<>();
    for (CatalogTable table : catalog.tables()) {
      all.addAll(catalog.regions(table.name()));
    }
    return all;
  }

  private void checkServer(ServerName name) throws DoNotRetryIOException {
    if (!ServerName.isSameAddress(server, name)) {
      throw new DoNotRetryIOException("there is no server " + name + "; the only one is " + server);
    }
  }

  public void flush(TableName table) throws IOException {
    flush(table, List.of());
  }

  public void flush(TableName table, byte @Nullable [] family) throws IOException {
    flush(table, family == null ? List.of() : List.of(family));
  }

  public void flush(TableName name, List<byte[]> families) throws IOException {
    CatalogTable table = catalog.open(name);
    for (byte[] family : families) {
      checkFamily(table, family);
    }
    catalog.database().flush(Catalog.engineName(name));
  }

  /** Throws if a table does not have a family; null and an empty name stand for all families. */
  static void checkFamily(CatalogTable table, byte @Nullable [] family)
      throws NoSuchColumnFamilyException {
    if (family != null && family.length > 0 && !table.descriptor().hasColumnFamily(family)) {
      throw new NoSuchColumnFamilyException(
          "Column family " + Bytes.toString(family) + " does not exist in table " + table.name());
    }
  }

  public void flushRegion(byte[] region) throws IOException {
    flush(regions.argument(region).getTable());
  }

  public void flushRegion(byte[] region, byte[] family) throws IOException {
    flush(regions.argument(region).getTable(), family);
  }

  public void flushRegionServer(ServerName name) throws IOException {
    checkServer(name);
    catalog.database().flush();
  }

  public void split(TableName table) throws IOException {
    split(table, null);
  }

  /** Splits the region of a row at the row, or each region that is large enough in its middle. */
  public void split(TableName name, byte @Nullable [] row) throws IOException {
    catalog.open(name);
    if (row != null) {
      splitRegion(regionOf(name, row), row);
      return;
    }
    int splitRegions = 0;
    for (RegionInfo region : catalog.regions(name)) {
      splitRegions += trySplit(region) ? 1 : 0;
    }
    if (splitRegions == 0) {
      throw notSplittable("no region of table " + name);
    }
  }

  private RegionInfo regionOf(TableName table, byte[] row) throws IOException {
    return EmbeddedRegionLocator.regionOf(catalog.regions(table), row);
  }

  public void splitRegion(byte[] region) throws IOException {
    splitRegion(region, null);
  }

  public void splitRegion(byte[] region, byte @Nullable [] row) throws IOException {
    splitRegion(regions.argument(region), row);
  }

  public Future<Void> splitRegionAsync(byte[] region) throws IOException {
    return splitRegionAsync(region, null);
  }

  public Future<Void> splitRegionAsync(byte[] region, byte @Nullable [] row) throws IOException {
    splitKnownRegion(region, row);
    return CompletableFuture.completedFuture(null);
  }

  /** Splits a region; throws HBase's exception if it is unknown. */
  void splitKnownRegion(byte[] region, byte @Nullable [] row) throws IOException {
    splitRegion(regions.get(region), row);
  }

  private void splitRegion(RegionInfo region, byte @Nullable [] row) throws IOException {
    catalog.open(region.getTable());
    if (row == null) {
      if (!trySplit(region)) {
        throw notSplittable(region.getRegionNameAsString());
      }
      return;
    }
    checkSplits(region);
    if (row.length == 0 || Arrays.equals(region.getStartKey(), row)) {
      throw new DoNotRetryIOException("should not give a splitkey which equals to startkey!");
    }
    if (!region.containsRow(row)) {
      throw new DoNotRetryIOException(
          "Split row "
              + Bytes.toStringBinary(row)
              + " is not in region "
              + region.getRegionNameAsString());
    }
    if (!catalog.database().splitRegion(Catalog.engineName(region.getTable()), row)) {
      throw changing(region);
    }
  }

  private boolean trySplit(RegionInfo region) throws IOException {
    checkSplits(region);
    return catalog
        .database()
        .splitRegionAtMiddle(Catalog.engineName(region.getTable()), region.getStartKey());
  }

  private void checkSplits(RegionInfo region) throws IOException {
    if (!splits) {
      throw new DoNotRetryIOException("Split switch is off! skip split");
    }
    if (!catalog.get(region.getTable()).descriptor().isSplitEnabled()) {
      throw new DoNotRetryIOException(
          "Split region "
              + region.getRegionNameAsString()
              + " failed as region split is disabled for the table");
    }
  }

  private static DoNotRetryIOException notSplittable(String what) {
    return new DoNotRetryIOException(
        what + " has rows on both sides of a middle one in files; try to specify the split row");
  }

  private static IOException changing(RegionInfo region) {
    return new IOException(
        "region " + region.getRegionNameAsString() + " is being changed; try again");
  }

  /** Merges two regions; they must be neighbours, even if the merge is forced. */
  public void mergeRegions(byte[] lower, byte[] upper, boolean forcible) throws IOException {
    mergeRegions(new byte[][] {lower, upper}, forcible);
  }

  public void mergeRegions(byte[][] names, boolean forcible) throws IOException {
    if (names.length < 2) {
      throw new IllegalArgumentException("Can not merge only " + names.length + " region");
    }
    List<RegionInfo> merged = new ArrayList<>();
    for (byte[] name : names) {
      merged.add(regions.get(name));
    }
    merged.sort(Comparator.comparing(RegionInfo::getStartKey, Bytes.BYTES_COMPARATOR));
    TableName table = merged.get(0).getTable();
    for (RegionInfo region : merged) {
      if (!region.getTable().equals(table)) {
        throw new IllegalArgumentException(
            "Cannot merge regions from two different tables "
                + table
                + " and "
                + region.getTable());
      }
    }
    checkNeighbours(merged);
    if (!merges) {
      throw new DoNotRetryIOException("Merge switch is off! skip merge");
    }
    if (!catalog.get(table).descriptor().isMergeEnabled()) {
      throw new MergeRegionException("merge is disabled for the table " + table);
    }
    Database database = catalog.database();
    for (int i = 1; i < merged.size(); i++) {
      if (!database.mergeRegions(Catalog.engineName(table), merged.get(0).getStartKey())) {
        throw changing(merged.get(0));
      }
    }
  }

  public Future<Void> mergeRegionsAsync(byte[][] names, boolean forcible) throws IOException {
    mergeRegions(names, forcible);
    return CompletableFuture.completedFuture(null);
  }

  private static void checkNeighbours(List<RegionInfo> merged) throws MergeRegionException {
    for (int i = 1; i < merged.size(); i++) {
      RegionInfo lower = merged.get(i - 1);
      RegionInfo upper = merged.get(i);
      if (!Arrays.equals(lower.getEndKey(), upper.getStartKey()) || lower.getEndKey().length == 0) {
        throw new MergeRegionException(
            "Unable to merge regions that are not neighbours: "
                + lower.getRegionNameAsString()
                + ", "
                + upper.getRegionNameAsString());
      }
    }
  }

  public void truncateRegion(byte[] name) throws IOException {
    RegionInfo region = regions.argument(name);
    CatalogTable table = catalog.open(region.getTable());
    Lock writing = catalog.beginWrite(table);
    try {
      table.table().deleteRange(region.getStartKey(), region.getEndKey());
    } finally {
      writing.unlock();
    }
  }

  /** Says whether this administration splits regions; the database splits large ones anyway. */
  public boolean splitSwitch(boolean enabled, boolean synchronous) {
    boolean before = splits;
    splits = enabled;
    return before;
  }

  public boolean isSplitEnabled() {
    return splits;
  }

  /** Says whether this administration merges regions. */
  public boolean mergeSwitch(boolean enabled, boolean synchronous) {
    boolean before = merges;
    merges = enabled;
    return before;
  }

  public boolean isMergeEnabled() {
    return merges;
  }
}
