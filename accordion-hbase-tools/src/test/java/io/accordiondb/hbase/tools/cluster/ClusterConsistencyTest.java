// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.Await;
import io.accordiondb.hbase.AccordionMemStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of processes loses and tears no acknowledged row while region servers are killed,
 * tables switch to the plug-in and back, policies change, and regions split and move. HBase's own
 * LoadTestTool writes and verifies one table, a {@link RowLedger} the other. One region server has
 * the jars in the folder of the system property {@code previous.plugin}, if there is one.
 *
 * <p>Readers use gets, of one row or many. Scans follow when regions stay open, see {@link
 * InterruptedScanTest}.
 */
@Tag("hbase-cluster")
class ClusterConsistencyTest {
  private static final TableName LEDGER = TableName.valueOf("ledger");
  private static final int ROWS = 1000;
  private static final int WRITERS = 4;
  private static final int READERS = 2;
  private static final int ROWS_OF_A_CALL = 200;
  private static final int SERVERS = 3;
  private static final int PREVIOUS_SERVER = 2;
  private static final long SECONDS = Long.getLong("accordion.cluster.seconds", 420);
  private static final long SEED = Long.getLong("accordion.cluster.seed", System.nanoTime());
  private static final Await STORES = new Await(Duration.ofMinutes(1), Duration.ofMillis(500));
  private static final String PREVIOUS = System.getProperty("previous.plugin", "");

  @TempDir Path folder;

  private final RowLedger ledger = new RowLedger(ROWS);
  private final AtomicBoolean isEnding = new AtomicBoolean();

  private interface Step {
    void run(Table table, Random random) throws IOException;
  }

  @Test
  void losesAndTearsNoRow() throws Exception {
    System.out.println(
        "seed "
            + SEED
            + "; regionserver-"
            + PREVIOUS_SERVER
            + (PREVIOUS.isEmpty()
                ? " has the same plug-in as the others, -Dprevious.plugin=FOLDER gives it other jars"
                : " has the plug-in in " + PREVIOUS));
    ClusterOptions options =
        ClusterOptions.of(folder.resolve("cluster"), SERVERS)
            .with("hbase.hregion.memstore.flush.size", "" + (8 << 20))
            .with("hbase.hstore.blockingStoreFiles", "50");
    if (!PREVIOUS.isEmpty()) {
      options = options.withFirstJars(PREVIOUS_SERVER, Path.of(PREVIOUS));
    }
    try (LocalCluster cluster = LocalCluster.start(options, System.out::println);
        Connection connection = ConnectionFactory.createConnection(client(cluster));
        Admin admin = connection.getAdmin()) {
      run(cluster, connection, admin);
    }
  }

  private static Configuration client(LocalCluster cluster) {
    Configuration client = cluster.configuration();
    client.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 100);
    client.setInt("hbase.client.pause", 50);
    return client;
  }

  private void run(LocalCluster cluster, Connection connection, Admin admin) throws Exception {
    LoadTest load = new LoadTest(cluster, Path.of("target", "load-test-tool.log"));
    load.createTable();
    createLedger(admin);
    Disturbances disturbances =
        new Disturbances(
            cluster,
            admin,
            Map.of(LEDGER, ledgerSplits(), LoadTest.TABLE, loadSplits()),
            new Random(SEED));
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<Long>> running = start(threads, connection);
      Future<Long> loading = threads.submit(load);
      running.add(loading);
      long deadline = System.nanoTime() + SECONDS * 1_000_000_000L;
      while (System.nanoTime() < deadline && running.stream().noneMatch(Future::isDone)) {
        disturbances.next();
      }
      isEnding.set(true);
      load.end();
      for (Future<Long> each : running) {
        Long unused = each.get();
      }
      long keys = loading.get();
      print(disturbances, keys);
      System.out.printf("%,d MB resident in all processes%n", cluster.residentBytes() >> 20);
      assertThat(disturbances.done()).containsKeys(Disturbances.Kind.values());
      assertThat(ledger.acknowledgements()).isGreaterThan(ROWS);
      verify(load, connection, keys);
      verifyPlugIn(cluster, admin);
      killAll(cluster);
      verify(load, connection, keys);
    } catch (ExecutionException e) {
      throw new AssertionError("seed " + SEED, e.getCause());
    } finally {
      isEnding.set(true);
      load.end();
      threads.shutdownNow();
    }
  }

  private void createLedger(Admin admin) throws IOException {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(LEDGER)
            .setValue(HStore.MEMSTORE_CLASS_NAME, AccordionMemStore.class.getName())
            .setValue("accordion.memstore.active.fraction", "0.002");
    for (byte[] family : RowLedger.FAMILIES) {
      table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
    }
    admin.createTable(
        table.build(), new byte[][] {RowLedger.row(ROWS / 3), RowLedger.row(2 * ROWS / 3)});
  }

  private static List<byte[]> ledgerSplits() {
    List<byte[]> points = new ArrayList<>();
    for (int row = 50; row < ROWS; row += 50) {
      points.add(RowLedger.row(row));
    }
    return points;
  }

  /** Keys of the load begin with hexadecimal digits of a hash. */
  private static List<byte[]> loadSplits() {
    List<byte[]> points = new ArrayList<>();
    for (int digits = 16; digits < 256; digits += 8) {
      points.add(Bytes.toBytes(Integer.toHexString(digits)));
    }
    return points;
  }

  private List<Future<Long>> start(ExecutorService threads, Connection connection) {
    List<Future<Long>> running = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      Step write =
          (table, random) -> ledger.write(table, random.nextInt(ROWS / WRITERS) * WRITERS + writer);
      running.add(threads.submit(() -> repeat(connection, write, writer)));
    }
    for (int i = 0; i < READERS; i++) {
      int reader = i;
      Step read =
          (table, random) -> {
            int count = random.nextInt(20) == 0 ? ROWS_OF_A_CALL : 1;
            ledger.get(table, random.nextInt(ROWS - count + 1), count);
          };
      running.add(threads.submit(() -> repeat(connection, read, WRITERS + reader)));
    }
    return running;
  }

  private long repeat(Connection connection, Step step, int number) throws IOException {
    Random random = new Random(SEED + number);
    long steps = 0;
    try (Table table = connection.getTable(LEDGER)) {
      while (!isEnding.get()) {
        step.run(table, random);
        steps++;
      }
    }
    return steps;
  }

  private void print(Disturbances disturbances, long keys) {
    System.out.printf(
        "%,d keys by LoadTestTool; %,d puts acknowledged and %,d not, %,d rows read; %s, refused"
            + " %s%n",
        keys,
        ledger.acknowledgements(),
        ledger.failures(),
        ledger.checks(),
        disturbances.done(),
        disturbances.refused());
  }

  private void verify(LoadTest load, Connection connection, long keys) throws Exception {
    load.verify(keys);
    long before = ledger.checks();
    try (Table table = connection.getTable(LEDGER)) {
      ledger.scan(table);
    }
    System.out.printf("verified: %,d keys, %,d rows%n", keys, ledger.checks() - before);
  }

  /**
   * Checks that each server has memory stores of the plug-in, and one of them of the previous one.
   */
  private void verifyPlugIn(LocalCluster cluster, Admin admin) throws Exception {
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(LEDGER))
            .setValue(HStore.MEMSTORE_CLASS_NAME, AccordionMemStore.class.getName())
            .build());
    for (ClusterProcess server : cluster.servers()) {
      RegionInfo region = admin.getRegions(LEDGER).get(0);
      admin.move(
          region.getEncodedNameAsBytes(),
          admin.getRegionServers().stream()
              .filter(each -> each.getPort() == server.plan().port())
              .findFirst()
              .orElseThrow());
      JmxPage page = new JmxPage(server);
      JsonObject figures = awaitStores(page);
      JsonObject runtime = page.beans("java.lang:type=Runtime").get(0);
      boolean hasPrevious =
          !PREVIOUS.isEmpty() && runtime.get("ClassPath").getAsString().contains(PREVIOUS);
      assertThat(hasPrevious)
          .isEqualTo(
              !PREVIOUS.isEmpty() && server.name().equals("regionserver-" + PREVIOUS_SERVER));
      System.out.println(
          server.name()
              + (hasPrevious ? " (previous plug-in): " : ": ")
              + figures.get("stores")
              + " stores, "
              + figures.get("inMemoryFlushes")
              + " in-memory flushes, "
              + figures.get("merges")
              + " merges, "
              + figures.get("compactions")
              + " compactions");
    }
  }

  /** Returns the figures of a server that has memory stores; it counts them every few seconds. */
  private static JsonObject awaitStores(JmxPage page) throws Exception {
    return STORES
        .until(
            "a store of the plug-in",
            () -> page.beans("Hadoop:service=HBase,*,sub=AccordionMemStore"),
            beans -> beans.stream().anyMatch(figures -> figures.get("stores").getAsInt() > 0))
        .stream()
        .filter(figures -> figures.get("stores").getAsInt() > 0)
        .findFirst()
        .orElseThrow();
  }

  /** What was acknowledged must be in the logs and files alone. */
  private static void killAll(LocalCluster cluster) throws Exception {
    for (ClusterProcess server : cluster.servers()) {
      cluster.kill(server);
    }
    long begun = System.currentTimeMillis();
    for (ClusterProcess server : cluster.servers()) {
      server.start();
    }
    new Readiness(cluster.configuration(), cluster.processes())
        .await(cluster.servers(), begun, 180, System.out::println);
  }
}
