// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

class TimedClientTest {
  @TempDir Path folder;

  /** Knows the key "there" alone, and cannot scan. */
  private static final class OneRecord extends DB {
    @Override
    public Status read(
        String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
      assertThat(getProperties()).containsEntry("name", "value");
      return key.equals("there") ? Status.OK : Status.NOT_FOUND;
    }

    @Override
    public Status scan(
        String table,
        String startKey,
        int count,
        Set<String> fields,
        Vector<HashMap<String, ByteIterator>> result) {
      return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
      return Status.OK;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
      return Status.BATCHED_OK;
    }

    @Override
    public Status delete(String table, String key) {
      return Status.OK;
    }
  }

  private static TimedClient client() throws Exception {
    TimedClient client = new TimedClient();
    Properties properties = new Properties();
    properties.setProperty("name", "value");
    client.setProperties(properties);
    client.init();
    return client;
  }

  @Test
  void operationsOfAllThreadsAreDrawnOnceYcsbHasPrintedItsFigures() throws Exception {
    PlottedRun.begin(folder, "run", OneRecord::new);
    TimedClient first = client();
    assertThat(first.read("t", "there", Set.of(), new HashMap<>())).isEqualTo(Status.OK);
    assertThat(first.insert("t", "key", Map.of())).isEqualTo(Status.BATCHED_OK);
    first.cleanup();
    TimedClient second = client();
    assertThat(second.read("t", "missing", Set.of(), new HashMap<>())).isEqualTo(Status.NOT_FOUND);
    assertThat(second.update("t", "key", Map.of())).isEqualTo(Status.OK);
    second.cleanup();

    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PlotExporter exporter = new PlotExporter(out)) {
      exporter.write("OVERALL", "Operations", 4);
      assertThat(folder).isEmptyDirectory();
    }

    assertThat(out.toString(StandardCharsets.UTF_8)).contains("[OVERALL], Operations, 4");
    assertThat(folder.resolve("rate-over-time-run.png")).isNotEmptyFile();
    assertThat(folder.resolve("latency-over-time-run.svg"))
        .content()
        .as("inserts, reads, reads that failed, updates")
        .contains("rgb(0,114,178)", "rgb(230,159,0)", "rgb(0,158,115)", "rgb(204,121,167)")
        .doesNotContain("rgb(86,180,233)");
  }

  @Test
  void aRunWithoutOperationsDrawsNothing() throws Exception {
    PlottedRun.begin(folder, "load", OneRecord::new);
    client().cleanup();
    try (PlotExporter exporter = new PlotExporter(new ByteArrayOutputStream())) {
      exporter.write("OVERALL", "Operations", 0);
    }
    assertThat(folder).isEmptyDirectory();
  }
}
