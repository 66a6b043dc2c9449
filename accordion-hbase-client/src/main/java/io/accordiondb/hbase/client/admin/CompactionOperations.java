// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import io.accordiondb.hbase.client.catalog.Catalog;
import io.accordiondb.hbase.client.catalog.CatalogTable;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CompactType;
import org.apache.hadoop.hbase.client.CompactionState;
import org.jspecify.annotations.Nullable;

/**
 * HBase's operations on compactions. As in HBase they are requests, which run in the background. A
 * compaction of a region or of a family compacts its table.
 */
final class CompactionOperations {
  private final Catalog catalog;
  private final RegionLookup regions;
  private final Compactions compactions;
  private final ServerName server;

  CompactionOperations(
      Catalog catalog, RegionLookup regions, Compactions compactions, ServerName server) {
    this.catalog = catalog;
    this.regions = regions;
    this.compactions = compactions;
    this.server = server;
  }

  public void compact(TableName table) throws IOException {
    request(table, null, false);
  }

  public void compact(TableName table, byte[] family) throws IOException {
    request(table, family, false);
  }

  public void compact(TableName table, CompactType type) throws IOException {
    checkType(type);
    request(table, null, false);
  }

  public void compact(TableName table, byte[] family, CompactType type) throws IOException {
    checkType(type);
    request(table, family, false);
  }

  public void compactRegion(byte[] region) throws IOException {
    request(regions.argument(region).getTable(), null, false);
  }

  public void compactRegion(byte[] region, byte[] family) throws IOException {
    request(regions.argument(region).getTable(), family, false);
  }

  public void compactRegionServer(ServerName name) throws IOException {
    requestAll(name, false);
  }

  public void majorCompact(TableName table) throws IOException {
    request(table, null, true);
  }

  public void majorCompact(TableName table, byte[] family) throws IOException {
    request(table, family, true);
  }

  public void majorCompact(TableName table, CompactType type) throws IOException {
    checkType(type);
    request(table, null, true);
  }

  public void majorCompact(TableName table, byte[] family, CompactType type) throws IOException {
    checkType(type);
    request(table, family, true);
  }

  public void majorCompactRegion(byte[] region) throws IOException {
    request(regions.argument(region).getTable(), null, true);
  }

  public void majorCompactRegion(byte[] region, byte[] family) throws IOException {
    request(regions.argument(region).getTable(), family, true);
  }

  public void majorCompactRegionServer(ServerName name) throws IOException {
    requestAll(name, true);
  }

  private void request(TableName name, byte @Nullable [] family, boolean major) throws IOException {
    CatalogTable table = catalog.get(name);
    RegionOperations.checkFamily(table, family);
    // HBase leaves out regions that are not open.
    if (table.enabled()) {
      compactions.request(name, major);
    }
  }

  private void requestAll(ServerName name, boolean major) throws IOException {
    if (!ServerName.isSameAddress(server, name)) {
      throw new DoNotRetryIOException("there is no server " + name + "; the only one is " + server);
    }
    for (CatalogTable table : catalog.tables()) {
      compactions.request(table.name(), major);
    }
  }

  private static void checkType(CompactType type) {
    if (type == CompactType.MOB) {
      throw new UnsupportedOperationException(
          "compactions of MOB files are not available in an embedded store: it has no such files");
    }
  }

  public CompactionState getCompactionState(TableName name) throws IOException {
    return catalog.get(name).enabled() ? compactions.state(name) : CompactionState.NONE;
  }

  public CompactionState getCompactionState(TableName name, CompactType type) throws IOException {
    checkType(type);
    return getCompactionState(name);
  }

  public CompactionState getCompactionStateForRegion(byte[] region) throws IOException {
    return getCompactionState(regions.argument(region).getTable());
  }

  public long getLastMajorCompactionTimestamp(TableName name) throws IOException {
    catalog.get(name);
    return compactions.lastMajorMillis(name);
  }

  public long getLastMajorCompactionTimestampForRegion(byte[] region) throws IOException {
    return compactions.lastMajorMillis(regions.argument(region).getTable());
  }
}
