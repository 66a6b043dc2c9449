// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.bench.engine.Engine;
import io.accordiondb.bench.engine.EngineFigures;
import io.accordiondb.bench.engine.EngineOptions;
import io.accordiondb.bench.engine.ServerFigures;
import io.accordiondb.hbase.tools.cluster.ClusterOptions;
import io.accordiondb.hbase.tools.cluster.ClusterProcess;
import io.accordiondb.hbase.tools.cluster.JmxPage;
import io.accordiondb.hbase.tools.cluster.JvmMemory;
import io.accordiondb.hbase.tools.cluster.LocalCluster;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * A cluster of processes, written and read through HBase's client. Each region server has the same
 * memory with all stores; with the plug-in a part of it is outside the heap. Thread-safe.
 */
final class ClusterEngine implements Engine {
  private static final int SERVERS = 2;

  /** A server's memory besides memory stores and blocks. */
  private static final int SERVER_MEGABYTES = 256;

  private static final int NETWORK_MEGABYTES = 64;

  /** HBase wants a fifth of the heap besides stores and blocks. */
  private static final double STORES_SHARE = 0.6;

  private static final double BLOCKS_SHARE = 0.2;

  private final EngineName name;
  private final TableDescriptor descriptor;
  private final LocalCluster cluster;
  private final Connection connection;

  @GuardedBy("this")
  private boolean created;

  ClusterEngine(EngineName name, EngineOptions options) throws IOException {
    this.name = name;
    this.descriptor = name.table(options);
    try {
      cluster = LocalCluster.start(options(name, options), line -> {});
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    try {
      connection = ConnectionFactory.createConnection(cluster.configuration());
    } catch (IOException e) {
      cluster.close();
      throw e;
    }
  }

  private static ClusterOptions options(EngineName name, EngineOptions options) {
    int stores = HBaseEngines.MEMORY_MULTIPLE * megabytes(options.memoryBytes()) / SERVERS;
    int others = SERVER_MEGABYTES + megabytes(options.cacheBytes()) / SERVERS;
    int heap = name.isAccordion() ? others : others + stores;
    int direct = NETWORK_MEGABYTES + (name.isAccordion() ? stores : 0);
    double blocks = (double) megabytes(options.cacheBytes()) / SERVERS / heap;
    ClusterOptions cluster =
        ClusterOptions.of(options.directory().resolve("cluster"), SERVERS)
            .withServerMemory(new JvmMemory(heap, direct))
            .with("hfile.block.cache.size", "" + Math.min(BLOCKS_SHARE, blocks));
    if (name.isAccordion()) {
      cluster =
          cluster.with(
              "hbase.regionserver.offheap.global.memstore.size",
              "" + Math.min(stores, (int) (STORES_SHARE * (others + stores))));
    } else {
      cluster = cluster.with("hbase.regionserver.global.memstore.size", "" + STORES_SHARE);
    }
    Configuration settings = new Configuration(false);
    name.configure(settings, options);
    for (Map.Entry<String, String> setting : settings) {
      cluster = cluster.with(setting.getKey(), setting.getValue());
    }
    return cluster;
  }

  private static int megabytes(long bytes) {
    return (int) (bytes >> 20);
  }

  private synchronized void create(byte[] key) throws IOException {
    if (!created) {
      try (Admin admin = connection.getAdmin()) {
        admin.createTable(descriptor, EngineName.splits(key));
      }
      created = true;
    }
  }

  @Override
  public Session session() throws IOException {
    return new ClientSession(connection.getTable(descriptor.getTableName()), this::create);
  }

  /** The servers count what they write every few seconds, so the last seconds may be missing. */
  @Override
  public EngineFigures figures() throws IOException {
    long flushed = 0;
    long compacted = 0;
    for (ClusterProcess server : cluster.servers()) {
      for (JsonObject bean : beans(server, "Hadoop:service=HBase,name=RegionServer,sub=Server")) {
        flushed += number(bean, "flushedCellsSize");
        compacted += number(bean, "compactedCellsSize") + number(bean, "majorCompactedCellsSize");
      }
    }
    return new EngineFigures(0, 0, flushed, compacted, 0);
  }

  @Override
  public ServerFigures servers() throws IOException {
    long collections = 0;
    long millis = 0;
    long peak = 0;
    for (ClusterProcess server : cluster.servers()) {
      for (JsonObject bean : beans(server, "java.lang:type=GarbageCollector,*")) {
        collections += number(bean, "CollectionCount");
        millis += number(bean, "CollectionTime");
      }
      peak += server.peakResidentBytes();
    }
    return new ServerFigures(cluster.servers().size(), collections, millis, peak);
  }

  private static Iterable<JsonObject> beans(ClusterProcess server, String pattern)
      throws IOException {
    try {
      return new JmxPage(server).beans(pattern);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static long number(JsonObject bean, String attribute) {
    JsonElement value = bean.get(attribute);
    return value == null ? 0 : value.getAsLong();
  }

  private static IOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return (IOException) new InterruptedIOException("interrupted").initCause(e);
  }

  @Override
  public String settings() {
    JvmMemory memory = cluster.servers().get(0).plan().memory();
    return "HBase "
        + VersionInfo.getVersion()
        + " in processes, "
        + name
        + ", "
        + SERVERS
        + " region servers, each with a heap of "
        + memory.heapMegabytes()
        + " MB and direct buffers of "
        + memory.directMegabytes()
        + " MB, "
        + descriptor;
  }

  @Override
  public void close() throws IOException {
    try (cluster) {
      connection.close();
    }
  }
}
