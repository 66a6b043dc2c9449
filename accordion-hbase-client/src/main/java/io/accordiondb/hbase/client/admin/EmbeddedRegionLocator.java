// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import io.accordiondb.ClosedException;
import io.accordiondb.hbase.client.catalog.Catalog;
import io.accordiondb.hbase.client.catalog.ClosedConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Locates the regions of a table: all are at the one server, and each answer is as of the call.
 * There are no replicas but the first. Thread-safe.
 */
final class EmbeddedRegionLocator implements RegionLocator {
  private final Catalog catalog;
  private final TableName table;
  private final ServerName server;
  private final BooleanSupplier closed;

  EmbeddedRegionLocator(
      Catalog catalog, TableName table, ServerName server, BooleanSupplier closed) {
    this.catalog = catalog;
    this.table = table;
    this.server = server;
    this.closed = closed;
  }

  @Override
  public HRegionLocation getRegionLocation(byte[] row, int replicaId, boolean reload)
      throws IOException {
    if (replicaId != RegionInfo.DEFAULT_REPLICA_ID) {
      throw new DoNotRetryIOException(
          "table " + table + " has no replica " + replicaId + " in an embedded store");
    }
    return locationOf(regionOf(regions(), row));
  }

  @Override
  public List<HRegionLocation> getRegionLocations(byte[] row, boolean reload) throws IOException {
    return List.of(getRegionLocation(row, RegionInfo.DEFAULT_REPLICA_ID, reload));
  }

  @Override
  public List<HRegionLocation> getAllRegionLocations() throws IOException {
    try {
      return new ArrayList<>(regions().stream().map(this::locationOf).toList());
    } catch (TableNotFoundException e) {
      return new ArrayList<>(); // As in HBase, which finds none in its list of regions.
    }
  }

  private List<RegionInfo> regions() throws IOException {
    if (closed.getAsBoolean()) {
      throw ClosedConnection.failure();
    }
    try {
      return catalog.regions(table);
    } catch (ClosedException e) {
      throw ClosedConnection.failure(e);
    }
  }

  private HRegionLocation locationOf(RegionInfo region) {
    return new HRegionLocation(region, server);
  }

  /** Returns the region that has a row; regions are in order and cover all rows. */
  static RegionInfo regionOf(List<RegionInfo> regions, byte[] row) {
    int low = 0;
    int high = regions.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (Bytes.compareTo(regions.get(middle).getStartKey(), row) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return regions.get(low);
  }

  /** Does nothing: no location is kept. */
  @Override
  public void clearRegionLocationCache() {}

  @Override
  public TableName getName() {
    return table;
  }

  /** Does nothing: a locator holds no resources. */
  @Override
  public void close() {}
}
