// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools;

import io.accordiondb.bench.engine.Engine;
import io.accordiondb.bench.engine.EngineFigures;
import io.accordiondb.bench.engine.EngineOptions;
import java.io.IOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.VersionInfo;

/** A cluster in this process, written and read through HBase's client. Thread-safe. */
final class ClientEngine implements Engine {
  private final EngineName name;
  private final TableDescriptor descriptor;
  private final HBaseTestingUtility cluster = new HBaseTestingUtility();
  private volatile boolean created;

  ClientEngine(EngineName name, EngineOptions options) throws IOException {
    this.name = name;
    this.descriptor = name.table(options);
    name.configure(cluster.getConfiguration(), options);
    try {
      cluster.startMiniCluster(1);
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  private synchronized void create(byte[] key) throws IOException {
    if (!created) {
      cluster.getAdmin().createTable(descriptor, EngineName.splits(key));
      created = true;
    }
  }

  @Override
  public Session session() throws IOException {
    return new ClientSession(cluster.getConnection().getTable(tableName()), this::create);
  }

  private TableName tableName() {
    return descriptor.getTableName();
  }

  @Override
  public EngineFigures figures() {
    long flushed = 0;
    long compacted = 0;
    if (created) {
      for (HRegion region : cluster.getHBaseCluster().getRegions(tableName())) {
        for (HStore store : region.getStores()) {
          flushed += store.getFlushedOutputFileSize();
          compacted += store.getCompactedCellsSize() + store.getMajorCompactedCellsSize();
        }
      }
    }
    return new EngineFigures(0, 0, flushed, compacted, 0);
  }

  @Override
  public String settings() {
    return "HBase " + VersionInfo.getVersion() + " through its client, " + name + ", " + descriptor;
  }

  @Override
  public void close() throws IOException {
    try {
      cluster.shutdownMiniCluster();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
