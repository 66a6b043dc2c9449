// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Cell;
import io.accordiondb.CompactionFilter;
import io.accordiondb.CompactionFilter.Decision;
import io.accordiondb.CompactionFilterException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Put;
import io.accordiondb.Scan;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.cli.hfile.HFileImport.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HFiles of a family whose reads are filtered hold nothing that only the filter hides. */
@Tag("slow")
class FilteredExportTest {
  private static final byte[] F = Stores.bytes("f");
  private static final byte[] Q = Stores.bytes("q");

  /** Drops values that begin with an x. */
  private static final CompactionFilter DROPS_X =
      cell -> cell.value().get(cell.value().position()) == 'x' ? Decision.DROP : Decision.KEEP;

  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder().compactionFilter("x", DROPS_X).build();

  @TempDir Path folder;

  private final HBaseTransfer transfer = new HBaseTransfer();

  private Path hfiles() {
    return folder.resolve("hfiles");
  }

  private static Put put(String row, long timestamp, String value) {
    return new Put(Stores.bytes(row)).addColumn(F, Q, timestamp, Stores.bytes(value));
  }

  private void fill(boolean filtersReads) throws IOException {
    try (Database database = Database.open(folder.resolve("db"), OPTIONS)) {
      database.createTable(
          TableDescriptor.builder(Stores.TABLE)
              .family(
                  FamilyDescriptor.builder("f")
                      .maxVersions(3)
                      .compactionFilter("x")
                      .filtersReads(filtersReads)
                      .build())
              .build());
      Table table = database.table(Stores.TABLE);
      table.put(put("filtered", 1, "older"));
      table.put(put("filtered", 2, "x"));
      table.put(put("marked", 1, "x"));
      table.put(put("marked", 2, "deleted"));
      table.delete(new Delete(Stores.bytes("marked")).addColumn(F, Q, 2));
      table.put(put("marked", 3, "shown"));
      table.put(put("plain", 1, "shown"));
    }
  }

  /** Exports the table, imports it where no filter is, and returns all that is there. */
  private List<String> exported() throws IOException {
    try (Database database = Database.open(folder.resolve("db"), OPTIONS)) {
      transfer.exportTable(Stores.export(database, hfiles()));
    }
    Path copy = folder.resolve("copy");
    try (Database database = Database.open(copy)) {
      database.createTable(
          TableDescriptor.builder(Stores.TABLE)
              .family(FamilyDescriptor.builder("f").maxVersions(3).build())
              .build());
    }
    transfer.importTable(Stores.imported(Kind.HFILE, hfiles(), copy));
    List<String> cells = new ArrayList<>();
    try (Database database = Database.open(copy);
        var scanner = database.table(Stores.TABLE).scan(new Scan().setAllVersions())) {
      scanner.forEach(result -> result.cells().forEach(cell -> cells.add(text(cell))));
    }
    return cells;
  }

  private static String text(Cell cell) {
    return Bytes.toString(cell.row()) + "/" + cell.timestamp() + "/" + Bytes.toString(cell.value());
  }

  @Test
  void whatReadsDoNotShowIsNotExported() throws IOException {
    fill(true);
    assertThat(exported()).containsExactly("marked/3/shown", "plain/1/shown");
  }

  @Test
  void whatReadsStillShowIsExported() throws IOException {
    fill(false);
    assertThat(exported())
        .containsExactly(
            "filtered/2/x", "filtered/1/older", "marked/3/shown", "marked/1/x", "plain/1/shown");
  }

  @ParameterizedTest
  @ValueSource(strings = {"recovered.edits", ".x", "a/b", "../x"})
  void aFamilyWhoseFolderNobodyReadsIsNotExported(String family) throws IOException {
    try (Database database = Database.open(folder.resolve("db"))) {
      database.createTable(TableDescriptor.of(Stores.TABLE, family));
      assertThatThrownBy(() -> transfer.exportTable(Stores.export(database, hfiles())))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("\"" + family + "\"; export it with --format json");
      assertThat(hfiles().resolve(family)).doesNotExist();
    }
  }

  @Test
  void withoutTheFilterNothingIsExported() throws IOException {
    fill(true);
    try (Database database = Database.open(folder.resolve("db"))) {
      assertThatThrownBy(() -> transfer.exportTable(Stores.export(database, hfiles())))
          .isInstanceOf(CompactionFilterException.class)
          .hasMessageContaining("compaction filter x of family f");
    }
  }
}
