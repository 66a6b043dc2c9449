// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package org.apache.hadoop.hbase;

import static org.junit.Assert.assertEquals;

import io.accordiondb.hbase.client.tests.NotInOneProcessException;
import io.accordiondb.hbase.client.tests.StandInCluster;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.HBaseAdmin;
import org.apache.hadoop.hbase.client.Hbck;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/**
 * Stands before HBase's class of the same name on the class path, and gives HBase's tests a
 * database in this process instead of a cluster. Methods about servers, ZooKeeper and HDFS fail
 * with a {@link NotInOneProcessException}.
 */
public class HBaseTestingUtility extends TableTestingUtility {
  public static final byte[] fam1 = Bytes.toBytes("colfamily11");
  public static final byte[] fam2 = Bytes.toBytes("colfamily21");
  public static final byte[] fam3 = Bytes.toBytes("colfamily31");
  public static final byte[][] COLUMNS = {fam1, fam2, fam3};

  private static final int MAX_VERSIONS = 3;

  private final MiniHBaseCluster cluster = StandInCluster.of(this);

  public HBaseTestingUtility() {
    this(HBaseConfiguration.create());
  }

  public HBaseTestingUtility(Configuration configuration) {
    super(configuration);
  }

  public MiniHBaseCluster startMiniCluster() throws Exception {
    start();
    return cluster;
  }

  public MiniHBaseCluster startMiniCluster(int servers) throws Exception {
    return startMiniCluster();
  }

  public MiniHBaseCluster startMiniCluster(StartMiniClusterOption option) throws Exception {
    if (option.getMasterClass() != null || option.getRsClass() != null) {
      throw new NotInOneProcessException(
          "startMiniCluster", "the test replaces the class of the master or of region servers");
    }
    return startMiniCluster();
  }

  public MiniDFSCluster startMiniDFSCluster(int nodes) {
    throw new NotInOneProcessException("startMiniDFSCluster", "one process has no HDFS");
  }

  public MiniDFSCluster getDFSCluster() {
    throw new NotInOneProcessException("getDFSCluster", "one process has no HDFS");
  }

  public void restartHBaseCluster(int servers) throws IOException {
    restart();
  }

  public void shutdownMiniHBaseCluster() throws IOException {
    shutdown();
  }

  public void shutdownMiniCluster() throws IOException {
    shutdown();
    cleanupTestDir();
  }

  public MiniHBaseCluster getMiniHBaseCluster() {
    return running() ? cluster : null;
  }

  public MiniHBaseCluster getHBaseCluster() {
    return getMiniHBaseCluster();
  }

  public HBaseCluster getHBaseClusterInterface() {
    return getMiniHBaseCluster();
  }

  public HBaseAdmin getHBaseAdmin() {
    throw new NotInOneProcessException(
        "getHBaseAdmin", "the test casts Admin to HBase's class that talks to a master");
  }

  public Hbck getHbck() throws IOException {
    return getConnection().getHbck();
  }

  public HRegionServer getRSForFirstRegionInTable(TableName name) {
    throw new NotInOneProcessException(
        "getRSForFirstRegionInTable", "one process has no region server to look into");
  }

  public void moveRegionAndWait(RegionInfo region, ServerName server) throws IOException {
    getAdmin().move(region.getEncodedNameAsBytes(), server);
  }

  public void assertRegionOnServer(RegionInfo region, ServerName server, long millis)
      throws IOException {
    assertEquals(
        server,
        getConnection()
            .getRegionLocator(region.getTable())
            .getRegionLocation(region.getStartKey())
            .getServerName());
  }

  public boolean ensureSomeRegionServersAvailable(int servers) {
    throw new NotInOneProcessException(
        "ensureSomeRegionServersAvailable", "one process cannot start region servers");
  }

  public boolean ensureSomeNonStoppedRegionServersAvailable(int servers) {
    return ensureSomeRegionServersAvailable(servers);
  }

  public String getClusterKey() {
    throw new NotInOneProcessException("getClusterKey", "one process has no ZooKeeper");
  }

  public static void closeRegionAndWAL(HRegion region) {
    throw noRegion("closeRegionAndWAL");
  }

  public static HRegion createRegionAndWAL(
      RegionInfo region, Path root, Configuration configuration, TableDescriptor table) {
    throw noRegion("createRegionAndWAL");
  }

  private static NotInOneProcessException noRegion(String asked) {
    return new NotInOneProcessException(
        asked, "the test works on a region of HBase's server, not on a connection");
  }

  public static void setReplicas(Admin admin, TableName name, int replicas) throws IOException {
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
            .setRegionReplication(replicas)
            .build());
  }

  public static void setReplicas(AsyncAdmin admin, TableName name, int replicas)
      throws ExecutionException, InterruptedException {
    admin
        .modifyTable(
            TableDescriptorBuilder.newBuilder(admin.getDescriptor(name).get())
                .setRegionReplication(replicas)
                .build())
        .get();
  }

  public HTableDescriptor createTableDescriptor(String name) {
    return createTableDescriptor(TableName.valueOf(name));
  }

  /** Returns a table of the three families, with three versions each. */
  public HTableDescriptor createTableDescriptor(TableName name) {
    HTableDescriptor table = new HTableDescriptor(name);
    for (byte[] family : COLUMNS) {
      table.addFamily(
          new HColumnDescriptor(family).setMaxVersions(MAX_VERSIONS).setBlockCacheEnabled(false));
    }
    return table;
  }

  public void verifyTableDescriptorIgnoreTableName(TableDescriptor one, TableDescriptor other) {
    assertEquals(one.getValues(), other.getValues());
    ColumnFamilyDescriptor[] families = one.getColumnFamilies();
    assertEquals(families.length, other.getColumnFamilies().length);
    for (int i = 0; i < families.length; i++) {
      assertEquals(
          0, ColumnFamilyDescriptor.COMPARATOR.compare(families[i], other.getColumnFamilies()[i]));
    }
  }
}
