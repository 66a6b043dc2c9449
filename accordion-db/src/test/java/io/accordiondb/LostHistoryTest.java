// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Snapshots and scans of a moment before a truncation or a drop say so, and never find nothing. */
class LostHistoryTest {
  private static final byte[] F = bytes("f");
  private static final byte[] G = bytes("g");
  private static final byte[] Q = bytes("q");
  private static final TableDescriptor BOTH = TableDescriptor.of("t", "f", "g");

  private Database database;
  private Table table;

  @BeforeEach
  void fill() throws IOException {
    database =
        DatabaseEngine.open(
            new MemoryStorage(), DatabaseOptions.builder().memoryBytes(16 << 20).build());
    database.createTable(BOTH, bytes("m"));
    table = database.table("t");
    for (String row : new String[] {"a", "b", "x", "y"}) {
      table.put(new Put(bytes(row)).addColumn(F, Q, bytes("1")).addColumn(G, Q, bytes("2")));
    }
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  @Test
  void aSnapshotOfBeforeATruncationIsRefused() throws IOException {
    try (Snapshot before = database.snapshot()) {
      database.truncateTable("t");
      assertLost(before);
      database.splitRegion("t", bytes("c"));
      assertLost(before);
    }
    assertNothingIsThere();
  }

  @Test
  void aSnapshotOfBeforeATableWasDroppedAndCreatedAgainIsRefused() throws IOException {
    try (Snapshot before = database.snapshot()) {
      database.dropTable("t");
      database.createTable(BOTH);
      assertLost(before);
    }
    assertNothingIsThere();
  }

  @Test
  void aSnapshotReadsTheFamiliesThatWereNotDropped() throws IOException {
    try (Snapshot before = database.snapshot()) {
      database.alterTable(TableDescriptor.of("t", "f"));
      assertReadsOnlyWhatWasNotDropped(before);
      database.splitRegion("t", bytes("c"));
      assertReadsOnlyWhatWasNotDropped(before);
      assertThat(table.get(new Get(bytes("a"))).cells()).hasSize(1);
      database.alterTable(BOTH);
      assertReadsOnlyWhatWasNotDropped(before);
      assertThatExceptionOfType(HistoryLostException.class)
          .isThrownBy(() -> table.get(new Get(bytes("a")).addFamily(G).setSnapshot(before)))
          .withMessageContaining("family g");
    }
  }

  private void assertReadsOnlyWhatWasNotDropped(Snapshot before) throws IOException {
    assertThat(table.get(new Get(bytes("a")).addFamily(F).setSnapshot(before)).cells()).hasSize(1);
    assertThatExceptionOfType(HistoryLostException.class)
        .isThrownBy(() -> table.get(new Get(bytes("a")).setSnapshot(before)))
        .withMessageContaining("family g");
  }

  /** A region that is open still has the family, and the others do not. */
  @Test
  void aScanThatTheDropOfAFamilyOvertakesIsRefused() throws IOException {
    try (ResultScanner scanner = table.scan(new Scan());
        ResultScanner ofF = table.scan(new Scan().addFamily(F))) {
      assertThat(scanner.next().cells()).hasSize(2);
      assertThat(ofF.next().cells()).hasSize(1);
      database.alterTable(TableDescriptor.of("t", "f"));
      assertThat(scanner.next().cells()).hasSize(2);
      assertThatExceptionOfType(HistoryLostException.class)
          .isThrownBy(scanner::next)
          .withMessageContaining("table t, family g");
      assertThat(ofF.next(10)).hasSize(3);
    }
  }

  @Test
  void aSnapshotFindsNothingInWhatWasCreatedLater() throws IOException {
    try (Snapshot before = database.snapshot()) {
      database.createTable(TableDescriptor.of("later", "f"));
      database.alterTable(TableDescriptor.of("t", "f", "g", "h"));
      database.table("later").put(new Put(bytes("a")).addColumn(F, Q, bytes("3")));
      assertThat(database.table("later").get(new Get(bytes("a")).setSnapshot(before)))
          .isEqualTo(Result.EMPTY);
      assertThat(table.get(new Get(bytes("a")).setSnapshot(before)).cells()).hasSize(2);
    }
  }

  @Test
  void aScanThatATruncationOvertakesIsRefused() throws IOException {
    try (ResultScanner scanner = table.scan(new Scan())) {
      assertThat(scanner.next()).isNotNull();
      database.truncateTable("t");
      assertThatExceptionOfType(HistoryLostException.class)
          .isThrownBy(
              () -> {
                while (scanner.next() != null) {
                  // The region that is open is read to its end.
                }
              });
    }
  }

  @Test
  void whatIsRefusedOnceIsRefusedForTheSameReasonAgain() throws IOException {
    try (ResultScanner lost = table.scan(new Scan());
        RowCursor gone = database.table("t").cursor(new Scan())) {
      database.truncateTable("t");
      for (int i = 0; i < 2; i++) {
        assertThatExceptionOfType(HistoryLostException.class)
            .isThrownBy(lost::next)
            .withMessageContaining("table t");
      }
      database.dropTable("t");
      for (int i = 0; i < 2; i++) {
        assertThatExceptionOfType(TableNotFoundException.class)
            .isThrownBy(gone::first)
            .withMessageContaining("\"t\"");
      }
    }
  }

  @Test
  void aScanOfATableThatWasDroppedAndCreatedAgainIsRefused() throws IOException {
    try (ResultScanner scanner = table.scan(new Scan())) {
      assertThat(scanner.next()).isNotNull();
      database.dropTable("t");
      database.createTable(BOTH);
      assertThatExceptionOfType(HistoryLostException.class)
          .isThrownBy(
              () -> {
                while (scanner.next() != null) {
                  // The region that is open is read to its end.
                }
              })
          .withMessageContaining("table t");
    }
  }

  @Test
  void aSnapshotOfAfterATruncationReads() throws IOException {
    database.truncateTable("t");
    try (Snapshot after = database.snapshot()) {
      table.put(new Put(bytes("a")).addColumn(F, Q, bytes("4")));
      assertThat(table.get(new Get(bytes("a")).setSnapshot(after))).isEqualTo(Result.EMPTY);
    }
    assertThat(table.get(new Get(bytes("a"))).cells()).hasSize(1);
  }

  private void assertLost(Snapshot before) {
    assertThatExceptionOfType(HistoryLostException.class)
        .isThrownBy(() -> table.get(new Get(bytes("a")).setSnapshot(before)));
    assertThatExceptionOfType(HistoryLostException.class)
        .isThrownBy(() -> table.get(new Get(bytes("a")).addColumn(F, Q).setSnapshot(before)));
    assertThatExceptionOfType(HistoryLostException.class)
        .isThrownBy(
            () -> {
              try (ResultScanner scanner = table.scan(new Scan().setSnapshot(before))) {
                scanner.next();
              }
            });
  }

  private void assertNothingIsThere() throws IOException {
    try (ResultScanner scanner = table.scan(new Scan())) {
      assertThat(scanner.next()).isNull();
    }
  }
}
