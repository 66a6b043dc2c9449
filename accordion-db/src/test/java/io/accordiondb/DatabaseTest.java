// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.fixtures.TestData.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.filter.Filters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseTest {
  private static final byte[] F = bytes("f");
  private static final byte[] G = bytes("g");
  private static final byte[] Q = bytes("q");

  @TempDir Path folder;
  private Database database;
  private Table table;

  @BeforeEach
  void open() throws IOException {
    database = Database.open(folder, options());
    database.createTable(TableDescriptor.of("t", "f", "g"), bytes("h"), bytes("p"));
    table = database.table("t");
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  private static DatabaseOptions options() {
    return DatabaseOptions.builder().memoryBytes(8 << 20).build();
  }

  private void reopen() throws IOException {
    database.close();
    database = Database.open(folder, options());
    table = database.table("t");
  }

  private static Put put(String row, byte[] family, String value) {
    return new Put(bytes(row)).addColumn(family, Q, bytes(value));
  }

  private String get(String row, byte[] family) throws IOException {
    byte[] value = table.get(new Get(bytes(row))).value(family, Q);
    return value == null ? null : text(value);
  }

  private List<String> rows(Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.scan(scan)) {
      for (Result result : scanner) {
        rows.add(text(result.row()));
      }
    }
    return rows;
  }

  @Test
  void readsWhatWasWritten() throws IOException {
    table.put(put("a", F, "1"));
    table.put(put("a", F, "2"));
    table.put(put("z", G, "3"));

    assertThat(get("a", F)).isEqualTo("2");
    assertThat(get("z", G)).isEqualTo("3");
    assertThat(get("z", F)).isNull();
    assertThat(table.get(new Get(bytes("nothing"))).isEmpty()).isTrue();
  }

  @Test
  void keepsWritesOverFlushCompactionAndReopening() throws IOException {
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 100; i++) {
        table.put(put(String.format("row%03d", i), F, round + "-" + i));
      }
      database.flush();
    }
    table.delete(new Delete(bytes("row007")));
    database.compact("t");
    assertThat(get("row042", F)).isEqualTo("4-42");
    database.flush();
    database.majorCompact("t");
    assertThat(database.statistics().files().count()).isEqualTo(1);
    assertThat(get("row042", F)).isEqualTo("4-42");
    assertThat(get("row007", F)).isNull();

    reopen();

    assertThat(get("row042", F)).isEqualTo("4-42");
    assertThat(get("row007", F)).isNull();
    assertThat(rows(new Scan())).hasSize(99);
  }

  @Test
  void scansOverRegionsInBothDirections() throws IOException {
    for (String row : List.of("a", "g", "h", "i", "p", "q", "z")) {
      table.put(put(row, F, row));
    }
    assertThat(rows(new Scan())).containsExactly("a", "g", "h", "i", "p", "q", "z");
    assertThat(rows(new Scan().setReversed(true)))
        .containsExactly("z", "q", "p", "i", "h", "g", "a");
    assertThat(
            rows(
                new Scan()
                    .setStartRow(bytes("g"), Bound.EXCLUSIVE)
                    .setStopRow(bytes("q"), Bound.INCLUSIVE)))
        .containsExactly("h", "i", "p", "q");
    assertThat(
            rows(
                new Scan()
                    .setReversed(true)
                    .setStartRow(bytes("q"))
                    .setStopRow(bytes("g"))
                    .setLimit(3)))
        .containsExactly("q", "p", "i");
    assertThat(rows(new Scan().setRowPrefix(bytes("h")))).containsExactly("h");
    assertThat(rows(new Scan().setFilter(Filters.row(CompareOperator.GREATER, bytes("i")))))
        .containsExactly("p", "q", "z");
  }

  @Test
  void writesBatchesOverTablesAtomically() throws IOException {
    database.createTable(TableDescriptor.of("other", "x"));
    WriteBatch batch = new WriteBatch();
    batch.put("t", put("a", F, "1")).put("t", put("z", G, "2"));
    batch.put("other", new Put(bytes("o")).addColumn(bytes("x"), Q, bytes("3")));
    database.write(batch, Durability.FSYNC);

    assertThat(get("a", F)).isEqualTo("1");
    assertThat(get("z", G)).isEqualTo("2");
    assertThat(database.table("other").exists(new Get(bytes("o")))).isTrue();

    batch.put("no-such-table", put("b", F, "4"));
    assertThatThrownBy(() -> database.write(batch)).isInstanceOf(TableNotFoundException.class);
  }

  @Test
  void readsAsOfSnapshot() throws IOException {
    table.put(put("a", F, "1"));
    try (Snapshot snapshot = database.snapshot()) {
      table.put(put("a", F, "2"));
      table.put(put("b", F, "3"));
      database.flush();
      database.majorCompact("t");

      assertThat(table.get(new Get(bytes("a")).setSnapshot(snapshot)).value(F, Q))
          .isEqualTo(bytes("1"));
      assertThat(rows(new Scan().setSnapshot(snapshot))).containsExactly("a");
    }
    assertThat(get("a", F)).isEqualTo("2");
  }

  private boolean putIf(String row, @Nullable String expected, String value) throws IOException {
    CheckAndMutate.Builder check = CheckAndMutate.builder(bytes(row));
    if (expected == null) {
      check.ifNotExists(F, Q);
    } else {
      check.ifEquals(F, Q, bytes(expected));
    }
    return table.checkAndMutate(check.build(put(row, F, value))).succeeded();
  }

  @Test
  void modifiesWhatIsStoredAtomically() throws IOException {
    assertThat(putIf("a", null, "1")).isTrue();
    assertThat(putIf("a", null, "2")).isFalse();
    assertThat(putIf("a", "1", "3")).isTrue();
    CheckAndMutate.Builder check = CheckAndMutate.builder(bytes("a")).ifEquals(F, Q, bytes("9"));
    assertThat(table.checkAndMutate(check.build(new Delete(bytes("a")))).succeeded()).isFalse();
    check = CheckAndMutate.builder(bytes("a")).ifEquals(F, Q, bytes("3"));
    assertThat(table.checkAndMutate(check.build(new Delete(bytes("a")))).succeeded()).isTrue();
    assertThat(get("a", F)).isNull();
    assertThat(table.increment(bytes("n"), F, Q, 5)).isEqualTo(5);
    assertThat(table.increment(bytes("n"), F, Q, -7)).isEqualTo(-2);
    table.append(new Append(bytes("s")).addColumn(F, Q, bytes("ab")));
    table.append(new Append(bytes("s")).addColumn(F, Q, bytes("cd")));
    assertThat(get("s", F)).isEqualTo("abcd");
  }

  @Test
  void deletesThenPutsWithinOneTick() throws IOException {
    for (int i = 0; i < 100; i++) {
      table.put(put("a", F, "old"));
      table.delete(new Delete(bytes("a")));
      assertThat(get("a", F)).isNull();
      table.put(put("a", F, "new"));
      assertThat(get("a", F)).isEqualTo("new");
    }
  }

  @Test
  void familyMarkerBehindManyVersionsOfTheFirstColumnHidesOtherColumns() throws IOException {
    byte[] none = new byte[0];
    table.put(new Put(bytes("a")).addColumn(F, Q, 5, bytes("old")));
    table.delete(new Delete(bytes("a")).addFamily(F, 5));
    for (int timestamp = 10; timestamp < 40; timestamp++) {
      table.put(new Put(bytes("a")).addColumn(F, none, timestamp, bytes("v" + timestamp)));
    }
    assertThat(get("a", F)).isNull();
    assertThat(table.get(new Get(bytes("a"))).cells()).hasSize(1);
  }

  @Test
  void changesTables() throws IOException {
    table.put(put("a", F, "1"));
    table.put(put("a", G, "2"));
    database.flush();
    database.alterTable(
        database.describe("t").toBuilder()
            .removeFamily("g")
            .family(FamilyDescriptor.builder("new").maxVersions(3).build())
            .build());
    assertThat(get("a", F)).isEqualTo("1");
    assertThatThrownBy(() -> table.put(put("a", G, "3")))
        .isInstanceOf(FamilyNotFoundException.class)
        .hasMessageContaining("\"g\"");
    reopen();
    assertThat(database.describe("t").familyNames()).containsExactly("f", "new");
    database.truncateTable("t");
    assertThat(rows(new Scan())).isEmpty();
    table.put(put("b", F, "4"));
    reopen();
    assertThat(rows(new Scan())).containsExactly("b");
    database.dropTable("t");
    assertThatThrownBy(() -> table.get(new Get(bytes("b"))))
        .isInstanceOf(TableNotFoundException.class);
    assertThat(database.tables()).isEmpty();
  }

  @Test
  void servesKeysAndValues() throws IOException {
    KeyValueStore store = database.keyValueStore("kv");
    store.put(bytes("a"), bytes("1"));
    store.writeBatch().put(bytes("b"), bytes("2")).put(bytes("c"), bytes("3")).commit();
    store.delete(bytes("a"));
    assertThat(store.get(bytes("a"))).isNull();
    assertThat(store.multiGet(List.of(bytes("b"), bytes("x")))).containsExactly(bytes("2"), null);
    try (KeyValueIterator range = store.reverseRange(null, bytes("c"))) {
      assertThat(text(range.next().key())).isEqualTo("b");
      assertThat(range.hasNext()).isFalse();
    }
    assertThat(store.increment(bytes("n"), 3)).isEqualTo(3);
  }
}
