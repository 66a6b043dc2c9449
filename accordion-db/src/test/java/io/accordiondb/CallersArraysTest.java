// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.filter.Filters;
import io.accordiondb.typed.Codecs;
import io.accordiondb.typed.TypedStore;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A caller may change the arrays that it has given, and those that it has got. */
class CallersArraysTest {
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");
  private static final int KEYS = 40;

  private Database database;
  private KeyValueStore store;
  private Table table;

  @BeforeEach
  void open() throws IOException {
    database = Database.inMemory();
    store = database.keyValueStore("s");
    for (int i = 0; i < KEYS; i++) {
      store.put(new byte[] {(byte) i}, bytes("value " + i));
    }
    database.createTable(TableDescriptor.of("t", "f"));
    table = database.table("t");
    for (int i = 0; i < 3; i++) {
      table.put(new Put(bytes("row" + i)).addColumn(F, Q, bytes("" + i)));
    }
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  private ConcurrentNavigableMap<byte[], byte[]> map() {
    return TypedStore.of(store, Codecs.BYTES, Codecs.BYTES).asMap();
  }

  @Test
  void aMapOfArraysIsIteratedToItsEnd() {
    int seen = 0;
    for (byte[] key : map().keySet()) {
      assertThat(key).containsExactly(seen++);
      Arrays.fill(key, (byte) 0);
    }
    assertThat(seen).isEqualTo(KEYS);
  }

  @Test
  void whatAnIteratorRemovesIsWhatItHasReturned() throws IOException {
    Iterator<Map.Entry<byte[], byte[]>> entries = map().entrySet().iterator();
    entries.next();
    entries.next().getKey()[0] = 7;
    entries.remove();
    assertThat(store.get(new byte[] {1})).isNull();
    assertThat(store.get(new byte[] {7})).isNotNull();
    map().values().removeIf(value -> ++value[0] > 0);
    assertThat(map()).isEmpty();
  }

  @Test
  void aViewOfAMapKeepsItsBounds() {
    byte[] from = {3};
    byte[] to = {5};
    Map<byte[], byte[]> view = map().subMap(from, to);
    from[0] = 0;
    to[0] = 30;
    assertThat(view).hasSize(2);
    view.clear();
    assertThat(map()).hasSize(KEYS - 2);
  }

  @Test
  void cellsOfResultsAreTheCallers() throws IOException {
    byte[] row = bytes("row1");
    byte[] qualifier = Q.clone();
    Result result = table.get(new Get(row).addColumn(F, qualifier));
    qualifier[0] = 'z';
    row[0] = 'z';
    assertThat(result.value(F, Q)).isEqualTo(bytes("1"));
    assertThat(result.row()).isEqualTo(bytes("row1"));
    Arrays.fill(result.cells().get(0).family(), (byte) 'z');
    Arrays.fill(table.get(new Get(bytes("row2"))).cells().get(0).family(), (byte) 'z');
    try (ResultScanner scanner = table.scan(new Scan())) {
      for (Result found : scanner) {
        Arrays.fill(found.cells().get(0).family(), (byte) 'z');
        Arrays.fill(found.row(), (byte) 'z');
      }
    }
    table.put(new Put(bytes("row1")).addColumn(F, Q, bytes("2")));
    assertThat(table.get(new Get(bytes("row1"))).value(F, Q)).isEqualTo(bytes("2"));
  }

  /** In a family without visible cells the reader remembers the rows that it has passed. */
  @Test
  void rowsOfAResultAreNotThoseThatAReaderRemembers() throws IOException {
    Table two = tableOfTwoFamilies();
    try (ResultScanner scanner = two.scan(new Scan().setStartRow(bytes("k")))) {
      for (int i = 100; i < 200; i++) {
        scanner.next().row()[0] = 'z';
      }
    }
    try (ResultScanner scanner = two.scan(new Scan().setStartRow(bytes("l")))) {
      assertThat(scanner.next().row()).isEqualTo(bytes("m"));
    }
  }

  @Test
  void aSoughtKeyIsNotTheOneThatAReaderRemembers() throws IOException {
    Table two = tableOfTwoFamilies();
    byte[] key = bytes("k");
    try (RowCursor cursor = two.cursor(new Scan())) {
      cursor.seek(key);
      key[0] = 'a';
      for (int i = 101; i < 200; i++) {
        cursor.next();
      }
    }
    try (ResultScanner scanner = two.scan(new Scan())) {
      assertThat(scanner.next().row()).isEqualTo(bytes("b"));
    }
  }

  /** The second family shows the rows b and m alone; the first one those in between. */
  private Table tableOfTwoFamilies() throws IOException {
    database.createTable(
        TableDescriptor.builder("u")
            .family(FamilyDescriptor.of("f"))
            .family(FamilyDescriptor.of("g"))
            .build());
    Table two = database.table("u");
    byte[] g = bytes("g");
    two.put(new Put(bytes("b")).addColumn(g, Q, bytes("v")));
    two.put(new Put(bytes("m")).addColumn(g, Q, bytes("v")));
    for (int i = 100; i < 200; i++) {
      two.put(new Put(bytes("k" + i)).addColumn(F, Q, bytes("v")).addColumn(g, Q, bytes("v")));
      two.delete(new Delete(bytes("k" + i)).addColumns(g, Q));
    }
    return two;
  }

  @Test
  void aFilterOfAnOpenScanStaysAsItIs() throws IOException {
    byte[] bound = bytes("1");
    Scan scan = new Scan().setFilter(Filters.value(CompareOperator.EQUAL, bound));
    try (ResultScanner scanner = table.scan(scan)) {
      bound[0] = '2';
      assertThat(scanner.next().row()).isEqualTo(bytes("row1"));
      assertThat(scanner.next()).isNull();
    }
  }

  @Test
  void aCursorStaysOnItsRow() throws IOException {
    try (RowCursor cursor = table.cursor(new Scan())) {
      cursor.first();
      cursor.result().row()[3] = '9';
      assertThat(cursor.keyBytes()).isEqualTo(bytes("row0"));
      assertThat(cursor.refresh()).isTrue();
      assertThat(cursor.keyBytes()).isEqualTo(bytes("row0"));
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.keyBytes()).isEqualTo(bytes("row1"));
    }
  }
}
