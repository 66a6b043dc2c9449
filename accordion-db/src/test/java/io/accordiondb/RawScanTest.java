// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a raw scan returns of each kind of write, from memory and from sorted tables. */
class RawScanTest {
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");

  private @TempDir Path folder;
  private Database database;
  private Table table;

  @BeforeEach
  void open() throws IOException {
    database = Database.open(folder);
    database.createTable(
        TableDescriptor.builder("t")
            .family(FamilyDescriptor.builder("f").maxVersions(3).build())
            .build());
    table = database.table("t");
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  @Test
  void hiddenPutsAndMarkersAreReturned() throws IOException {
    table.put(new Put(bytes("a"), 1).addColumn(F, Q, bytes("one")));
    table.put(new Put(bytes("a"), 2).addColumn(F, Q, bytes("two")));
    table.delete(new Delete(bytes("a")).addColumn(F, Q, 2));
    table.put(new Put(bytes("b"), 3).addColumn(F, Q, bytes("three")));
    table.delete(new Delete(bytes("b")).addColumns(F, Q, 4));
    table.put(new Put(bytes("c"), 5).addColumn(F, Q, bytes("five")));
    table.delete(new Delete(bytes("c")).addFamily(F, 6));
    table.delete(new Delete(bytes("d")).addFamilyVersion(F, 7));

    List<String> expected =
        List.of(
            "a DELETE 2 ",
            "a PUT 2 two",
            "a PUT 1 one",
            "b DELETE_COLUMN 4 ",
            "b PUT 3 three",
            "c DELETE_FAMILY 6 ",
            "c PUT 5 five",
            "d DELETE_FAMILY_VERSION 7 ");
    assertThat(scanned(raw())).isEqualTo(expected);
    assertThat(scanned(raw().addFamily(F))).isEqualTo(expected);
    assertThat(scanned(raw().setReversed(true)))
        .startsWith("d DELETE_FAMILY_VERSION 7 ")
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(scanned(new Scan().setAllVersions())).containsExactly("a PUT 1 one");
  }

  @Test
  void markersDoNotCountAsVersions() throws IOException {
    for (int timestamp = 1; timestamp <= 3; timestamp++) {
      table.put(new Put(bytes("a"), timestamp).addColumn(F, Q, Q));
      table.delete(new Delete(bytes("a")).addColumn(F, Q, timestamp));
    }
    assertThat(scanned(raw().setVersions(2)))
        .containsExactly("a DELETE 3 ", "a PUT 3 q", "a DELETE 2 ", "a PUT 2 q", "a DELETE 1 ");
    assertThat(scanned(raw().setTimeRange(2, 3))).containsExactly("a DELETE 2 ", "a PUT 2 q");
  }

  @Test
  void markersAreReturnedUntilACompactionDropsThem() throws IOException {
    table.delete(new Delete(bytes("a")).addColumns(F, Q, 4));
    database.flush("t");
    assertThat(scanned(raw())).containsExactly("a DELETE_COLUMN 4 ");
    database.majorCompact("t");
    assertThat(scanned(raw())).isEmpty();
  }

  @Test
  void aSnapshotAndATransactionReadTheirOwnMoment() throws IOException {
    table.put(new Put(bytes("a"), 1).addColumn(F, Q, Q));
    try (Snapshot before = database.snapshot()) {
      table.delete(new Delete(bytes("a")).addColumn(F, Q, 1));
      assertThat(scanned(raw().setSnapshot(before))).containsExactly("a PUT 1 q");
    }
    database.transact(
        transaction -> {
          transaction.table("t").delete(new Delete(bytes("b")).addFamily(F, 9));
          assertThat(scanned(transaction.table("t"), raw()))
              .containsExactly("a DELETE 1 ", "a PUT 1 q", "b DELETE_FAMILY 9 ");
          return null;
        });
  }

  @Test
  void expiredPutsAreReturnedAndDeletedRangesAreNot() throws IOException {
    table.put(new Put(bytes("a"), 1).setTtlMillis(10).addColumn(F, Q, Q));
    table.put(new Put(bytes("c"), 1).addColumn(F, Q, Q));
    table.deleteRange(bytes("c"), bytes("d"));
    assertThat(scanned(raw())).containsExactly("a PUT 1 q");
    assertThat(scanned(new Scan())).isEmpty();
  }

  @Test
  void tagsAreKeptAndReturned() throws IOException {
    byte[] tag = {0, 2, 65, 7};
    table.put(new Put(bytes("a")).addColumn(F, Q, 1, Q, tag));
    table.put(new Put(bytes("b")).setTtlMillis(Long.MAX_VALUE / 4).addColumn(F, Q, 1, Q, tag));
    table.put(new Put(bytes("c")).addColumn(F, Q, 1, Q, tag).setTtlMillis(Long.MAX_VALUE / 4));
    database.transact(
        transaction -> {
          transaction.table("t").put(new Put(bytes("d")).addColumn(F, Q, 1, Q, tag));
          assertThat(tags(transaction.table("t"), "d")).isEqualTo(tag);
          return null;
        });
    byte[] both = CellTags.withTtl(tag, Long.MAX_VALUE / 4);
    for (int stage = 0; stage < 3; stage++) {
      assertThat(tags(table, "a")).isEqualTo(tag);
      assertThat(tags(table, "b")).isEqualTo(both).hasSize(tag.length + 11);
      assertThat(tags(table, "c")).isEqualTo(both);
      assertThat(tags(table, "d")).isEqualTo(tag);
      assertThat(table.get(new Get(bytes("a"))).cells().get(0).tags()).isEmpty();
      assertThat(table.get(new Get(bytes("b"))).cells().get(0).ttlMillis())
          .isEqualTo(Long.MAX_VALUE / 4);
      if (stage == 0) {
        database.close();
        database = Database.open(folder);
        table = database.table("t");
      } else {
        database.flush("t");
        database.majorCompact("t");
      }
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Put(bytes("a")).addColumn(F, Q, 1, Q, new byte[] {0, 9, 1}))
        .withMessageContaining("tag length");
  }

  @Test
  void getsReadTaggedCellsOfFilesWithoutMarkers() throws IOException {
    byte[] tag = {0, 3, 65, 7, 7};
    for (int row = 0; row < 40; row++) {
      byte[] key = bytes("row" + row);
      byte[] value = bytes("value" + row);
      table.put(new Put(key).addColumn(F, Q, 1, value, row % 3 == 0 ? tag : CellTags.NONE));
    }
    database.flush("t");
    for (int row = 0; row < 40; row++) {
      byte[] key = bytes("row" + row);
      assertThat(table.get(new Get(key)).cells().get(0).value()).isEqualTo(bytes("value" + row));
      assertThat(table.get(List.of(new Get(key).addColumn(F, Q))).get(0).value(F, Q))
          .isEqualTo(bytes("value" + row));
    }
    assertThat(table.get(new Get(bytes("row3x"))).isEmpty()).isTrue();
  }

  @Test
  void tagsAreReturnedWhereOperandsAreMerged() throws IOException {
    byte[] tag = {0, 2, 65, 7};
    database.createTable(
        TableDescriptor.builder("m")
            .family(FamilyDescriptor.builder("f").mergeOperator("append").build())
            .build());
    Table merged = database.table("m");
    merged.put(new Put(bytes("a")).addColumn(F, Q, 1, bytes("x"), tag));
    assertThat(tags(merged, "a")).isEqualTo(tag);
    merged.merge(new Merge(bytes("a")).addColumn(F, Q, bytes("y")));
    assertThat(tags(merged, "a")).isEmpty();
    assertThat(merged.get(new Get(bytes("a"))).value(F, Q)).isEqualTo(bytes("xy"));
  }

  private static byte[] tags(Table table, String row) throws IOException {
    try (ResultScanner scanner = table.scan(raw().setRowPrefix(bytes(row)))) {
      return scanner.next().cells().get(0).tags();
    }
  }

  @Test
  void filtersSeeMarkers() throws IOException {
    table.put(new Put(bytes("a"), 1).addColumn(F, Q, Q));
    table.delete(new Delete(bytes("a")).addColumn(F, Q, 1));
    Filter markers = cells -> cells.stream().filter(cell -> cell.type() != CellType.PUT).toList();
    assertThat(scanned(raw().setFilter(markers))).containsExactly("a DELETE 1 ");
  }

  @Test
  void columnsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> table.scan(raw().addColumn(F, Q)))
        .withMessageContaining("raw")
        .withMessageContaining("columns of f");
  }

  private static Scan raw() {
    return new Scan().setRaw(true).setAllVersions();
  }

  private List<String> scanned(Scan scan) throws IOException {
    return scanned(table, scan);
  }

  private static List<String> scanned(Table table, Scan scan) throws IOException {
    List<String> found = new ArrayList<>();
    try (ResultScanner scanner = table.scan(scan)) {
      for (Result result : scanner) {
        for (Cell cell : result.cells()) {
          found.add(
              new String(cell.row(), US_ASCII)
                  + " "
                  + cell.type()
                  + " "
                  + cell.timestamp()
                  + " "
                  + new String(cell.value(), US_ASCII));
        }
      }
    }
    return found;
  }
}
