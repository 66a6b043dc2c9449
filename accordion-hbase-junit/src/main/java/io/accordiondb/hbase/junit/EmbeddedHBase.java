// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.junit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.hbase.client.EmbeddedConnection;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.jspecify.annotations.Nullable;

/**
 * An empty database in memory behind HBase's client, for one test. Thread-safe.
 *
 * <p>{@link ConnectionFactory} leads to the same database with the {@link #configuration}, as long
 * as this object is open.
 */
public final class EmbeddedHBase implements AutoCloseable {
  /** HBase's defaults, which take long to read, and are only copied. */
  private static final Configuration DEFAULTS = HBaseConfiguration.create();

  private final EmbeddedConnection connection;

  @GuardedBy("this")
  private @Nullable Admin admin;

  @GuardedBy("this")
  private @Nullable AsyncConnection asyncConnection;

  private EmbeddedHBase(EmbeddedConnection connection) {
    this.connection = connection;
  }

  /**
   * Starts an empty database.
   *
   * @return the database, which the caller must close
   * @throws IOException if it cannot be opened
   */
  public static EmbeddedHBase start() throws IOException {
    return start(DEFAULTS);
  }

  /**
   * Starts an empty database.
   *
   * @param configuration the configuration of the connection; is copied
   * @return the database, which the caller must close
   * @throws IOException if it cannot be opened, or a key that begins with {@code accordion.client.}
   *     is wrong
   */
  public static EmbeddedHBase start(Configuration configuration) throws IOException {
    return new EmbeddedHBase(EmbeddedConnection.inMemory(configuration));
  }

  /**
   * {@return a new configuration with HBase's defaults} Faster than {@link
   * HBaseConfiguration#create}, which reads them again.
   */
  public static Configuration defaults() {
    return new Configuration(DEFAULTS);
  }

  /** {@return the configuration with which {@link ConnectionFactory} leads to this database} */
  public Configuration configuration() {
    return connection.getConfiguration();
  }

  /** {@return the connection, which is closed with this object} */
  public Connection connection() {
    return connection;
  }

  /**
   * {@return the administration of the connection, which is closed with this object}
   *
   * @throws IOException if the connection has been closed
   */
  public synchronized Admin admin() throws IOException {
    if (admin == null) {
      admin = connection.getAdmin();
    }
    return admin;
  }

  /**
   * {@return an asynchronous connection, which is closed with this object}
   *
   * @throws IOException if the connection has been closed
   */
  public synchronized AsyncConnection asyncConnection() throws IOException {
    if (asyncConnection == null) {
      asyncConnection = connection.toAsyncConnection();
    }
    return asyncConnection;
  }

  /** Closes the connections, and drops the database unless the test has others open. Idempotent. */
  @Override
  public synchronized void close() throws IOException {
    try (connection;
        AsyncConnection asynchronous = asyncConnection;
        Admin administration = admin) {
      // They are closed in the opposite order, each even if another one fails.
    }
  }
}
