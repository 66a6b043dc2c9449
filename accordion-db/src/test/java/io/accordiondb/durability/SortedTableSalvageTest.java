// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Compression;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.RepairReport;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.repair.Repairer;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.InjectedFault;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A repair keeps the sound blocks of a damaged sorted table, and says what is lost. */
class SortedTableSalvageTest {
  private static final int ROWS = 300;
  private static final byte[] FAMILY = "f".getBytes(US_ASCII);
  private static final byte[] QUALIFIER = "q".getBytes(US_ASCII);

  /** Rows that fit into one block at most. */
  private static final int BLOCK_ROWS_MAX = 14;

  /** Bytes of a footer. */
  private static final int FOOTER_BYTES = 68;

  private MemoryStorage disk = new MemoryStorage();

  private static byte[] row(int number) {
    return String.format(Locale.ROOT, "row%05d", number).getBytes(US_ASCII);
  }

  private static byte[] value(int number) {
    return Arrays.copyOf(("value " + 31 * number).getBytes(US_ASCII), 30);
  }

  private static DatabaseOptions options() {
    return DatabaseOptions.builder().memoryBytes(16 << 20).build();
  }

  private void createTable(Database database, Compression compression) throws IOException {
    FamilyDescriptor family =
        FamilyDescriptor.of("f").toBuilder().blockSizeBytes(512).compression(compression).build();
    database.createTable(TableDescriptor.builder("t").family(family).build());
  }

  /** Writes one sorted table. */
  private void write(Compression compression) throws IOException {
    try (Database database = DatabaseEngine.open(disk, options())) {
      createTable(database, compression);
      for (int i = 0; i < ROWS; i++) {
        database.table("t").put(new Put(row(i)).addColumn(FAMILY, QUALIFIER, value(i)));
      }
      database.flush();
    }
  }

  private String onlyTable() throws IOException {
    List<String> tables = disk.list("sst");
    assertThat(tables).hasSize(1);
    return "sst/" + tables.get(0);
  }

  private byte[] onlyTableBytes() throws IOException {
    return disk.bytes(onlyTable());
  }

  private void change(byte[] bytes, int... offsets) throws IOException {
    for (int offset : offsets) {
      bytes[offset] ^= 0x10;
    }
    disk.setBytes(onlyTable(), bytes);
  }

  private RepairReport repair() throws IOException {
    RepairReport report = new Repairer(disk).repair();
    assertThat(new Verifier(disk).verify().problems()).isEmpty();
    return report;
  }

  private List<Integer> rowsLost() throws IOException {
    List<Integer> lost = new ArrayList<>();
    try (Database database = DatabaseEngine.open(disk, options())) {
      for (int i = 0; i < ROWS; i++) {
        byte[] value = database.table("t").get(new Get(row(i))).value(FAMILY, QUALIFIER);
        if (value == null) {
          lost.add(i);
        } else {
          assertThat(value).isEqualTo(value(i));
        }
      }
      database.majorCompact("t");
    }
    return lost;
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void aDamagedBlockLosesOnlyItsOwnRows(Compression compression) throws IOException {
    write(compression);
    byte[] bytes = onlyTableBytes();
    String damaged = onlyTable();
    change(bytes, bytes.length / 2);
    RepairReport report = repair();
    List<Integer> lost = rowsLost();
    assertThat(lost).hasSizeBetween(1, BLOCK_ROWS_MAX);
    int first = lost.get(0);
    int behind = first + lost.size();
    assertThat(lost).isEqualTo(IntStream.range(first, behind).boxed().toList());
    assertThat(report.lost()).hasSize(1);
    assertThat(report.lost().get(0).message())
        .contains(
            lost.size() + " cells",
            "\"" + new String(row(first - 1), US_ASCII) + "\"",
            "\"" + new String(row(behind), US_ASCII) + "\"");
    assertThat(disk.bytes("lost/" + damaged.substring("sst/".length()))).isEqualTo(bytes);
  }

  /** The sound cells of a damaged table would otherwise count as lost. */
  @Test
  void aRepairThatCannotWriteFailsAndIsRepeated() throws IOException {
    write(Compression.NONE);
    byte[] bytes = onlyTableBytes();
    change(bytes, bytes.length / 2);
    FaultyStorage faulty = new FaultyStorage(disk);
    for (Operation operation : List.of(Operation.CREATE, Operation.APPEND, Operation.SYNC)) {
      faulty.failOnce(Set.of(operation), 1);
      assertThatThrownBy(() -> new Repairer(faulty).repair()).isInstanceOf(InjectedFault.class);
    }
    repair();
    assertThat(rowsLost()).hasSizeBetween(1, BLOCK_ROWS_MAX);
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void damageBehindTheDataLosesNoRow(Compression compression) throws IOException {
    write(compression);
    MemoryStorage sound = disk.copy();
    // The footer, then what stands before it: the properties and the root index.
    for (int back = 1; back < 600; back += 61) {
      disk = sound.copy();
      byte[] bytes = onlyTableBytes();
      change(bytes, bytes.length - back);
      RepairReport report = repair();
      assertThat(rowsLost()).as("%d bytes before the end", back).isEmpty();
      assertThat(report.lost()).hasSize(1);
      assertThat(report.lost().get(0).message()).contains("no cell is lost");
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void aTableWithoutItsEndKeepsTheBlocksBefore(Compression compression) throws IOException {
    write(compression);
    byte[] bytes = onlyTableBytes();
    disk.setBytes(onlyTable(), Arrays.copyOf(bytes, bytes.length / 2));
    RepairReport report = repair();
    List<Integer> lost = rowsLost();
    assertThat(lost).hasSizeBetween(1, ROWS * 2 / 3);
    assertThat(lost).isEqualTo(IntStream.range(ROWS - lost.size(), ROWS).boxed().toList());
    assertThat(report.lost().get(0).message())
        .contains("\"" + new String(row(ROWS - lost.size() - 1), US_ASCII) + "\" on");
  }

  @Test
  void withoutTheManifestTheTableItselfSaysWhereItsRowsBelong() throws IOException {
    write(Compression.LZ4);
    byte[] bytes = onlyTableBytes();
    change(bytes, bytes.length / 3);
    DamagedFeaturesTest.loseManifest(disk);
    repair();
    // Rows that the log still has come back.
    assertThat(rowsLost()).hasSizeLessThanOrEqualTo(BLOCK_ROWS_MAX);
  }

  @Test
  void regionsThatShareADamagedTableShareWhatIsKept() throws IOException {
    try (Database database = DatabaseEngine.open(disk, options())) {
      createTable(database, Compression.NONE);
      for (int i = 0; i < ROWS; i++) {
        database.table("t").put(new Put(row(i)).addColumn(FAMILY, QUALIFIER, value(i)));
      }
      database.flush();
      database.splitRegion("t", row(ROWS / 2));
    }
    byte[] bytes = onlyTableBytes();
    change(bytes, bytes.length / 4, bytes.length * 3 / 4);
    RepairReport report = repair();
    assertThat(rowsLost()).hasSizeBetween(2, 2 * BLOCK_ROWS_MAX).anyMatch(i -> i < ROWS / 2);
    assertThat(report.lost()).hasSize(1);
  }

  @Test
  void aLostMarkerIsReported() throws IOException {
    try (Database database = DatabaseEngine.open(disk, options())) {
      createTable(database, Compression.NONE);
      for (int i = 0; i < ROWS; i++) {
        database.table("t").put(new Put(row(i)).addColumn(FAMILY, QUALIFIER, value(i)));
        database.table("t").delete(new Delete(row(i)));
      }
      database.flush();
    }
    byte[] bytes = onlyTableBytes();
    change(bytes, bytes.length - FOOTER_BYTES - bytes.length / 2);
    RepairReport report = repair();
    assertThat(report.lost().get(0).message())
        .contains("delete markers", "older cells are visible again");
  }

  @Test
  void keptCellsThatExpireAreNoLostMarkers() throws IOException {
    try (Database database = DatabaseEngine.open(disk, options())) {
      createTable(database, Compression.NONE);
      for (int i = 0; i < ROWS; i++) {
        Put put = new Put(row(i)).addColumn(FAMILY, QUALIFIER, value(i));
        // The damage is behind them.
        database.table("t").put(i < ROWS / 3 ? put.setTtlMillis(1L << 40) : put);
      }
      database.flush();
    }
    byte[] bytes = onlyTableBytes();
    change(bytes, bytes.length / 2);
    assertThat(repair().lost().get(0).message())
        .contains(" 0 of them delete markers")
        .doesNotContain("older cells are visible again");
  }

  @Test
  void aTableOfAnotherNumberIsNotTakenForThisOne() throws IOException {
    write(Compression.NONE);
    byte[] bytes = onlyTableBytes();
    try (Database database = DatabaseEngine.open(disk, options())) {
      database.table("t").put(new Put(row(0)).addColumn(FAMILY, QUALIFIER, value(0)));
      database.flush();
    }
    String newest = "sst/" + disk.list("sst").get(1);
    disk.setBytes(newest, bytes);
    RepairReport report = repair();
    assertThat(report.lost()).hasSize(1);
    assertThat(report.lost().get(0).message()).contains("file number").doesNotContain("cells of");
    assertThat(rowsLost()).isEmpty();
  }
}
