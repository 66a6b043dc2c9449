// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Cell;
import io.accordiondb.Database;
import io.accordiondb.cli.hfile.DamagedHFileException;
import io.accordiondb.cli.hfile.HFileForm;
import io.accordiondb.cli.hfile.HFileImport.Choice;
import io.accordiondb.cli.hfile.HFileImport.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A damaged HFile is refused, or its damage is without effect; no cell is lost in silence. */
@Tag("slow")
class DamagedHFileTest {
  private static final long SEED = 7;
  private static final int FLIPS = 400;

  @TempDir Path folder;

  private LocalFiles disk = null;

  @BeforeEach
  void open() throws IOException {
    disk = LocalFiles.open();
  }

  private Path hfiles() {
    return folder.resolve("hfiles");
  }

  /** Exports a table whose first file has a few blocks, and returns that file. */
  private Path export(String compression, String encoding) throws IOException {
    try (Database database = Stores.create(folder.resolve("db"), SEED, 2000)) {
      new HBaseTransfer()
          .exportTable(
              Stores.export(
                  database,
                  hfiles(),
                  List.of(),
                  new HFileForm(compression, encoding, 2048, Long.MAX_VALUE)));
    }
    try (Stream<Path> files = Files.list(hfiles().resolve(Stores.KEPT))) {
      return files.findFirst().orElseThrow();
    }
  }

  private List<Cell> read(Path file) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (MergedCells merged =
        MergedCells.open(
            disk,
            new ImportUnit(Stores.KEPT, List.of(SourceFile.whole(file)), 0),
            new TagRule(false))) {
      for (Cell cell = merged.next(); cell != null; cell = merged.next()) {
        cells.add(cell);
      }
    }
    return cells;
  }

  @ParameterizedTest
  @CsvSource({"NONE, NONE", "GZ, NONE", "NONE, FAST_DIFF"})
  void findsFlippedBytesOrReadsTheSame(String compression, String encoding) throws IOException {
    Path file = export(compression, encoding);
    byte[] sound = Files.readAllBytes(file);
    List<Cell> expected = read(file);
    assertThat(expected).hasSizeGreaterThan(1000);
    Random random = new Random(SEED);
    int found = 0;
    for (int i = 0; i < FLIPS; i++) {
      byte[] damaged = sound.clone();
      // Half of the flips hit the end: index, file information and trailer.
      int at =
          i % 2 == 0
              ? random.nextInt(damaged.length)
              : damaged.length - 1 - random.nextInt(Math.min(6000, damaged.length));
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, damaged);
      List<Cell> cells = null;
      try {
        cells = read(file);
      } catch (IOException e) {
        assertThat(e.getMessage()).contains(file.toString());
        found++;
      }
      if (cells != null) {
        assertThat(cells).as("seed %d, flip %d at %d", SEED, i, at).isEqualTo(expected);
      }
    }
    assertThat(found).isGreaterThan(FLIPS / 4);
  }

  @Test
  void findsEachByteOfTheDataThatIsFlipped() throws IOException {
    Path file = export("NONE", "NONE");
    byte[] damaged = Files.readAllBytes(file);
    int middle = damaged.length / 3;
    damaged[middle] ^= 1;
    Files.write(file, damaged);
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(DamagedHFileException.class)
        .hasMessageContaining(file + " is damaged in the block at offset ")
        .hasMessageContaining("checksum");
  }

  @Test
  void refusesFilesThatWereCut() throws IOException {
    Path file = export("NONE", "NONE");
    byte[] sound = Files.readAllBytes(file);
    for (int length : new int[] {0, 3, 100, 5000, sound.length / 2, sound.length - 1}) {
      Files.write(file, Arrays.copyOf(sound, length));
      assertThatThrownBy(() -> read(file))
          .isInstanceOf(DamagedHFileException.class)
          .hasMessageContaining("is no HFile, or its end is damaged");
    }
  }

  @Test
  void refusesOtherVersions() throws IOException {
    Path file = export("NONE", "NONE");
    byte[] other = Files.readAllBytes(file);
    other[other.length - 1] = 4;
    Files.write(file, other);
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is an HFile of version 4, expected 2 or 3");
    byte[] old = new byte[1000];
    System.arraycopy(Stores.bytes("TRABLK\"$"), 0, old, old.length - 60, 8);
    old[old.length - 1] = 1;
    Files.write(file, old);
    assertThatThrownBy(() -> read(file)).hasMessageContaining("is an HFile of version 1");
  }

  @Test
  void writesNothingIfAFileIsNoHFile() throws IOException {
    Path file = export("NONE", "NONE");
    Files.writeString(file.resolveSibling("ffff"), "not an HFile");
    Path copy = folder.resolve("copy");
    assertThatThrownBy(
            () ->
                new HBaseTransfer()
                    .importTable(Stores.imported(Kind.HFILE, hfiles(), copy, Choice.CREATE)))
        .isInstanceOf(DamagedHFileException.class)
        .hasMessageContaining("ffff is no HFile");
    assertThat(copy).doesNotExist();
  }
}
