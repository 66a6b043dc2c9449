// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

class AccordionClientTest {
  @TempDir Path folder;

  private AccordionClient client(String... settings) throws DBException {
    Properties properties = new Properties();
    properties.setProperty("accordion.dir", folder.toString());
    for (int i = 0; i < settings.length; i += 2) {
      properties.setProperty(settings[i], settings[i + 1]);
    }
    AccordionClient client = new AccordionClient();
    client.setProperties(properties);
    client.init();
    return client;
  }

  private static Map<String, ByteIterator> values(String... pairs) {
    Map<String, ByteIterator> values = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      values.put(pairs[i], new StringByteIterator(pairs[i + 1]));
    }
    return values;
  }

  private static Map<String, String> read(AccordionClient client, String key, Set<String> fields) {
    Map<String, ByteIterator> found = new HashMap<>();
    client.read("t", key, fields, found);
    return StringByteIterator.getStringMap(found);
  }

  @ParameterizedTest
  @ValueSource(strings = {"columns", "record"})
  void insertsUpdatesReadsScansAndDeletes(String layout) throws DBException {
    AccordionClient client = client("accordion.policy", "basic", "accordion.layout", layout);
    assertThat(client.insert("t", "a", values("f0", "1", "f1", "2"))).isEqualTo(Status.OK);
    assertThat(client.insert("t", "b", values("f0", "3"))).isEqualTo(Status.OK);
    assertThat(client.update("t", "a", values("f1", "4"))).isEqualTo(Status.OK);

    assertThat(read(client, "a", null)).isEqualTo(Map.of("f0", "1", "f1", "4"));
    assertThat(read(client, "a", Set.of("f1"))).isEqualTo(Map.of("f1", "4"));
    Vector<HashMap<String, ByteIterator>> rows = new Vector<>();
    assertThat(client.scan("t", "a", 10, null, rows)).isEqualTo(Status.OK);
    assertThat(rows.stream().map(StringByteIterator::getStringMap))
        .containsExactly(
            new HashMap<>(Map.of("f0", "1", "f1", "4")), new HashMap<>(Map.of("f0", "3")));
    rows.clear();
    assertThat(client.scan("t", "a", 1, Set.of("f1"), rows)).isEqualTo(Status.OK);
    assertThat(rows.stream().map(StringByteIterator::getStringMap))
        .containsExactly(new HashMap<>(Map.of("f1", "4")));
    assertThat(client.delete("t", "a")).isEqualTo(Status.OK);
    assertThat(client.read("t", "a", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
    client.cleanup();
  }

  @Test
  void sharesOneDatabaseAndWritesBatchesAtTheEnd() throws DBException {
    AccordionClient writer = client("accordion.layout", "columns", "accordion.batchbytes", "1000");
    AccordionClient reader = client("accordion.layout", "columns");
    assertThat(writer.insert("t", "a", values("f0", "1"))).isEqualTo(Status.BATCHED_OK);
    assertThat(read(reader, "a", null)).isEmpty();
    writer.cleanup();
    assertThat(read(reader, "a", null)).isEqualTo(Map.of("f0", "1"));
    reader.cleanup();
    AccordionClient again = client("accordion.layout", "columns");
    assertThat(read(again, "a", null)).isEqualTo(Map.of("f0", "1"));
    again.cleanup();
  }

  @Test
  void readsBeforeItUpdatesIfToldTo() throws DBException {
    AccordionClient client =
        client("accordion.layout", "columns", "accordion.readmodifywrite", "true");
    assertThat(client.update("t", "a", values("f0", "1"))).isEqualTo(Status.NOT_FOUND);
    assertThat(read(client, "a", null)).isEmpty();
    client.insert("t", "a", values("f0", "1", "f1", "2"));
    assertThat(client.update("t", "a", values("f1", "3"))).isEqualTo(Status.OK);
    assertThat(read(client, "a", null)).isEqualTo(Map.of("f0", "1", "f1", "3"));
    client.cleanup();
    assertThatThrownBy(
            () ->
                client(
                    "accordion.layout", "columns",
                    "accordion.readmodifywrite", "true",
                    "accordion.batchbytes", "10"))
        .isInstanceOf(DBException.class)
        .hasMessageContainingAll("readmodifywrite", "batchbytes");
    assertThatThrownBy(() -> client("accordion.batchbytes", "10"))
        .isInstanceOf(DBException.class)
        .hasMessageContainingAll("batchbytes", "accordion.layout=COLUMNS");
  }

  @Test
  void gathersKeysAndValuesUpToTheSizeOfABatch() throws DBException {
    AccordionClient client = client("accordion.layout", "columns", "accordion.batchbytes", "12");
    assertThat(client.insert("t", "aa", values("f0", "1234"))).isEqualTo(Status.BATCHED_OK);
    assertThat(client.delete("t", "cc")).isEqualTo(Status.BATCHED_OK);
    assertThat(read(client, "aa", null)).isEmpty();
    assertThat(client.insert("t", "bb", values("f0", "12"))).isEqualTo(Status.OK);
    assertThat(read(client, "aa", null)).isEqualTo(Map.of("f0", "1234"));
    client.cleanup();
  }

  @Test
  void tellsThatATableHasTheOtherLayout() throws DBException {
    AccordionClient record = client();
    assertThat(record.insert("t", "a", values("f0", "1"))).isEqualTo(Status.OK);
    assertThat(record.update("t", "b", values("f0", "1"))).isEqualTo(Status.NOT_FOUND);
    AccordionClient columns = client("accordion.layout", "columns");
    Status status = columns.read("t", "a", null, new HashMap<>());
    assertThat(status.getName()).isEqualTo("ERROR");
    assertThat(status.getDescription()).contains("accordion.layout");
    record.cleanup();
    columns.cleanup();
  }

  @ParameterizedTest
  @ValueSource(strings = {"columns", "record"})
  void whatTheStoreRefusesIsAnErrorOfTheOperation(String layout) throws DBException {
    AccordionClient client = client("accordion.layout", layout, "accordion.valuebytesmax", "100");
    Status tooLarge = client.insert("t", "a", values("f0", "v".repeat(200)));
    assertThat(tooLarge.getName()).isEqualTo("ERROR");
    assertThat(tooLarge.getDescription()).contains("more than the limit of 100");
    assertThat(client.insert("", "a", values("f0", "1")).getName()).isEqualTo("ERROR");
    assertThat(client.insert("t", "a", values("f0", "1"))).isEqualTo(Status.OK);
    client.cleanup();
    assertThatThrownBy(() -> client.delete("t", "a")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aBatchThatTheStoreRefusesAtTheEndIsAnErrorOfTheCleanup() throws DBException {
    AccordionClient client =
        client(
            "accordion.layout", "columns",
            "accordion.batchbytes", "10000",
            "accordion.valuebytesmax", "100");
    assertThat(client.insert("t", "a", values("f0", "v".repeat(200)))).isEqualTo(Status.BATCHED_OK);
    assertThatThrownBy(client::cleanup)
        .isInstanceOf(DBException.class)
        .hasMessageContaining("more than the limit of 100");
    client.cleanup();
  }

  @Test
  void refusesPropertiesThatItDoesNotKnow() {
    assertThatThrownBy(() -> client("accordion.polcy", "basic"))
        .isInstanceOf(DBException.class)
        .hasMessageContainingAll("accordion.polcy", "accordion.policy");
  }

  @Test
  void namesTheMissingFolder() {
    AccordionClient client = new AccordionClient();
    client.setProperties(new Properties());
    assertThatThrownBy(client::init)
        .isInstanceOf(DBException.class)
        .hasMessageContaining("accordion.dir");
  }
}
