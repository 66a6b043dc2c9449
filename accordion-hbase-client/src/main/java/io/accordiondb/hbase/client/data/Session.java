// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.Database;
import io.accordiondb.hbase.client.catalog.Catalog;
import io.accordiondb.hbase.client.catalog.CatalogTable;
import io.accordiondb.hbase.client.catalog.ClosedConnection;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * What the tables of one connection share: the database, the names of tables, settings, and the
 * threads that run asynchronous operations. Thread-safe. After {@link #close} every operation of
 * its tables fails with {@link ClosedConnection#failure()}.
 */
public final class Session {
  private final Database database;
  private final Catalog catalog;
  private final RowLocks rowLocks;
  private final Configuration configuration;
  private final ClientSettings settings;
  private final ExecutorService threads;
  private volatile boolean closed;

  /**
   * Creates the session of a connection.
   *
   * @param threads runs asynchronous operations; belongs to the caller
   */
  public Session(
      Database database,
      Catalog catalog,
      RowLocks rowLocks,
      Configuration configuration,
      ExecutorService threads) {
    this.database = database;
    this.catalog = catalog;
    this.rowLocks = rowLocks;
    this.configuration = configuration;
    this.settings = ClientSettings.of(configuration);
    this.threads = threads;
  }

  /** Ends the session. */
  public void close() {
    closed = true;
  }

  /** {@return whether the session has ended} */
  public boolean isClosed() {
    return closed;
  }

  void checkOpen() throws IOException {
    if (closed) {
      throw ClosedConnection.failure();
    }
  }

  /** Returns a table that exists and is enabled. */
  CatalogTable open(TableName name) throws IOException {
    checkOpen();
    return catalog.open(name);
  }

  /** Returns the descriptor of a table that exists, enabled or not. */
  TableDescriptor describe(TableName name) throws IOException {
    checkOpen();
    return catalog.get(name).descriptor();
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

  Configuration configuration() {
    return configuration;
  }

  ClientSettings settings() {
    return settings;
  }

  ExecutorService threads() {
    return threads;
  }
}
