// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import io.accordiondb.Database;
import io.accordiondb.DatabaseLockedException;
import io.accordiondb.NotADatabaseException;
import io.accordiondb.hbase.client.catalog.Catalog;
import io.accordiondb.hbase.client.data.RowLocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.ConnectionClosedException;

/**
 * A database that the connections of this process to one place share. The last connection that is
 * closed closes it. Thread-safe.
 *
 * <p>The open databases are static state, because HBase's {@code ConnectionFactory} makes
 * connections from nothing but a configuration.
 */
final class SharedStore {
  /** A power of two. */
  private static final int LOCKS_COUNT = 64;

  /** The open databases by {@link StoreLocation#key}. */
  private static final Map<String, SharedStore> OPEN = new ConcurrentHashMap<>();

  /**
   * Each for some places. Opening and closing may take long, so other places do not wait, and these
   * are no monitors, with which virtual threads would keep their carriers.
   */
  private static final ReentrantLock[] LOCKS = new ReentrantLock[LOCKS_COUNT];

  static {
    Arrays.setAll(LOCKS, i -> new ReentrantLock());
  }

  private final StoreLocation location;
  private final String key;
  private final Database database;
  private final Catalog catalog;
  private final RowLocks rowLocks = new RowLocks();

  /** Guarded by {@link #lock}. */
  private int users;

  private final ReentrantLock lock;

  private SharedStore(StoreLocation location, String key, Database database) throws IOException {
    this.location = location;
    this.key = key;
    this.lock = lockOf(key);
    this.database = database;
    boolean opened = false;
    try {
      this.catalog = Catalog.open(database);
      opened = true;
    } finally {
      if (!opened) {
        database.close();
      }
    }
  }

  /**
   * Returns the database of a place, which is opened if no connection has it open. Then the
   * configuration's options apply; otherwise those of the first connection do.
   */
  static SharedStore open(StoreLocation location, Configuration conf) throws IOException {
    String key = location.key();
    ReentrantLock lock = lockOf(key);
    lock.lock();
    try {
      SharedStore store = OPEN.get(key);
      if (store == null) {
        Path folder = location.folder();
        Database database =
            folder == null
                ? Database.inMemory(StoreSettings.options(conf))
                : openDatabase(folder, conf);
        store = new SharedStore(location, key, database);
        OPEN.put(key, store);
      }
      store.users++;
      return store;
    } finally {
      lock.unlock();
    }
  }

  private static ReentrantLock lockOf(String key) {
    return LOCKS[key.hashCode() & LOCKS_COUNT - 1];
  }

  private static Database openDatabase(Path folder, Configuration conf) throws IOException {
    try {
      return Database.open(folder, StoreSettings.options(conf));
    } catch (DatabaseLockedException e) {
      throw new DoNotRetryIOException(
          "the database in "
              + folder
              + " is open in another process, or in this one by other means"
              + " than a connection",
          e);
    } catch (NotADatabaseException e) {
      throw new DoNotRetryIOException(
          folder + " holds no database; " + EmbeddedConnection.PATH_KEY + " must name one", e);
    }
  }

  /**
   * Counts one more connection.
   *
   * @throws ConnectionClosedException if the last connection has already been closed
   */
  SharedStore share() throws ConnectionClosedException {
    lock.lock();
    try {
      if (users == 0) {
        throw new ConnectionClosedException("the connection is closed");
      }
      users++;
      return this;
    } finally {
      lock.unlock();
    }
  }

  /** Counts one connection less, and closes the database after the last one. */
  void release() throws IOException {
    lock.lock();
    try {
      users--;
      if (users == 0) {
        OPEN.remove(key);
        // Under the lock, so that a connection that is opened at the same time finds the place
        // free.
        database.close();
      }
    } finally {
      lock.unlock();
    }
  }

  Database database() {
    return database;
  }

  Catalog catalog() {
    return catalog;
  }

  RowLocks rowLocks() {
    return rowLocks;
  }

  /** Returns what stands for HBase's identifier of a cluster. */
  String clusterId() {
    return location.clusterId();
  }
}
