// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package org.apache.hadoop.hbase;

import io.accordiondb.hbase.client.EmbeddedConnection;
import io.accordiondb.hbase.client.tests.NotInOneProcessException;
import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;

/**
 * What stands for a cluster in the tests: a database in a folder, to which connections of {@link
 * ConnectionFactory} lead. The database stays open between start and shutdown, whatever connections
 * a test closes.
 */
abstract class EmbeddedTestingUtility extends HBaseZKTestingUtility {
  /** Keeps the database open; null while no cluster runs. */
  private Connection server;

  private Connection connection;
  private Admin admin;
  private Path dataOnTestFileSystem;

  EmbeddedTestingUtility(Configuration configuration) {
    super(configuration);
    conf.set("fs.defaultFS", "file:///");
    // How many seconds tests wait after they have asked for a split, which here is done by then.
    conf.setInt("hbase.test.retries", 1);
  }

  /** Opens the database. */
  void start() throws IOException {
    if (server != null) {
      throw new IllegalStateException("A mini-cluster is already running");
    }
    conf.set(HConstants.HBASE_DIR, getDataTestDirOnTestFS("hbase").toString());
    String registry = conf.get(HConstants.CLIENT_CONNECTION_REGISTRY_IMPL_CONF_KEY);
    EmbeddedConnection.configure(
        conf, java.nio.file.Path.of(getDataTestDir("database-" + UUID.randomUUID()).toString()));
    if (registry != null) {
      // The test compares it later, to see whether its cluster is the one it has asked for.
      conf.set(HConstants.CLIENT_CONNECTION_REGISTRY_IMPL_CONF_KEY, registry);
    }
    // A mini cluster does not force its log to the disk either.
    conf.set("accordion.client.durability", "async");
    server = ConnectionFactory.createConnection(conf);
  }

  void restart() throws IOException {
    closeConnection();
    if (server != null) {
      server.close();
    }
    server = ConnectionFactory.createConnection(conf);
  }

  void shutdown() throws IOException {
    closeConnection();
    if (server != null) {
      server.close();
      server = null;
    }
  }

  boolean running() {
    return server != null;
  }

  public synchronized Connection getConnection() throws IOException {
    if (connection == null) {
      connection = ConnectionFactory.createConnection(conf);
    }
    return connection;
  }

  public synchronized Admin getAdmin() throws IOException {
    if (admin == null) {
      admin = getConnection().getAdmin();
    }
    return admin;
  }

  public synchronized void invalidateConnection() throws IOException {
    closeConnection();
  }

  public synchronized void closeConnection() throws IOException {
    if (admin != null) {
      admin.close();
      admin = null;
    }
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }

  public FileSystem getTestFileSystem() throws IOException {
    return FileSystem.get(conf);
  }

  public Path getDataTestDirOnTestFS() {
    if (dataOnTestFileSystem == null) {
      dataOnTestFileSystem = new Path(getDataTestDir(), getRandomUUID().toString());
    }
    return dataOnTestFileSystem;
  }

  public Path getDataTestDirOnTestFS(String name) {
    return new Path(getDataTestDirOnTestFS(), name);
  }

  public Path getDefaultRootDirPath() {
    return getDataTestDirOnTestFS("hbase");
  }

  public void waitTableAvailable(TableName name) throws IOException {
    waitTableAvailable(name, 30_000);
  }

  public void waitTableAvailable(byte[] name, long millis) throws IOException {
    waitTableAvailable(TableName.valueOf(name), millis);
  }

  public void waitTableAvailable(TableName name, long millis) throws IOException {
    waitFor(millis, () -> getAdmin().isTableAvailable(name));
  }

  public void waitTableEnabled(TableName name) throws IOException {
    waitTableEnabled(name, 30_000);
  }

  public void waitTableEnabled(TableName name, long millis) throws IOException {
    waitFor(millis, () -> getAdmin().isTableEnabled(name));
  }

  public void waitTableDisabled(byte[] name) throws IOException {
    waitTableDisabled(TableName.valueOf(name), 30_000);
  }

  public void waitTableDisabled(TableName name, long millis) throws IOException {
    waitFor(millis, () -> getAdmin().isTableDisabled(name));
  }

  /** Returns at once: the regions of a table of one process are never without a server. */
  public void waitUntilAllRegionsAssigned(TableName name) throws IOException {
    if (!getAdmin().tableExists(name)) {
      throw new TableNotFoundException(name);
    }
  }

  public void waitUntilAllRegionsAssigned(TableName name, long millis) throws IOException {
    waitUntilAllRegionsAssigned(name);
  }

  /** Returns at once: no region ever moves between servers. */
  public void waitUntilNoRegionsInTransition() {}

  public void waitUntilNoRegionsInTransition(long millis) {}

  public Waiter.ExplainingPredicate<IOException> predicateNoRegionsInTransition() {
    return new Waiter.ExplainingPredicate<>() {
      @Override
      public String explainFailure() {
        return "no region is ever in transition";
      }

      @Override
      public boolean evaluate() {
        return true;
      }
    };
  }

  public void flush() throws IOException {
    for (TableDescriptor table : getAdmin().listTableDescriptors()) {
      flush(table.getTableName());
    }
  }

  public void flush(TableName name) throws IOException {
    getAdmin().flush(name);
  }

  public void compact(boolean major) throws IOException {
    for (TableDescriptor table : getAdmin().listTableDescriptors()) {
      compact(table.getTableName(), major);
    }
  }

  /** Compacts a table and waits until it has been compacted. */
  public void compact(TableName name, boolean major) throws IOException {
    if (major) {
      getAdmin().majorCompact(name);
    } else {
      getAdmin().compact(name);
    }
    waitFor(30_000, () -> getAdmin().getCompactionState(name) == CompactionState.NONE);
  }

  @Override
  public MiniZooKeeperCluster getZkCluster() {
    throw noZooKeeper("getZkCluster");
  }

  @Override
  public MiniZooKeeperCluster startMiniZKCluster() {
    throw noZooKeeper("startMiniZKCluster");
  }

  @Override
  public ZKWatcher getZooKeeperWatcher() {
    throw noZooKeeper("getZooKeeperWatcher");
  }

  private static NotInOneProcessException noZooKeeper(String asked) {
    return new NotInOneProcessException(asked, "one process has no ZooKeeper");
  }
}
