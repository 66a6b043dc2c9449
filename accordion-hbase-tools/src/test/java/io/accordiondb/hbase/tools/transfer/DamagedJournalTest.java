// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.TableDescriptor;
import io.accordiondb.cli.hfile.HFileForm;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Journals with each byte changed in turn, and cut at each length. What they say must not be taken
 * for what was written of another part or unit, which would then be left out.
 */
class DamagedJournalTest {
  private static final String TABLE = "t";

  private static final ExportJournal.Plan PLAN =
      new ExportJournal.Plan(TABLE, 7, List.of("m".getBytes(US_ASCII)), HFileForm.DEFAULT);

  @TempDir Path folder;

  /** Reads a journal that is not what was written. */
  private interface Reading {
    void run() throws IOException;
  }

  private static void damage(Path journal, Reading reading) throws IOException {
    byte[] sound = Files.readAllBytes(journal);
    for (int at = 0; at < sound.length; at++) {
      // One bit makes a digit another one, the other bytes that are no text.
      for (int change : new int[] {1, 1 << 7}) {
        byte[] changed = sound.clone();
        changed[at] ^= (byte) change;
        Files.write(journal, changed);
        reading.run();
      }
      Files.write(journal, Arrays.copyOf(sound, at));
      reading.run();
    }
  }

  @Test
  void anExportTakesNoPartForAnotherOne() throws IOException {
    List<ExportJournal.Part> parts =
        List.of(
            new ExportJournal.Part("f/0", 1, 11, 111, 0),
            new ExportJournal.Part("g/0", 2, 22, 222, 1));
    ExportJournal written = ExportJournal.open(folder, PLAN);
    for (ExportJournal.Part part : parts) {
      written.add(part);
    }
    assertThat(ExportJournal.open(folder, PLAN).parts()).containsExactlyElementsOf(parts);
    Path journal = folder.resolve(".accordion-export/journal");
    damage(
        journal,
        () -> {
          try {
            assertThat(ExportJournal.open(folder, PLAN).parts()).isSubsetOf(parts);
          } catch (IOException e) {
            assertThat(e).hasMessageStartingWith(journal + " is damaged");
          }
        });
  }

  /** What {@code docs/FORMATS.md} says, by hand. */
  @Test
  void anExportThatWasBegunIsContinued() throws IOException {
    String kept =
        """
        {"table":"t","sequenceNumber":7,"splits":["bQ=="],"form":{"compression":null,\
        "encoding":"NONE","blockBytes":65536,"fileBytesMax":10737418240}} f73b5212
        {"name":"f/0","files":1,"cells":11,"bytes":111,"resolvedRows":0} 7ae2fcef
        """;
    Files.createDirectories(folder.resolve(".accordion-export"));
    Files.writeString(folder.resolve(".accordion-export/journal"), kept);
    assertThat(ExportJournal.open(folder, PLAN).parts())
        .containsExactly(new ExportJournal.Part("f/0", 1, 11, 111, 0));
  }

  private ImportUnit unit(String file) {
    return new ImportUnit("f", List.of(SourceFile.whole(folder.resolve(file))), 9);
  }

  @Test
  void anImportTakesNoUnitForAnotherOne() throws IOException {
    try (Database database = Database.open(folder)) {
      database.createTable(TableDescriptor.of(TABLE, "f"));
      List<ImportUnit> units = List.of(unit("1"), unit("2"), unit("3"));
      ImportJournal.Written first = new ImportJournal.Written(units.get(0), 11, 1);
      ImportJournal.Written third = new ImportJournal.Written(units.get(2), 33, 3);
      ImportJournal.open(folder, database, TABLE, "task").add(List.of(first, third));
      Path journal;
      try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "import-*")) {
        journal = found.iterator().next();
      }
      damage(
          journal,
          () -> {
            ImportJournal read = ImportJournal.open(folder, database, TABLE, "task");
            assertThat(read.find(units.get(0))).isIn(first, null);
            assertThat(read.find(units.get(1))).isNull();
            assertThat(read.find(units.get(2))).isIn(third, null);
          });
    }
  }
}
