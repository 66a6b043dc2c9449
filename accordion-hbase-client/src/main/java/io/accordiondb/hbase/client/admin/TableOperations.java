// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import io.accordiondb.hbase.client.catalog.Catalog;
import io.accordiondb.hbase.client.catalog.CatalogTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;

/** HBase's operations on whole tables: list, describe, create, alter, drop, enable and disable. */
final class TableOperations {
  private static final int REGIONS_MIN = 3;

  private final Catalog catalog;

  TableOperations(Catalog catalog) {
    this.catalog = catalog;
  }

  public boolean tableExists(TableName name) throws IOException {
    return catalog.exists(name);
  }

  public TableDescriptor getDescriptor(TableName name) throws IOException {
    return catalog.get(name).descriptor();
  }

  public List<TableDescriptor> listTableDescriptors() throws IOException {
    return listTableDescriptors(null, false);
  }

  public List<TableDescriptor> listTableDescriptors(Pattern pattern) throws IOException {
    return listTableDescriptors(pattern, false);
  }

  public List<TableDescriptor> listTableDescriptors(
      @Nullable Pattern pattern, boolean includeSystemTables) throws IOException {
    return select(
        table ->
            (includeSystemTables || !table.name().isSystemTable())
                && TablePatterns.matches(pattern, table.name()));
  }

  /** Describes the tables with these names that exist, in this order; without names, all tables. */
  public List<TableDescriptor> listTableDescriptors(@Nullable List<TableName> names)
      throws IOException {
    if (names == null || names.isEmpty()) {
      return listTableDescriptors();
    }
    List<TableDescriptor> listed = new ArrayList<>();
    for (TableName name : names) {
      try {
        listed.add(getDescriptor(name));
      } catch (TableNotFoundException e) {
        // Passed over, as in HBase.
      }
    }
    return listed;
  }

  public List<TableDescriptor> listTableDescriptorsByNamespace(byte[] namespace)
      throws IOException {
    String name = Bytes.toString(namespace);
    catalog.namespaces().get(name);
    return select(table -> table.name().getNamespaceAsString().equals(name));
  }

  public List<TableDescriptor> listTableDescriptorsByState(boolean enabled) throws IOException {
    return select(table -> table.enabled() == enabled);
  }

  public TableName[] listTableNames() throws IOException {
    return namesOf(listTableDescriptors(null, false));
  }

  public TableName[] listTableNames(Pattern pattern) throws IOException {
    return namesOf(listTableDescriptors(pattern, false));
  }

  public TableName[] listTableNames(String regex) throws IOException {
    return listTableNames(regex, false);
  }

  public TableName[] listTableNames(@Nullable Pattern pattern, boolean includeSystemTables)
      throws IOException {
    return namesOf(listTableDescriptors(pattern, includeSystemTables));
  }

  public TableName[] listTableNames(String regex, boolean includeSystemTables) throws IOException {
    return namesOf(listTableDescriptors(TablePatterns.compile(regex), includeSystemTables));
  }

  public TableName[] listTableNamesByNamespace(String namespace) throws IOException {
    return namesOf(listTableDescriptorsByNamespace(Bytes.toBytes(namespace)));
  }

  public List<TableName> listTableNamesByState(boolean enabled) throws IOException {
    return new ArrayList<>(Arrays.asList(namesOf(listTableDescriptorsByState(enabled))));
  }

  private List<TableDescriptor> select(Predicate<CatalogTable> selection) throws IOException {
    List<TableDescriptor> selected = new ArrayList<>();
    for (CatalogTable table : catalog.tables()) {
      if (selection.test(table)) {
        selected.add(table.descriptor());
      }
    }
    return selected;
  }

  private static TableName[] namesOf(List<TableDescriptor> tables) {
    return tables.stream().map(TableDescriptor::getTableName).toArray(TableName[]::new);
  }

  public void createTable(TableDescriptor table) throws IOException {
    catalog.changes().create(table);
  }

  public void createTable(TableDescriptor table, byte @Nullable [][] splitKeys) throws IOException {
    catalog.changes().create(table, splitKeys == null ? new byte[0][] : splitKeys);
  }

  public void createTable(TableDescriptor table, byte[] startKey, byte[] endKey, int regions)
      throws IOException {
    if (regions < REGIONS_MIN) {
      throw new IllegalArgumentException("Must create at least three regions");
    }
    if (Bytes.compareTo(startKey, endKey) >= 0) {
      throw new IllegalArgumentException("Start key must be smaller than end key");
    }
    byte[][] splitKeys =
        regions == REGIONS_MIN
            ? new byte[][] {startKey, endKey}
            : Bytes.split(startKey, endKey, regions - REGIONS_MIN);
    if (splitKeys == null || splitKeys.length != regions - 1) {
      throw new IllegalArgumentException("Unable to split key range into enough regions");
    }
    createTable(table, splitKeys);
  }

  public void cloneTableSchema(TableName name, TableName newName, boolean preserveSplits)
      throws IOException {
    TableDescriptor table = getDescriptor(name);
    if (tableExists(newName)) {
      throw new TableExistsException(newName);
    }
    byte[][] splitKeys =
        catalog.regions(name).stream().skip(1).map(RegionInfo::getStartKey).toArray(byte[][]::new);
    createTable(TableDescriptorBuilder.copy(newName, table), preserveSplits ? splitKeys : null);
  }

  public void modifyTable(TableDescriptor table) throws IOException {
    catalog.changes().modify(table.getTableName(), present -> table);
  }

  public void modifyTable(TableName name, TableDescriptor table) throws IOException {
    if (!name.equals(table.getTableName())) {
      throw new IllegalArgumentException(
          "the specified table name '"
              + name
              + "' doesn't match with the HTD one: "
              + table.getTableName());
    }
    modifyTable(table);
  }

  /** Ignores {@code reopenRegions}: no region needs to be reopened. */
  public void modifyTable(TableDescriptor table, boolean reopenRegions) throws IOException {
    modifyTable(table);
  }

  public void deleteTable(TableName name) throws IOException {
    catalog.changes().delete(name);
  }

  public void truncateTable(TableName name, boolean preserveSplits) throws IOException {
    catalog.changes().truncate(name, preserveSplits);
  }

  public void enableTable(TableName name) throws IOException {
    catalog.changes().enable(name);
  }

  public void disableTable(TableName name) throws IOException {
    catalog.changes().disable(name);
  }

  public boolean isTableEnabled(TableName name) throws IOException {
    return catalog.get(name).enabled();
  }

  public boolean isTableDisabled(TableName name) throws IOException {
    return !catalog.get(name).enabled();
  }

  public boolean isTableAvailable(TableName name) throws IOException {
    return tableExists(name) && catalog.get(name).enabled();
  }

  public boolean isTableAvailable(TableName name, byte[][] splitKeys) throws IOException {
    if (!isTableAvailable(name)) {
      return false;
    }
    List<byte[]> starts = catalog.regions(name).stream().map(RegionInfo::getStartKey).toList();
    for (byte[] splitKey : splitKeys) {
      if (starts.stream().noneMatch(start -> Bytes.equals(start, splitKey))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns how many regions wait for a change of the table, which are none, and how many it has.
   */
  public Pair<Integer, Integer> getAlterStatus(TableName name) throws IOException {
    return new Pair<>(0, catalog.regions(name).size());
  }

  public Pair<Integer, Integer> getAlterStatus(byte[] name) throws IOException {
    return getAlterStatus(TableName.valueOf(name));
  }
}
