// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard;

import static io.accordiondb.fixtures.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Put;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the server tells about databases. */
@Tag("slow")
class DashboardTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  private Database database;
  private Dashboard dashboard;

  @BeforeEach
  void start() throws IOException {
    database = Database.open(folder, DatabaseOptions.builder().memoryBytes(16 << 20).build());
    dashboard = Dashboard.start(database, DashboardOptions.DEFAULT);
  }

  @AfterEach
  void stop() throws IOException {
    dashboard.close();
    database.close();
  }

  /** Reads the stream until a frame fits. */
  private JsonNode awaitFrame(Predicate<JsonNode> wanted) throws IOException {
    RawClient client = new RawClient(dashboard.uri());
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    try (Socket socket = client.connect();
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      // HTTP/1.0, so that the lines are not cut into chunks.
      socket
          .getOutputStream()
          .write(
              ("GET /api/stream HTTP/1.0\r\nHost: "
                      + client.host()
                      + "\r\nAuthorization: Bearer "
                      + client.token()
                      + "\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("data: ")) {
          JsonNode frame = JSON.readTree(line.substring("data: ".length()));
          if (wanted.test(frame)) {
            return frame;
          }
        }
        assertThat(System.nanoTime()).as("no frame fits: " + line).isLessThan(deadline);
      }
    }
    throw new IOException("the stream has ended");
  }

  private static JsonNode first(JsonNode frame) {
    return frame.path("databases").path(0);
  }

  @Test
  void tellsWhatIsInMemory() throws IOException {
    Table table = create("t", "f");
    table.put(new Put(new byte[] {1}).addColumn(new byte[] {'f'}, new byte[1], new byte[9]));
    JsonNode frame =
        awaitFrame(
            found ->
                first(found).path("stores").path(0).path("active").path("cells").asLong() == 1);
    JsonNode store = first(frame).path("stores").path(0);
    assertThat(first(frame).path("name").asText()).isEqualTo("database");
    assertThat(first(frame).path("state").asText()).isEqualTo("open");
    assertThat(store.path("table").asText()).isEqualTo("t");
    assertThat(store.path("active").path("cells").asLong()).isEqualTo(1);
    assertThat(store.path("share").asLong())
        .isEqualTo(database.statistics().memory().budgetBytes());
    assertThat(store.path("policy").path("kind").asText()).isEqualTo("ADAPTIVE");
    assertThat(frame.path("process").path("heapUsed").asLong()).isPositive();
  }

  private Table create(String table, String family) throws IOException {
    database.createTable(TableDescriptor.of(table, family));
    return database.table(table);
  }

  @Test
  void namesOfTablesCannotBreakOutOfTheirJson() throws IOException {
    dashboard.show("</script>\"\n\u2028", database::statistics);
    JsonNode frame = awaitFrame(found -> found.path("databases").size() == 2);
    assertThat(frame.path("databases").path(1).path("name").asText())
        .isEqualTo("</script>\"\n\u2028");
  }

  @Test
  void aFlushAppearsAmongTheEvents() throws Exception {
    Table table = create("t", "f");
    table.put(new Put(new byte[] {1}).addColumn(new byte[] {'f'}, new byte[1], new byte[9]));
    awaitFrame(found -> first(found).path("cells").asLong() == 1);
    database.flush();
    awaitFrame(found -> first(found).path("flushes").path("count").asLong() == 1);
    JsonNode history =
        JSON.readTree(new RawClient(dashboard.uri()).getWithToken("/api/history").body());
    assertThat(history.path("events").findValuesAsText("kind")).contains("flush");
    assertThat(history.path("frames").size()).isPositive();
  }

  @Test
  void aClosedDatabaseKeepsItsLastFigures() throws IOException {
    create("t", "f");
    awaitFrame(found -> first(found).path("stores").size() == 1);
    database.close();
    JsonNode frame = awaitFrame(found -> first(found).path("state").asText().equals("closed"));
    assertThat(first(frame).path("stores").size()).isEqualTo(1);
  }

  @Test
  void aSourceThatFailsHarmsNoOther() throws IOException {
    dashboard.show(
        "broken",
        () -> {
          throw new IOException("no figures");
        });
    JsonNode frame =
        awaitFrame(
            found -> found.path("databases").path(1).path("state").asText().contains("no figures"));
    assertThat(first(frame).path("state").asText()).isEqualTo("open");
  }

  @Test
  void readsOnceASecondWhileNobodyLooks() throws Exception {
    List<Long> readNanos = new CopyOnWriteArrayList<>();
    dashboard.show(
        "database",
        () -> {
          readNanos.add(System.nanoTime());
          return database.statistics();
        });
    await("five readings", () -> readNanos.size() >= 5);
    // Four intervals of one second each lie between five readings, or of a quarter of a second if
    // somebody looked. On a busy machine the first reading may be late.
    assertThat(readNanos.get(4) - readNanos.get(0)).isGreaterThan(TimeUnit.SECONDS.toNanos(2));
  }
}
