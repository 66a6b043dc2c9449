// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import io.accordiondb.hbase.client.catalog.Catalog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;

/**
 * Makes HBase's {@link Admin}, {@link AsyncAdmin} and region locators for one database.
 * Thread-safe; it holds no resources. What it makes is thread-safe too, and works until the
 * database is closed.
 *
 * <p>All that it makes shares the name of the one server, which has all regions, the compactions
 * that were requested, and the switches.
 */
public final class Administration {
  private final Catalog catalog;
  private final Configuration configuration;
  private final Executor executor;
  private final ServerName server;
  private final List<Object> operations;
  private final List<Object> asyncOperations;

  /**
   * Creates an administration of one database.
   *
   * @param catalog the catalog of the database
   * @param clusterId what stands for the identifier of a cluster
   * @param configuration timeouts, and what {@link Admin#getConfiguration} returns
   * @param executor runs compactions and asynchronous methods
   */
  public Administration(
      Catalog catalog, String clusterId, Configuration configuration, Executor executor) {
    this.catalog = catalog;
    this.configuration = configuration;
    this.executor = executor;
    this.server = ServerName.valueOf("localhost", 0, System.currentTimeMillis());
    Compactions compactions = new Compactions(catalog.database(), executor);
    RegionLookup regions = new RegionLookup(catalog);
    TableOperations tables = new TableOperations(catalog);
    RegionOperations regionOperations = new RegionOperations(catalog, regions, server);
    SnapshotOperations snapshots = new SnapshotOperations(catalog);
    CompactionOperations compacting =
        new CompactionOperations(catalog, regions, compactions, server);
    NamespaceOperations namespaces = new NamespaceOperations(catalog);
    List<Object> common =
        List.of(
            tables,
            new FamilyOperations(catalog),
            namespaces,
            regionOperations,
            compacting,
            snapshots,
            new ClusterOperations(new ClusterFigures(catalog, compactions, server, clusterId)));
    this.operations = new ArrayList<>(common);
    this.asyncOperations =
        new ArrayList<>(
            List.of(
                new AsyncFormOperations(
                    tables, namespaces, regionOperations, compacting, snapshots)));
    asyncOperations.addAll(common);
    operations.add(new LegacyOperations(tables, regionOperations));
  }

  private Administration(Administration other, Executor executor) {
    this.catalog = other.catalog;
    this.configuration = other.configuration;
    this.executor = executor;
    this.server = other.server;
    this.operations = other.operations;
    this.asyncOperations = other.asyncOperations;
  }

  /**
   * {@return an administration that shares all with this one, and runs asynchronous methods on
   * another executor} Compactions stay with the first.
   *
   * @param other runs asynchronous methods
   */
  public Administration on(Executor other) {
    return new Administration(this, other);
  }

  /**
   * {@return an administration whose methods return when the operation is done}
   *
   * @param connection what {@link Admin#getConnection} returns
   */
  public Admin admin(Connection connection) {
    List<Object> all = new ArrayList<>(operations);
    all.add(new ClientOperations(configuration, connection));
    return AdminProxy.blocking(new OperationTable(all), connection::isClosed);
  }

  /**
   * {@return an administration that returns futures}
   *
   * @param closed says whether the connection is closed, which ends the administration
   */
  public AsyncAdmin asyncAdmin(BooleanSupplier closed) {
    return AdminProxy.async(new OperationTable(asyncOperations), executor, closed);
  }

  /**
   * {@return a locator of the regions of a table, which need not exist yet}
   *
   * @param table the name of the table
   * @param closed says whether the connection is closed, which ends the locator
   */
  public RegionLocator regionLocator(TableName table, BooleanSupplier closed) {
    return new EmbeddedRegionLocator(catalog, table, server, closed);
  }

  /**
   * {@return a locator that returns futures, which are complete}
   *
   * @param table the name of the table
   * @param closed says whether the connection is closed, which ends the locator
   */
  public AsyncTableRegionLocator asyncRegionLocator(TableName table, BooleanSupplier closed) {
    return new EmbeddedAsyncRegionLocator(
        new EmbeddedRegionLocator(catalog, table, server, closed));
  }

  /** {@return the name of the one server, which says when it was started} */
  public ServerName server() {
    return server;
  }
}
