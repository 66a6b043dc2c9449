// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import io.accordiondb.hbase.client.data.Unsupported;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.RegionLocations;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.security.User;

/**
 * The registry that HBase's {@code ConnectionFactory} asks for a cluster before it makes an
 * asynchronous connection. Here a configuration names a folder instead of a cluster. Thread-safe.
 */
public final class EmbeddedConnectionRegistry implements ConnectionRegistry {
  private final Configuration configuration;

  /**
   * Creates a registry.
   *
   * @param configuration names the folder
   * @param user ignored
   */
  public EmbeddedConnectionRegistry(Configuration configuration, User user) {
    this.configuration = configuration;
  }

  @Override
  public CompletableFuture<String> getClusterId() {
    try {
      return CompletableFuture.completedFuture(StoreLocation.of(configuration).clusterId());
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public CompletableFuture<RegionLocations> getMetaRegionLocations() {
    return CompletableFuture.failedFuture(
        Unsupported.operation("getMetaRegionLocations", "it has no region of hbase:meta"));
  }

  @Override
  public CompletableFuture<ServerName> getActiveMaster() {
    return CompletableFuture.failedFuture(
        Unsupported.operation("getActiveMaster", "it has no master"));
  }

  @Override
  public String getConnectionString() {
    return configuration.getTrimmed(EmbeddedConnection.PATH_KEY, "");
  }

  @Override
  public void close() {
    // Nothing is held.
  }
}
