// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Put;
import io.accordiondb.cli.hfile.HFileImport;
import io.accordiondb.cli.hfile.HFileImport.Choice;
import io.accordiondb.cli.hfile.HFileImport.Kind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tags that are longer than values usually are. */
@Tag("slow")
class LongTagsTest {
  @TempDir Path folder;

  private final HBaseTransfer transfer = new HBaseTransfer();

  private Database open(String name) throws IOException {
    return Database.open(
        folder.resolve(name), DatabaseOptions.builder().memoryBytes(8 << 20).build());
  }

  private static Put put(String row, int tagBytes) {
    byte[] tags = new byte[tagBytes];
    tags[0] = (byte) ((tagBytes - Short.BYTES) >> Byte.SIZE);
    tags[1] = (byte) (tagBytes - Short.BYTES);
    tags[2] = 65;
    return new Put(Stores.bytes(row))
        .addColumn(Stores.bytes(Stores.PLAIN), Stores.bytes("q"), 1, Stores.bytes("v"), tags);
  }

  private void importCopy() throws IOException {
    transfer.importTable(
        new HFileImport(
            Kind.HFILE,
            folder.resolve("hfiles"),
            null,
            Stores.TABLE,
            Set.of(Choice.CREATE),
            folder.resolve("copy"),
            create -> open("copy"),
            new PrintWriter(Writer.nullWriter())));
  }

  @Test
  void anExportEndsAtTagsThatHBaseCannotRead() throws IOException {
    try (Database database = open("db")) {
      database.createTable(Stores.table());
      database.table(Stores.TABLE).put(put("r1", 32_767));
      transfer.exportTable(Stores.export(database, folder.resolve("hfiles")));
      importCopy();
      try (Database copy = open("copy")) {
        assertThat(Stores.raw(copy, Stores.PLAIN))
            .isEqualTo(Stores.raw(database, Stores.PLAIN))
            .hasSize(1);
      }
      database.table(Stores.TABLE).put(put("r2", 32_768));
      assertThatThrownBy(
              () -> transfer.exportTable(Stores.export(database, folder.resolve("refused"))))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(
              "the tags of row r2, column plain:q, have 32768 bytes, expected up to 32767");
    }
  }

  @Test
  void batchesOfAnImportCountTags() throws IOException {
    int cells = 300;
    try (Database database = open("db")) {
      database.createTable(Stores.table());
      for (int i = 0; i < cells; i++) {
        database.table(Stores.TABLE).put(put("r" + i, 30_000));
      }
      transfer.exportTable(Stores.export(database, folder.resolve("hfiles")));
    }
    importCopy();
    try (Database copy = open("copy")) {
      assertThat(Stores.raw(copy, Stores.PLAIN))
          .hasSize(cells)
          .allMatch(cell -> cell.tags().length == 30_000);
    }
  }
}
