// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;

/**
 * Builds asynchronous tables. Not thread-safe.
 *
 * @param <C> how the program receives the results of scans
 */
public final class EmbeddedAsyncTableBuilder<C extends ScanResultConsumerBase>
    implements AsyncTableBuilder<C> {
  private final Session session;
  private final TableName name;
  private final Executor completion;
  private final Locators<AsyncTableRegionLocator> locators;
  private final AsyncScans<C> scans;
  private final TableTimeouts timeouts;
  private final Map<String, byte[]> requestAttributes = new HashMap<>();

  private EmbeddedAsyncTableBuilder(
      Session session,
      TableName name,
      Executor completion,
      Locators<AsyncTableRegionLocator> locators,
      AsyncScans<C> scans) {
    this.session = session;
    this.name = name;
    this.completion = completion;
    this.locators = locators;
    this.scans = scans;
    this.timeouts = new TableTimeouts(session.settings());
  }

  /**
   * {@return a builder of tables whose futures the threads of the connection complete}
   *
   * @param session the session of the connection
   * @param name the table
   * @param locators makes the locators of the table's regions
   */
  public static EmbeddedAsyncTableBuilder<AdvancedScanResultConsumer> advanced(
      Session session, TableName name, Locators<AsyncTableRegionLocator> locators) {
    return new EmbeddedAsyncTableBuilder<>(
        session,
        name,
        Runnable::run,
        locators,
        (scan, consumer) -> AdvancedAsyncScan.start(session, name, scan, consumer));
  }

  /**
   * {@return a builder of tables whose futures an executor of the program completes}
   *
   * @param session the session of the connection
   * @param name the table
   * @param locators makes the locators of the table's regions
   * @param pool completes futures, and runs scans with their consumers
   */
  public static EmbeddedAsyncTableBuilder<ScanResultConsumer> simple(
      Session session,
      TableName name,
      Locators<AsyncTableRegionLocator> locators,
      ExecutorService pool) {
    return new EmbeddedAsyncTableBuilder<>(
        session,
        name,
        pool,
        locators,
        (scan, consumer) -> pool.execute(() -> SimpleAsyncScan.run(session, name, scan, consumer)));
  }

  @Override
  public AsyncTableBuilder<C> setOperationTimeout(long timeout, TimeUnit unit) {
    timeouts.operation = millis(timeout, unit);
    return this;
  }

  @Override
  public AsyncTableBuilder<C> setScanTimeout(long timeout, TimeUnit unit) {
    timeouts.scan = millis(timeout, unit);
    return this;
  }

  @Override
  public AsyncTableBuilder<C> setRpcTimeout(long timeout, TimeUnit unit) {
    timeouts.rpc = millis(timeout, unit);
    return this;
  }

  @Override
  public AsyncTableBuilder<C> setReadRpcTimeout(long timeout, TimeUnit unit) {
    timeouts.readRpc = millis(timeout, unit);
    return this;
  }

  @Override
  public AsyncTableBuilder<C> setWriteRpcTimeout(long timeout, TimeUnit unit) {
    timeouts.writeRpc = millis(timeout, unit);
    return this;
  }

  private static int millis(long timeout, TimeUnit unit) {
    return Math.toIntExact(Math.min(Integer.MAX_VALUE, unit.toMillis(timeout)));
  }

  @Override
  public AsyncTableBuilder<C> setRetryPause(long pause, TimeUnit unit) {
    return this;
  }

  @Override
  public AsyncTableBuilder<C> setRetryPauseForServerOverloaded(long pause, TimeUnit unit) {
    return this;
  }

  @Override
  public AsyncTableBuilder<C> setMaxAttempts(int maxAttempts) {
    return this;
  }

  @Override
  public AsyncTableBuilder<C> setStartLogErrorsCnt(int startLogErrorsCnt) {
    return this;
  }

  @Override
  public AsyncTableBuilder<C> setRequestAttribute(String key, byte[] value) {
    requestAttributes.put(key, value);
    return this;
  }

  @Override
  public AsyncTable<C> build() {
    return new EmbeddedAsyncTable<>(
        session,
        name,
        new AsyncOperations(session.threads(), completion),
        locators,
        scans,
        timeouts.copy(),
        Map.copyOf(requestAttributes));
  }
}
