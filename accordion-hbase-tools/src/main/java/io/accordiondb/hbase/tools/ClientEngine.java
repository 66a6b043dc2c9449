// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools;

import io.accordiondb.bench.engine.Engine;
import io.accordiondb.bench.engine.EngineFigures;
import io.accordiondb.bench.engine.EngineOptions;
import io.accordiondb.bench.engine.ScanRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.jspecify.annotations.Nullable;

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
    return new ClientSession(cluster.getConnection().getTable(tableName()));
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

  private final class ClientSession implements Session {
    private final Table table;

    ClientSession(Table table) {
      this.table = table;
    }

    @Override
    public void write(byte[][] keys, byte[][][] values, int count) throws IOException {
      if (!created) {
        create(keys[0]);
      }
      List<Put> puts = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        Put put = new Put(keys[i]);
        for (int field = 0; field < values[i].length; field++) {
          put.addColumn(EngineName.FAMILY, EngineName.qualifier(field), values[i][field]);
        }
        puts.add(put);
      }
      table.put(puts);
    }

    @Override
    public byte @Nullable [] read(byte[] key, int field) throws IOException {
      Get get = new Get(key).addColumn(EngineName.FAMILY, EngineName.qualifier(field));
      return table.get(get).value();
    }

    @Override
    public List<Row> scan(ScanRequest scan) throws IOException {
      List<Row> found = new ArrayList<>(scan.count());
      try (ResultScanner scanner =
          table.getScanner(EngineName.scan(scan).setCaching(scan.count()))) {
        for (Result row = scanner.next(); row != null; row = scanner.next()) {
          found.add(EngineName.row(row.listCells()));
        }
      }
      return found;
    }

    @Override
    public void delete(byte[] key) throws IOException {
      table.delete(new Delete(key));
    }

    @Override
    public void close() throws IOException {
      table.close();
    }
  }
}
