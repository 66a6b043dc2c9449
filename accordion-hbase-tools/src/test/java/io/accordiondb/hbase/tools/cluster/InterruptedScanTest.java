// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import static io.accordiondb.fixtures.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Why {@link ClusterConsistencyTest} scans only while regions stay open: with HBase's own memory
 * store, too, an interrupted scan may return an older value than the one that was acknowledged
 * before it began.
 *
 * <p>The client continues such a scan at the read point that it had. By then a flush has dropped
 * the version of that point, because no scanner was open that needed it, and what is newer is
 * hidden. So an older version shows that was flushed before. If a new HBase fails this test, scans
 * can be checked like gets.
 */
@Tag("hbase-cluster")
class InterruptedScanTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");

  private final HBaseTestingUtility cluster = new HBaseTestingUtility();

  @Test
  void returnsAnOlderValueWithHBasesOwnMemoryStore() throws Exception {
    cluster.getConfiguration().setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, 2000);
    cluster.startMiniCluster(1);
    try {
      TableName name = TableName.valueOf("t");
      try (Table table = cluster.createTable(name, FAMILY);
          ResultScanner scanner = open(table, name)) {
        assertThat(Bytes.toString(scanner.next().getRow())).isEqualTo("a");
        put(table, "b", "3");
        awaitNoScanner();
        cluster.flush(name);
        assertThat(Bytes.toString(scanner.next().value())).isEqualTo("1");
        assertThat(Bytes.toString(table.get(new Get(Bytes.toBytes("b"))).value())).isEqualTo("3");
      }
    } finally {
      cluster.shutdownMiniCluster();
    }
  }

  /** Opens a scan of two rows; the value 2 of the second is in memory, and 1 in a file. */
  private ResultScanner open(Table table, TableName name) throws IOException {
    put(table, "a", "1");
    put(table, "b", "1");
    cluster.flush(name);
    put(table, "b", "2");
    return table.getScanner(new Scan().setCaching(1));
  }

  private static void put(Table table, String row, String value) throws IOException {
    table.put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, Bytes.toBytes(value)));
  }

  /** Waits until the server has forgotten the scanner, whose client does not call. */
  private void awaitNoScanner() {
    await(
        "the end of the scanner's lease",
        () ->
            cluster.getMiniHBaseCluster().getRegionServer(0).getRSRpcServices().getScannersCount()
                == 0);
  }
}
