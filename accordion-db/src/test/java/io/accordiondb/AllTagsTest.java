// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.encoding.CellTags;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queries that ask for all tags, of cells in memory, in files and in a transaction. */
class AllTagsTest {
  private static final byte[] ROW = bytes("r");
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");
  private static final byte[] TAGS = {0, 3, 65, 1, 2};

  private @TempDir Path folder;
  private Database database;
  private Table table;

  @BeforeEach
  void open() throws IOException {
    database = Database.open(folder);
    database.createTable(TableDescriptor.of("t", "f"));
    table = database.table("t");
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  private static byte[] tags(Table table, boolean all) throws IOException {
    return table.get(new Get(ROW).addColumn(F, Q).setAllTags(all)).cell(F, Q).tags();
  }

  private void assertTags(byte[] some, byte[] all) throws IOException {
    assertThat(tags(table, false)).isEqualTo(some);
    assertThat(tags(table, true)).isEqualTo(all);
    try (ResultScanner scanner = table.scan(new Scan().setAllTags(true))) {
      assertThat(scanner.next().cell(F, Q).tags()).isEqualTo(all);
    }
    try (ResultScanner scanner = table.scan(new Scan().setReversed(true))) {
      assertThat(scanner.next().cell(F, Q).tags()).isEqualTo(some);
    }
  }

  @Test
  void areReturnedIfTheQueryAsksForThem() throws IOException {
    table.put(new Put(ROW, 1).addColumn(F, Q, 1, Q, TAGS));
    assertTags(CellTags.NONE, TAGS);
    database.flush("t");
    // The second get finds the column in the cache.
    assertTags(CellTags.NONE, TAGS);
    assertTags(CellTags.NONE, TAGS);
  }

  @Test
  void holdTheTimeToLiveToo() throws IOException {
    table.put(new Put(ROW).setTtlMillis(1 << 30).addColumn(F, Q, 1L << 60, Q, TAGS));
    byte[] all = CellTags.withTtl(TAGS, 1 << 30);
    assertTags(CellTags.ofTtl(1 << 30), all);
    database.flush("t");
    assertTags(CellTags.ofTtl(1 << 30), all);
  }

  @Test
  void areReturnedWithinTheTransactionThatWritesThem() throws IOException {
    try (Transaction transaction = database.beginTransaction()) {
      Table own = transaction.table("t");
      own.put(new Put(ROW, 1).addColumn(F, Q, 1, Q, TAGS));
      assertThat(tags(own, true)).isEqualTo(TAGS);
      assertThat(tags(own, false)).isEmpty();
    }
  }
}
