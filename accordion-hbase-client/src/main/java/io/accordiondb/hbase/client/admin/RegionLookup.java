// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import io.accordiondb.hbase.client.catalog.Catalog;
import io.accordiondb.hbase.client.catalog.CatalogTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.UnknownRegionException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/** Finds regions by their full or encoded names, and by rows. Thread-safe. */
final class RegionLookup {
  private final Catalog catalog;

  RegionLookup(Catalog catalog) {
    this.catalog = catalog;
  }

  /**
   * Returns a region.
   *
   * @throws UnknownRegionException if there is no such region
   */
  RegionInfo get(byte[] name) throws IOException {
    RegionInfo region = find(name);
    if (region == null) {
      throw new UnknownRegionException(
          "Invalid region name or encoded region name: " + Bytes.toStringBinary(name));
    }
    return region;
  }

  /**
   * Returns a region that is an argument of a method for which HBase does not say that the region
   * is unknown.
   *
   * @throws IllegalArgumentException if there is no such region
   */
  RegionInfo argument(byte[] name) throws IOException {
    RegionInfo region = find(name);
    if (region == null) {
      throw new IllegalArgumentException("Invalid region: " + Bytes.toStringBinary(name));
    }
    return region;
  }

  private @Nullable RegionInfo find(byte[] name) throws IOException {
    if (name == null) {
      throw new IllegalArgumentException("Passed region name can't be null");
    }
    if (!RegionInfo.isEncodedRegionName(name)) {
      TableName table = RegionInfo.getTable(name);
      return catalog.exists(table) ? find(catalog.regions(table), name) : null;
    }
    for (CatalogTable table : catalog.tables()) {
      try {
        RegionInfo found = find(catalog.regions(table.name()), name);
        if (found != null) {
          return found;
        }
      } catch (TableNotFoundException e) {
        // It was dropped in the meantime, so the region is not one of its own.
        continue;
      }
    }
    return null;
  }

  private static @Nullable RegionInfo find(List<RegionInfo> regions, byte[] name) {
    for (RegionInfo region : regions) {
      if (Arrays.equals(region.getRegionName(), name)
          || Arrays.equals(region.getEncodedNameAsBytes(), name)) {
        return region;
      }
    }
    return null;
  }
}
