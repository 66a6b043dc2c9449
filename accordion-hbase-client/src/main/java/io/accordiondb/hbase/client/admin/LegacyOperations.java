// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.HRegionInfo;
import org.apache.hadoop.hbase.HTableDescriptor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * HBase's operations with descriptors of HBase 1, which HBase 2 deprecates and HBase 3 does not
 * have. Those on many tables return the tables for which the operation has failed.
 */
@SuppressWarnings("deprecation")
final class LegacyOperations {
  private final TableOperations tables;
  private final RegionOperations regions;

  LegacyOperations(TableOperations tables, RegionOperations regions) {
    this.tables = tables;
    this.regions = regions;
  }

  public HTableDescriptor[] listTables() throws IOException {
    return legacy(tables.listTableDescriptors());
  }

  public HTableDescriptor[] listTables(Pattern pattern) throws IOException {
    return listTables(pattern, false);
  }

  public HTableDescriptor[] listTables(String regex) throws IOException {
    return listTables(Pattern.compile(regex), false);
  }

  public HTableDescriptor[] listTables(@Nullable Pattern pattern, boolean includeSystemTables)
      throws IOException {
    return legacy(tables.listTableDescriptors(pattern, includeSystemTables));
  }

  public HTableDescriptor[] listTables(String regex, boolean includeSystemTables)
      throws IOException {
    return listTables(Pattern.compile(regex), includeSystemTables);
  }

  public HTableDescriptor getTableDescriptor(TableName name) throws IOException {
    return new HTableDescriptor(tables.getDescriptor(name));
  }

  public HTableDescriptor[] getTableDescriptorsByTableName(List<TableName> names)
      throws IOException {
    return legacy(tables.listTableDescriptors(names));
  }

  public HTableDescriptor[] getTableDescriptors(List<String> names) throws IOException {
    return getTableDescriptorsByTableName(names.stream().map(TableName::valueOf).toList());
  }

  public HTableDescriptor[] listTableDescriptorsByNamespace(String namespace) throws IOException {
    return legacy(tables.listTableDescriptorsByNamespace(Bytes.toBytes(namespace)));
  }

  public HTableDescriptor[] enableTables(String regex) throws IOException {
    return enableTables(Pattern.compile(regex));
  }

  public HTableDescriptor[] enableTables(Pattern pattern) throws IOException {
    return forEach(pattern, name -> !tables.isTableEnabled(name), tables::enableTable);
  }

  public HTableDescriptor[] disableTables(String regex) throws IOException {
    return disableTables(Pattern.compile(regex));
  }

  public HTableDescriptor[] disableTables(Pattern pattern) throws IOException {
    return forEach(pattern, tables::isTableEnabled, tables::disableTable);
  }

  public HTableDescriptor[] deleteTables(String regex) throws IOException {
    return deleteTables(Pattern.compile(regex));
  }

  public HTableDescriptor[] deleteTables(Pattern pattern) throws IOException {
    return forEach(pattern, name -> true, tables::deleteTable);
  }

  public List<HRegionInfo> getTableRegions(TableName table) throws IOException {
    return legacyRegions(regions.getRegions(table));
  }

  public List<HRegionInfo> getOnlineRegions(ServerName server) throws IOException {
    return legacyRegions(regions.getRegions(server));
  }

  /** Says something of a table. */
  @FunctionalInterface
  private interface TableTest {
    boolean test(TableName table) throws IOException;
  }

  /** Changes a table. */
  @FunctionalInterface
  private interface TableChange {
    void apply(TableName table) throws IOException;
  }

  private HTableDescriptor[] forEach(Pattern pattern, TableTest selection, TableChange change)
      throws IOException {
    List<TableDescriptor> failed = new ArrayList<>();
    for (TableDescriptor table : tables.listTableDescriptors(pattern, false)) {
      try {
        if (selection.test(table.getTableName())) {
          change.apply(table.getTableName());
        }
      } catch (IOException e) {
        failed.add(table);
      }
    }
    return legacy(failed);
  }

  private static HTableDescriptor[] legacy(List<TableDescriptor> descriptors) {
    return descriptors.stream().map(HTableDescriptor::new).toArray(HTableDescriptor[]::new);
  }

  private static List<HRegionInfo> legacyRegions(List<RegionInfo> regions) {
    return new ArrayList<>(regions.stream().map(HRegionInfo::new).toList());
  }
}
