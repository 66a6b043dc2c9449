// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The operations whose parameters or results differ between HBase's {@code AsyncAdmin} and its
 * {@code Admin}, in the form of the former.
 */
final class AsyncFormOperations {
  private static final Pattern ANY = Pattern.compile(".*");

  private final TableOperations tables;
  private final NamespaceOperations namespaces;
  private final RegionOperations regions;
  private final CompactionOperations compactions;
  private final SnapshotOperations snapshots;

  AsyncFormOperations(
      TableOperations tables,
      NamespaceOperations namespaces,
      RegionOperations regions,
      CompactionOperations compactions,
      SnapshotOperations snapshots) {
    this.tables = tables;
    this.namespaces = namespaces;
    this.regions = regions;
    this.compactions = compactions;
    this.snapshots = snapshots;
  }

  public List<TableDescriptor> listTableDescriptors(boolean includeSystemTables)
      throws IOException {
    return tables.listTableDescriptors(null, includeSystemTables);
  }

  /** Describes the tables with these names; unlike in {@code Admin}, no names mean no tables. */
  public List<TableDescriptor> listTableDescriptors(List<TableName> names) throws IOException {
    return names.isEmpty() ? new ArrayList<>() : tables.listTableDescriptors(names);
  }

  public List<TableDescriptor> listTableDescriptorsByNamespace(String namespace)
      throws IOException {
    return tables.listTableDescriptorsByNamespace(Bytes.toBytes(namespace));
  }

  /** Returns a list that the caller may change, as HBase's. */
  private static <T> List<T> listOf(T[] all) {
    return new ArrayList<>(Arrays.asList(all));
  }

  public List<TableName> listTableNames(boolean includeSystemTables) throws IOException {
    return listOf(tables.listTableNames((Pattern) null, includeSystemTables));
  }

  public List<TableName> listTableNames(@Nullable Pattern pattern, boolean includeSystemTables)
      throws IOException {
    return listOf(tables.listTableNames(pattern, includeSystemTables));
  }

  public List<TableName> listTableNamesByNamespace(String namespace) throws IOException {
    return listOf(tables.listTableNamesByNamespace(namespace));
  }

  public List<String> listNamespaces() throws IOException {
    return listOf(namespaces.listNamespaces());
  }

  public List<NamespaceDescriptor> listNamespaceDescriptors() throws IOException {
    return listOf(namespaces.listNamespaceDescriptors());
  }

  public void mergeRegions(List<byte[]> names, boolean forcible) throws IOException {
    regions.mergeRegions(names.toArray(byte[][]::new), forcible);
  }

  public void splitRegion(byte[] region) throws IOException {
    splitRegion(region, null);
  }

  public void splitRegion(byte[] region, byte @Nullable [] row) throws IOException {
    regions.splitKnownRegion(region, row);
  }

  public Optional<Long> getLastMajorCompactionTimestamp(TableName table) throws IOException {
    return optional(compactions.getLastMajorCompactionTimestamp(table));
  }

  public Optional<Long> getLastMajorCompactionTimestampForRegion(byte[] region) throws IOException {
    return optional(compactions.getLastMajorCompactionTimestampForRegion(region));
  }

  private static Optional<Long> optional(long millis) {
    return millis == 0 ? Optional.empty() : Optional.of(millis);
  }

  public List<SnapshotDescription> listTableSnapshots(Pattern tablePattern) throws IOException {
    return snapshots.listTableSnapshots(tablePattern, null);
  }

  public void deleteSnapshots() throws IOException {
    snapshots.deleteSnapshots(ANY);
  }

  public void deleteTableSnapshots(Pattern tablePattern) throws IOException {
    snapshots.deleteTableSnapshots(tablePattern, null);
  }
}
