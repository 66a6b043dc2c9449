// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;

/**
 * HBase's operations on the administration itself. Each administration has its own object, because
 * it can be aborted.
 */
final class ClientOperations {
  private static final String SYNC_WAIT_KEY = "hbase.client.sync.wait.timeout.msec";
  private static final int SYNC_WAIT_MILLIS = 10 * 60 * 1000;

  private final Configuration configuration;
  private final Connection connection;
  private volatile boolean aborted;

  ClientOperations(Configuration configuration, Connection connection) {
    this.configuration = configuration;
    this.connection = connection;
  }

  public Configuration getConfiguration() {
    return configuration;
  }

  public Connection getConnection() {
    return connection;
  }

  public int getOperationTimeout() {
    return configuration.getInt(
        HConstants.HBASE_CLIENT_OPERATION_TIMEOUT,
        HConstants.DEFAULT_HBASE_CLIENT_OPERATION_TIMEOUT);
  }

  public int getSyncWaitTimeout() {
    return configuration.getInt(SYNC_WAIT_KEY, SYNC_WAIT_MILLIS);
  }

  public void abort(String reason, Throwable cause) {
    aborted = true;
  }

  public boolean isAborted() {
    return aborted;
  }

  /** Does nothing: an administration holds no resources. */
  public void close() {}
}
