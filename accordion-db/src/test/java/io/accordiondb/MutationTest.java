// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What puts, deletes and batches carry, and what a table makes of it. */
class MutationTest {
  private static final byte[] ROW = bytes("row");
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");

  @Test
  void theTimestampOfAPutOrDeleteIsThatOfItsParts() {
    assertThat(new Put(ROW, 5).addColumn(F, Q, Q).cells().get(0).timestamp()).isEqualTo(5);
    assertThat(new Put(ROW, 5).addColumn(F, Q, 6, Q).cells().get(0).timestamp()).isEqualTo(6);
    Delete delete =
        new Delete(ROW, 5)
            .addFamily(F)
            .addColumns(F, Q)
            .addColumn(F, Q)
            .addFamily(F, 7)
            .addColumns(F, Q, 7)
            .addColumn(F, Q, 7);
    assertThat(delete.cells().stream().map(Cell::timestamp))
        .containsExactly(5L, 5L, 5L, 7L, 7L, 7L);
    assertThat(new Delete(ROW).addColumn(F, Q).cells().get(0).timestamp())
        .isEqualTo(Mutation.LATEST_TIMESTAMP);
  }

  @Test
  void rowsAndTimesMustBePossible() {
    assertThatThrownBy(() -> new Put(new byte[0])).isInstanceOf(EmptyRowException.class);
    assertThatThrownBy(() -> new Delete(ByteBuffer.allocate(0)))
        .isInstanceOf(EmptyRowException.class);
    assertThatIllegalArgumentException().isThrownBy(() -> new Delete(ROW, -1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Put(ROW, -1).addColumn(F, Q, Q));
    assertThatIllegalArgumentException().isThrownBy(() -> new Put(ROW).addColumn(F, Q, -1, Q));
  }

  @Test
  void aBatchKeepsItsOrderAndMayBeUsedAgain() {
    WriteBatch batch = new WriteBatch().put("a", new Put(ROW)).delete("b", new Delete(ROW));
    List<WriteBatch.Entry> entries = batch.entries();
    assertThat(entries.stream().map(WriteBatch.Entry::table)).containsExactly("a", "b");
    assertThat(batch.size()).isEqualTo(2);
    batch.clear();
    assertThat(batch.size()).isZero();
  }

  @Test
  void aVersionIsDeletedAtTheTimestampOfTheDelete(@TempDir Path folder) throws IOException {
    try (Database database = Database.open(folder)) {
      Table table = tableOfManyVersions(database);
      for (int timestamp = 1; timestamp <= 3; timestamp++) {
        table.put(new Put(ROW, timestamp).addColumn(F, Q, Q));
      }
      table.delete(new Delete(ROW, 2).addColumn(F, Q));
      Get all = new Get(ROW).setAllVersions();
      assertThat(table.get(all).cells().stream().map(Cell::timestamp)).containsExactly(3L, 1L);
      table.delete(new Delete(ROW).addColumn(F, Q));
      assertThat(table.get(all).cells().stream().map(Cell::timestamp)).containsExactly(1L);
    }
  }

  @Test
  void partsOfAnIncrementOrAppendOfOneColumnAddUp(@TempDir Path folder) throws IOException {
    try (Database database = Database.open(folder)) {
      Table table = tableOfManyVersions(database);
      Increment increment = new Increment(ROW).addColumn(F, Q, 2).addColumn(F, Q, 3);
      Result sum = table.increment(increment);
      assertThat(ByteBuffer.wrap(sum.cells().get(0).value()).getLong()).isEqualTo(5);
      assertThat(sum.cells()).hasSize(1);
      assertThat(table.increment(ROW, F, Q, 1)).isEqualTo(6);

      byte[] text = bytes("text");
      Result appended =
          table.append(
              new Append(ROW).addColumn(F, text, bytes("a")).addColumn(F, text, bytes("b")));
      assertThat(appended.value(F, text)).isEqualTo(bytes("ab"));
      assertThat(table.get(new Get(ROW)).value(F, text)).isEqualTo(bytes("ab"));
    }
  }

  private static Table tableOfManyVersions(Database database) throws IOException {
    database.createTable(
        TableDescriptor.builder("t")
            .family(FamilyDescriptor.builder("f").maxVersions(10).build())
            .build());
    return database.table("t");
  }
}
