// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.examples.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example runs against a cluster in the process, and loses no row. */
@Tag("slow")
final class SwitchedTableTest {
  @Test
  void rowsStayWhenTheTableIsSwitchedOverAndBack() throws Exception {
    HBaseTestingUtility cluster = new HBaseTestingUtility();
    // Without HDFS: files are where they are by default, on the local disk.
    cluster.startMiniZKCluster();
    cluster.startMiniHBaseCluster();
    PrintStream before = System.out;
    try {
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      System.setOut(new PrintStream(printed, true));
      SwitchedTable.main(
          new String[] {
            cluster.getConfiguration().get(HConstants.ZOOKEEPER_QUORUM),
            cluster.getConfiguration().get(HConstants.ZOOKEEPER_CLIENT_PORT)
          });
      assertThat(printed.toString().lines())
          .containsExactly(
              "with Accordion's memory store: 2000 rows", "with HBase's own: 2000 rows");
      SwitchedTable orders = new SwitchedTable(cluster.getConnection());
      orders.switchTo(true);
      for (HRegion region : cluster.getHBaseCluster().getRegions(TableName.valueOf("orders"))) {
        assertThat(region.getStores())
            .extracting("memstore")
            .asString()
            .contains("AccordionMemStore");
      }
    } finally {
      System.setOut(before);
      cluster.shutdownMiniCluster();
    }
  }
}
