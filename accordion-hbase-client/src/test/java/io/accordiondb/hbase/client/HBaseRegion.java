// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.wal.WALFactory;

/**
 * A region of HBase in a local folder, without servers. Tests compare with it what the embedded
 * table returns. Belongs to one thread.
 */
final class HBaseRegion implements Closeable {
  private final WALFactory logs;
  private final HRegion region;

  private HBaseRegion(WALFactory logs, HRegion region) {
    this.logs = logs;
    this.region = region;
  }

  static HBaseRegion create(TableDescriptor table, Path folder) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    conf.setBoolean("hbase.hregion.memstore.mslab.enabled", false);
    conf.setBoolean("hbase.regionserver.hlog.enabled", false);
    conf.set(HConstants.HBASE_DIR, folder.toUri().toString());
    conf.set("fs.defaultFS", "file:///");
    WALFactory logs = new WALFactory(conf, "region");
    RegionInfo info = RegionInfoBuilder.newBuilder(table.getTableName()).build();
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(folder.toUri());
    return new HBaseRegion(logs, HRegion.createHRegion(info, root, conf, table, logs.getWAL(info)));
  }

  HRegion region() {
    return region;
  }

  /** Returns the rows of a scan, each as the text of its cells. */
  List<List<String>> scan(Scan scan) throws IOException {
    Scan copy = new Scan(scan);
    Filter filter = scan.getFilter();
    if (filter != null) {
      copy.setFilter(ProtobufUtil.toFilter(ProtobufUtil.toFilter(filter)));
      if (scan.getLoadColumnFamiliesOnDemandValue() == null) {
        copy.setLoadColumnFamiliesOnDemand(true);
      }
    }
    List<List<String>> rows = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(copy)) {
      boolean more = true;
      while (more) {
        List<Cell> cells = new ArrayList<>();
        more = scanner.next(cells);
        if (!cells.isEmpty()) {
          rows.add(cells.stream().map(TestTables::text).toList());
        }
      }
    }
    return rows;
  }

  @Override
  public void close() throws IOException {
    region.close();
    logs.close();
  }
}
