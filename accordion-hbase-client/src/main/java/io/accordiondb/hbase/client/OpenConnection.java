// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import io.accordiondb.hbase.client.admin.Administration;
import io.accordiondb.hbase.client.data.Session;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;

/**
 * The resources of an open connection of either kind: one share of a database, threads, and the
 * objects that read, write and administer tables with them. Thread-safe.
 */
final class OpenConnection implements Closeable {
  private final SharedStore store;
  private final Configuration configuration;
  private final ExecutorService threads;
  private final Session session;
  private final Administration administration;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Takes over one share of a database, which ends if this throws. */
  OpenConnection(SharedStore store, Configuration configuration) throws IOException {
    this.store = store;
    this.configuration = configuration;
    boolean opened = false;
    try {
      this.threads = ConnectionThreads.of(configuration);
      this.session =
          new Session(store.database(), store.catalog(), store.rowLocks(), configuration, threads);
      this.administration =
          new Administration(store.catalog(), store.clusterId(), configuration, threads);
      opened = true;
    } finally {
      if (!opened) {
        store.release();
      }
    }
  }

  SharedStore store() {
    return store;
  }

  Configuration configuration() {
    return configuration;
  }

  Session session() {
    return session;
  }

  /** Returns the administration that works on the threads of the connection. */
  Administration administration() {
    return administration;
  }

  /** Returns the same administration with asynchronous methods that run on other threads. */
  Administration administration(ExecutorService pool) {
    return administration.on(pool);
  }

  boolean isClosed() {
    return closed.get();
  }

  /** Ends the work of the connection, and closes the database if it was the last. Idempotent. */
  @Override
  public void close() throws IOException {
    if (closed.compareAndSet(false, true)) {
      session.close();
      threads.shutdown();
      store.release();
    }
  }
}
