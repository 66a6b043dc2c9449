// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.accordiondb.fixtures.Await;
import io.accordiondb.hbase.AccordionMemStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the page of a region server of a mini cluster tells of a table. */
@Tag("slow")
class RegionServerPageTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int ROWS = 3000;

  /** Generous: a slow machine is no failure. */
  private static final Duration WAIT = Duration.ofMinutes(2);

  private static final HBaseTestingUtility CLUSTER = new HBaseTestingUtility();
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws Exception {
    Configuration configuration = CLUSTER.getConfiguration();
    configuration.setInt("hbase.regionserver.msginterval", 100);
    configuration.setInt("hbase.regionserver.metrics.period", 500);
    configuration.set(
        CoprocessorHost.REGIONSERVER_COPROCESSOR_CONF_KEY, RegionServerDashboard.class.getName());
    // Without HDFS: files are where they are by default, on the local disk.
    CLUSTER.startMiniZKCluster();
    CLUSTER.startMiniHBaseCluster();
  }

  @AfterAll
  static void stop() throws Exception {
    CLUSTER.shutdownMiniCluster();
  }

  private static RegionServerDashboard dashboard() {
    return CLUSTER
        .getMiniHBaseCluster()
        .getRegionServer(0)
        .getRegionServerCoprocessorHost()
        .findCoprocessor(RegionServerDashboard.class);
  }

  private HttpResponse<String> history(String token) throws IOException, InterruptedException {
    URI page = dashboard().uri();
    return client.send(
        HttpRequest.newBuilder(page.resolve("/api/history"))
            .header("Authorization", "Bearer " + token)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Reads the newest figures of the server until they fit. */
  private JsonNode await(Predicate<JsonNode> wanted) throws Exception {
    String token = dashboard().uri().getFragment().substring("token=".length());
    return new Await(WAIT, Duration.ofMillis(200))
        .until(
            "figures",
            () -> {
              JsonNode frames = JSON.readTree(history(token).body()).path("frames");
              return frames.path(frames.size() - 1).path("databases").path(0);
            },
            wanted);
  }

  private static JsonNode store(JsonNode figures) {
    return figures.path("stores").path(0);
  }

  @Test
  void showsATablesStoreInMemoryAndInFiles() throws Exception {
    TableName name = TableName.valueOf("shown");
    Table table =
        CLUSTER.createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .setValue(HStore.MEMSTORE_CLASS_NAME, AccordionMemStore.class.getName())
                .setValue("accordion.memstore.active.fraction", "0.0001")
                .build(),
            new byte[][] {Bytes.toBytes("m")});
    for (int row = 0; row < ROWS; row++) {
      table.put(new Put(Bytes.toBytes("a" + row)).addColumn(FAMILY, FAMILY, new byte[100]));
    }

    JsonNode inMemory =
        await(
            found ->
                found.path("cells").asLong() == ROWS
                    && !store(found).path("decision").asText().isEmpty());
    assertThat(inMemory.path("state").asText()).isEqualTo("open");
    assertThat(inMemory.path("name").asText()).startsWith("region server ");
    assertThat(inMemory.path("memory").path("budget").asLong()).isPositive();
    assertThat(inMemory.path("cache").path("budget").asLong()).isPositive();
    assertThat(inMemory.path("operations")).isEmpty();
    JsonNode store = store(inMemory);
    assertThat(store.path("table").asText()).isEqualTo("shown");
    assertThat(store.path("family").asText()).isEqualTo("f");
    assertThat(store.path("start").asText()).isEmpty();
    assertThat(store.path("end").asText()).isEqualTo("m");
    assertThat(store.path("policy").path("kind").asText()).isEqualTo("ADAPTIVE");
    assertThat(store.path("pipeline")).isNotEmpty();
    assertThat(store.path("seals").asLong()).isPositive();
    assertThat(store.path("files").asLong()).isZero();

    CLUSTER.getAdmin().flush(name);
    JsonNode flushed =
        await(
            found ->
                found.path("flushes").path("count").asLong() == 1
                    && found.path("flushes").path("cells").asLong() == ROWS
                    && found.path("cells").asLong() == ROWS
                    && found.path("log").path("files").asLong() > 0);
    assertThat(flushed.path("flushes").path("bytes").asLong()).isPositive();
    assertThat(store(flushed).path("fileBytes").asLong()).isPositive();
    assertThat(flushed.path("levels").path(0).path("files").asLong()).isEqualTo(1);
  }

  @Test
  void refusesWhoHasNoToken() throws Exception {
    assertThat(history("").statusCode()).isEqualTo(401);
  }
}
