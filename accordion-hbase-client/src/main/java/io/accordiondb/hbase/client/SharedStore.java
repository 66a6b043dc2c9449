// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.Database;
import io.accordiondb.DatabaseLockedException;
import io.accordiondb.NotADatabaseException;
import io.accordiondb.hbase.client.catalog.Catalog;
import io.accordiondb.hbase.client.data.RowLocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.jspecify.annotations.Nullable;

/**
 * A database that the connections of this process to one folder share. The last connection that is
 * closed closes it. Thread-safe.
 *
 * <p>The open databases are static state, because HBase's {@code ConnectionFactory} makes
 * connections from nothing but a configuration.
 */
final class SharedStore {
  @GuardedBy("OPEN")
  private static final Map<Path, SharedStore> OPEN = new HashMap<>();

  /** Null for a database in memory, which no other connection can find. */
  private final @Nullable Path folder;

  private final Database database;
  private final Catalog catalog;
  private final RowLocks rowLocks = new RowLocks();

  @GuardedBy("OPEN")
  private int users;

  private SharedStore(@Nullable Path folder, Database database) throws IOException {
    this.folder = folder;
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
   * Returns the database of a folder, which is opened if no connection has it open. Then the
   * configuration's options apply; otherwise those of the first connection do.
   */
  static SharedStore open(Path folder, Configuration conf) throws IOException {
    Path key = keyOf(folder);
    synchronized (OPEN) {
      SharedStore store = OPEN.get(key);
      if (store == null) {
        store = new SharedStore(key, openDatabase(folder, conf));
        OPEN.put(key, store);
      }
      store.users++;
      return store;
    }
  }

  /** Returns a new database in memory. */
  static SharedStore inMemory(Configuration conf) throws IOException {
    SharedStore store = new SharedStore(null, Database.inMemory(StoreSettings.options(conf)));
    store.share();
    return store;
  }

  private static Path keyOf(Path folder) throws IOException {
    return Files.exists(folder) ? folder.toRealPath() : folder.toAbsolutePath().normalize();
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

  /** Counts one more connection. */
  SharedStore share() {
    synchronized (OPEN) {
      users++;
    }
    return this;
  }

  /** Counts one connection less, and closes the database after the last one. */
  void release() throws IOException {
    synchronized (OPEN) {
      users--;
      if (users == 0) {
        if (folder != null) {
          OPEN.remove(folder);
        }
        // Under the lock, so that a connection that is opened meanwhile finds the folder free.
        database.close();
      }
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
    return clusterId(folder);
  }

  /** Returns the identifier of the database in a folder. */
  static String clusterId(@Nullable Path folder) {
    String name = folder == null ? "memory" : folder.toAbsolutePath().normalize().toString();
    return UUID.nameUUIDFromBytes(name.getBytes(java.nio.charset.StandardCharsets.UTF_8))
        .toString();
  }
}
