// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import io.accordiondb.hbase.client.data.EmbeddedAsyncBufferedMutatorBuilder;
import io.accordiondb.hbase.client.data.EmbeddedAsyncTableBuilder;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncAdminBuilder;
import org.apache.hadoop.hbase.client.AsyncBufferedMutatorBuilder;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.client.Hbck;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.security.User;
import org.jspecify.annotations.Nullable;

/**
 * HBase's asynchronous connection to a database in a folder of this machine, in this process; see
 * {@link EmbeddedConnection}. Operations run on threads of the connection. Thread-safe.
 */
public final class EmbeddedAsyncConnection implements AsyncConnection {
  private final OpenConnection open;
  private final @Nullable ConnectionRegistry registry;

  /**
   * Opens the database that a configuration names. HBase's {@code ConnectionFactory} calls it.
   *
   * @param configuration the configuration
   * @param registry is closed with the connection
   * @param clusterId ignored: the configuration names the folder
   * @param user ignored: every user that can read the folder can read the database
   * @param attributes ignored: they are for servers
   * @throws IOException if the configuration names no folder, or its database cannot be opened
   */
  public EmbeddedAsyncConnection(
      Configuration configuration,
      ConnectionRegistry registry,
      String clusterId,
      User user,
      @Nullable Map<String, byte[]> attributes)
      throws IOException {
    this(SharedStore.open(StoreLocation.of(configuration), configuration), configuration, registry);
  }

  /** Creates a connection that takes over one share of a database, which ends if this throws. */
  EmbeddedAsyncConnection(SharedStore store, Configuration configuration) throws IOException {
    this(store, configuration, null);
  }

  private EmbeddedAsyncConnection(
      SharedStore store, Configuration configuration, @Nullable ConnectionRegistry registry)
      throws IOException {
    this.open = new OpenConnection(store, configuration);
    this.registry = registry;
  }

  @Override
  public Configuration getConfiguration() {
    return open.configuration();
  }

  @Override
  public AsyncTableRegionLocator getRegionLocator(TableName name) {
    return open.administration().asyncRegionLocator(name, this::isClosed);
  }

  @Override
  public void clearRegionLocationCache() {
    // No location is kept.
  }

  @Override
  public AsyncTableBuilder<AdvancedScanResultConsumer> getTableBuilder(TableName name) {
    return EmbeddedAsyncTableBuilder.advanced(open.session(), name, this::getRegionLocator);
  }

  @Override
  public AsyncTableBuilder<ScanResultConsumer> getTableBuilder(
      TableName name, ExecutorService pool) {
    return EmbeddedAsyncTableBuilder.simple(open.session(), name, this::getRegionLocator, pool);
  }

  @Override
  public AsyncAdminBuilder getAdminBuilder() {
    return new EmbeddedAsyncAdminBuilder(open.administration(), this::isClosed);
  }

  @Override
  public AsyncAdminBuilder getAdminBuilder(ExecutorService pool) {
    return new EmbeddedAsyncAdminBuilder(open.administration(pool), this::isClosed);
  }

  @Override
  public AsyncBufferedMutatorBuilder getBufferedMutatorBuilder(TableName name) {
    return new EmbeddedAsyncBufferedMutatorBuilder(open.session(), getTableBuilder(name));
  }

  @Override
  public AsyncBufferedMutatorBuilder getBufferedMutatorBuilder(
      TableName name, ExecutorService pool) {
    return new EmbeddedAsyncBufferedMutatorBuilder(open.session(), getTableBuilder(name, pool));
  }

  @Override
  public CompletableFuture<Hbck> getHbck() {
    return CompletableFuture.failedFuture(EmbeddedConnection.noHbck());
  }

  @Override
  public Hbck getHbck(ServerName master) {
    throw EmbeddedConnection.noHbck();
  }

  @Override
  public boolean isClosed() {
    return open.isClosed();
  }

  /** Closes the connection, and the database if no other connection has it open. Idempotent. */
  @Override
  public void close() throws IOException {
    if (registry != null && !isClosed()) {
      registry.close();
    }
    open.close();
  }
}
