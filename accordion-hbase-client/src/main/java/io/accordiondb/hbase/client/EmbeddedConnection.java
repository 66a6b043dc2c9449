// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import io.accordiondb.hbase.client.catalog.ClosedConnection;
import io.accordiondb.hbase.client.data.EmbeddedBufferedMutator;
import io.accordiondb.hbase.client.data.EmbeddedTableBuilder;
import io.accordiondb.hbase.client.data.Unsupported;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Hbck;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.security.User;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase's connection to a database in a folder of this machine, in this process. Thread-safe.
 *
 * <pre>{@code
 * try (Connection connection = EmbeddedConnection.open(Path.of("orders"));
 *     Table table = connection.getTable(TableName.valueOf("orders"))) {
 *   table.put(new Put(row).addColumn(family, qualifier, value));
 * }
 * }</pre>
 *
 * <p>A program that gets its connections from {@link ConnectionFactory} needs two keys of its
 * configuration, which {@link #configure} sets: {@value #IMPLEMENTATION_KEY} with the name of this
 * class, and {@value #PATH_KEY} with the folder. To move to a cluster it removes them. Keys {@code
 * accordion.client.NAME} set options of the database by the names of {@link
 * io.accordiondb.DatabaseOptions#load}, such as {@code accordion.client.memoryBytes}.
 *
 * <p>Connections to one folder share the database; the last one that is closed closes it. Options
 * are those of the first. While a connection is open, no other process can open the folder for
 * writing.
 */
public final class EmbeddedConnection implements Connection {
  /**
   * The configuration key that names the folder of the database. {@code memory:NAME} names a
   * database in the memory of this process, which ends with its last connection.
   */
  public static final String PATH_KEY = "accordion.client.path";

  /** The configuration key that names the class of connections. */
  public static final String IMPLEMENTATION_KEY = "hbase.client.connection.impl";

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedConnection.class);

  private final OpenConnection open;
  private volatile boolean aborted;

  /**
   * Opens the database that a configuration names. {@link ConnectionFactory} calls it.
   *
   * @param configuration the configuration
   * @param pool ignored: synchronous operations run on the caller's thread
   * @param user ignored: every user that can read the folder can read the database
   * @param attributes ignored: they are for servers
   * @throws IOException if the configuration names no folder, or its database cannot be opened
   */
  EmbeddedConnection(
      Configuration configuration,
      @Nullable ExecutorService pool,
      @Nullable User user,
      @Nullable Map<String, byte[]> attributes)
      throws IOException {
    this(SharedStore.open(StoreLocation.of(configuration), configuration), configuration);
  }

  /** Creates a connection that takes over one share of a database, which ends if this throws. */
  private EmbeddedConnection(SharedStore store, Configuration configuration) throws IOException {
    this.open = new OpenConnection(store, configuration);
  }

  /**
   * Opens the database in a folder with the default configuration of HBase's client, and creates it
   * if it does not exist.
   *
   * @param folder the folder
   * @return the connection
   * @throws IOException if the folder holds other things, or the database is open in another
   *     process, or the storage fails
   */
  public static EmbeddedConnection open(Path folder) throws IOException {
    return open(folder, HBaseConfiguration.create());
  }

  /**
   * Opens the database in a folder with a configuration.
   *
   * @param folder the folder, whatever folder the configuration names
   * @param configuration is copied, and stays as it is; the copy leads to the database, too
   * @return the connection
   * @throws IOException if the folder holds other things, or the database is open in another
   *     process, or an option is wrong, or the storage fails
   */
  public static EmbeddedConnection open(Path folder, Configuration configuration)
      throws IOException {
    return open(
        StoreLocation.inFolder(Objects.requireNonNull(folder, "folder").toAbsolutePath()),
        configuration);
  }

  private static EmbeddedConnection open(StoreLocation location, Configuration configuration)
      throws IOException {
    Configuration own = new Configuration(configuration);
    configure(own, location);
    return new EmbeddedConnection(SharedStore.open(location, own), own);
  }

  /**
   * Opens a new, empty database in memory. {@link ConnectionFactory} leads to it too, with the
   * {@link #getConfiguration configuration} of the connection. The database ends with the last
   * connection to it.
   *
   * @param configuration is copied, and stays as it is
   * @return the connection
   * @throws IOException if an option is wrong
   */
  public static EmbeddedConnection inMemory(Configuration configuration) throws IOException {
    return open(StoreLocation.newInMemory(), configuration);
  }

  /**
   * Changes a configuration so that {@link ConnectionFactory} connects to the database in a folder,
   * synchronously and asynchronously.
   *
   * @param configuration the configuration to change
   * @param folder the folder
   */
  public static void configure(Configuration configuration, Path folder) {
    configure(configuration, StoreLocation.inFolder(folder));
  }

  private static void configure(Configuration configuration, StoreLocation location) {
    configuration.set(IMPLEMENTATION_KEY, EmbeddedConnection.class.getName());
    configuration.set(
        ConnectionFactory.HBASE_CLIENT_ASYNC_CONNECTION_IMPL,
        EmbeddedAsyncConnection.class.getName());
    configuration.set(
        HConstants.CLIENT_CONNECTION_REGISTRY_IMPL_CONF_KEY,
        EmbeddedConnectionRegistry.class.getName());
    configuration.set(PATH_KEY, location.name());
  }

  @Override
  public Configuration getConfiguration() {
    return open.configuration();
  }

  @Override
  public TableBuilder getTableBuilder(TableName name, @Nullable ExecutorService pool) {
    return new EmbeddedTableBuilder(open.session(), name, this::getRegionLocator);
  }

  @Override
  public BufferedMutator getBufferedMutator(TableName name) throws IOException {
    return getBufferedMutator(new BufferedMutatorParams(name));
  }

  @Override
  public BufferedMutator getBufferedMutator(BufferedMutatorParams params) throws IOException {
    if (params.getTableName() == null) {
      throw new IllegalArgumentException("TableName cannot be null.");
    }
    String implementation = params.getImplementationClassName();
    if (implementation == null) {
      implementation = open.configuration().get(BufferedMutator.CLASSNAME_KEY);
    }
    if (implementation != null && !implementation.equals(EmbeddedBufferedMutator.class.getName())) {
      throw Unsupported.operation(
          "getBufferedMutator with the class " + implementation,
          "such a class needs a connection to servers");
    }
    checkOpen();
    return new EmbeddedBufferedMutator(open.session(), params);
  }

  @Override
  public RegionLocator getRegionLocator(TableName name) throws IOException {
    checkOpen();
    return open.administration().regionLocator(name, this::isClosed);
  }

  @Override
  public void clearRegionLocationCache() {
    // No location is kept.
  }

  @Override
  public Admin getAdmin() throws IOException {
    checkOpen();
    return open.administration().admin(this);
  }

  private void checkOpen() throws IOException {
    if (isClosed()) {
      throw ClosedConnection.failure();
    }
  }

  /**
   * {@return an asynchronous connection to the same database, which must be closed too}
   *
   * @throws IOException if the connection is closed
   */
  public AsyncConnection toAsyncConnection() throws IOException {
    checkOpen();
    return new EmbeddedAsyncConnection(open.store().share(), open.configuration());
  }

  @Override
  public String getClusterId() {
    return open.store().clusterId();
  }

  @Override
  public Hbck getHbck() {
    throw noHbck();
  }

  @Override
  public Hbck getHbck(ServerName master) {
    throw noHbck();
  }

  static UnsupportedOperationException noHbck() {
    return Unsupported.operation("getHbck", "it has no master that could repair a cluster");
  }

  @Override
  public void abort(String reason, Throwable cause) {
    LOG.error("the connection is aborted: {}", reason, cause);
    aborted = true;
    try {
      close();
    } catch (IOException e) {
      LOG.error("the database could not be closed", e);
    }
  }

  @Override
  public boolean isAborted() {
    return aborted;
  }

  @Override
  public boolean isClosed() {
    return open.isClosed();
  }

  /** Closes the connection, and the database if no other connection has it open. Idempotent. */
  @Override
  public void close() throws IOException {
    open.close();
  }

  @Override
  public String toString() {
    return "EmbeddedConnection["
        + open.store().database().folder().map(Path::toString).orElse("memory")
        + "]";
  }
}
