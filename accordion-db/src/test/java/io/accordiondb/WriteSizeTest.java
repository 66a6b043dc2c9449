// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writes that are too large are refused by their size, at once, before they take memory. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class WriteSizeTest {
  private static final int MIB = 1 << 20;
  private static final int VALUE_BYTES = 10 * MIB;
  private static final byte[] F = bytes("f");
  private static final byte[] ROW = bytes("row");

  /** One array for all values, so that only what the database allocates counts. */
  private static final byte[] VALUE = new byte[VALUE_BYTES];

  private Database database;
  private Table table;

  @BeforeEach
  void open() throws IOException {
    open(DatabaseOptions.builder().memoryBytes(32 * MIB).batchBytesMax(16 * MIB).build());
  }

  private void open(DatabaseOptions options) throws IOException {
    database = DatabaseEngine.open(new MemoryStorage(), options);
    database.createTable(TableDescriptor.of("t", "f"));
    table = database.table("t");
  }

  @AfterEach
  void nothingStalledAndWritesGoOn() throws IOException {
    assertThat(database.statistics().writes().stalls().count()).isZero();
    assertThat(table.exists(new Get(ROW))).isFalse();
    table.put(new Put(ROW).addColumn(F, bytes("small"), new byte[100]));
    assertThat(table.exists(new Get(ROW))).isTrue();
    database.close();
  }

  private static Put put(int values) {
    Put put = new Put(ROW);
    for (int i = 0; i < values; i++) {
      put.addColumn(F, bytes("q" + i), VALUE);
    }
    return put;
  }

  @Test
  void aPutThatNoMemoryCouldHold() {
    assertRefused(() -> table.put(put(150)));
  }

  @Test
  void aPutBeyondTheLargestArray() {
    assertRefused(() -> table.put(put(250)));
    assertRefused(() -> table.put(put(450)));
  }

  @Test
  void aBatchOfManyPuts() {
    WriteBatch batch = new WriteBatch();
    for (int i = 0; i < 250; i++) {
      batch.put("t", put(1));
    }
    assertRefused(() -> database.write(batch));
  }

  @Test
  void aPutOfOneValueBeyondTheLargestCell() {
    // Longer by a column of its own length than an int can count.
    byte[] huge = new byte[200 * MIB];
    Put put = new Put(ROW);
    for (int i = 0; i < 11; i++) {
      put.addColumn(F, bytes("q" + i), huge);
    }
    assertThatThrownBy(() -> table.put(put))
        .isInstanceOf(ValueTooLargeException.class)
        .hasMessage("the value has 209715200 bytes, more than the limit of 10485760");
  }

  @Test
  void anAppendBeyondTheLargestValue() throws IOException {
    byte[] other = bytes("other");
    table.put(new Put(other).addColumn(F, F, new byte[1]));
    assertThatThrownBy(() -> table.append(new Append(other).addColumn(F, F, VALUE)))
        .isInstanceOf(ValueTooLargeException.class)
        .hasMessage("the value has 10485761 bytes, more than the limit of 10485760");
  }

  @Test
  void aBatchThatMemoryCannotHold() throws IOException {
    database.close();
    open(DatabaseOptions.builder().memoryBytes(MIB).build());
    assertThatThrownBy(() -> table.put(new Put(ROW).addColumn(F, F, new byte[MIB])))
        .isInstanceOf(ValueTooLargeException.class)
        .hasMessageContaining("the batch")
        .hasMessageContaining(String.valueOf(MIB / 4 * 3));
  }

  private interface Write {
    void run() throws IOException;
  }

  private void assertRefused(Write write) {
    assertThatThrownBy(write::run)
        .isInstanceOf(ValueTooLargeException.class)
        .hasMessageContaining("the batch")
        .hasMessageContaining("more than the limit of " + 16 * MIB);
  }
}
