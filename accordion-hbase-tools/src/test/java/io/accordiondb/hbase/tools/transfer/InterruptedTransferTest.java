// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Cell;
import io.accordiondb.Database;
import io.accordiondb.Durability;
import io.accordiondb.Put;
import io.accordiondb.TableDescriptor;
import io.accordiondb.cli.hfile.HFileImport;
import io.accordiondb.cli.hfile.HFileImport.Choice;
import io.accordiondb.cli.hfile.HFileImport.Kind;
import io.accordiondb.fixtures.TestFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transfers that end early leave nothing incomplete under a final name, and continue. */
@Tag("slow")
class InterruptedTransferTest {
  private static final long SEED = 11;
  private static final int CELLS = 8000;

  @TempDir Path folder;

  private final HBaseTransfer transfer = new HBaseTransfer();

  @BeforeEach
  void fill() throws IOException {
    Stores.create(db(), SEED, CELLS).close();
  }

  private Path db() {
    return folder.resolve("db");
  }

  private Path copy() {
    return folder.resolve("copy");
  }

  private Path hfiles() {
    return folder.resolve("hfiles");
  }

  /** Lets Hadoop's own stream fail, which throws an error and no exception. */
  private static void failAsAFullDisk() throws IOException {
    Path full = Path.of("/dev/full");
    if (Files.exists(full)) {
      try (OutputStream out = LocalFiles.open().files().create(LocalFiles.path(full))) {
        out.write(1);
      }
    }
    throw new IOException("No space left on device");
  }

  /** A disk on which only some bytes are free. */
  private static final class FullDisk extends FilterFileSystem {
    private long freeBytes;

    FullDisk(FileSystem files, long freeBytes) {
      super(files);
      this.freeBytes = freeBytes;
    }

    @Override
    public FSDataOutputStream create(
        org.apache.hadoop.fs.Path path,
        FsPermission permission,
        boolean overwrite,
        int bufferSize,
        short replication,
        long blockSize,
        Progressable progress)
        throws IOException {
      OutputStream out =
          super.create(path, permission, overwrite, bufferSize, replication, blockSize, progress);
      return new FSDataOutputStream(
          new OutputStream() {
            @Override
            public void write(int b) throws IOException {
              write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
              freeBytes -= length;
              if (freeBytes < 0) {
                failAsAFullDisk();
              }
              out.write(bytes, from, length);
            }

            @Override
            public void close() throws IOException {
              out.close();
            }
          },
          null);
    }
  }

  /** Exports to a disk with some free bytes; returns whether it failed. */
  private boolean fails(long freeBytes) throws IOException {
    LocalFiles disk = LocalFiles.open();
    try (Database database = Database.open(db())) {
      new HFileExporter(
              Stores.export(database, hfiles()),
              new LocalFiles(disk.configuration(), new FullDisk(disk.files(), freeBytes)))
          .run();
      return false;
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left on device");
      return true;
    }
  }

  /** Returns all files that have a final name, with the times at which they were written. */
  private Map<Path, FileTime> complete() throws IOException {
    Map<Path, FileTime> files = new TreeMap<>();
    for (String family : List.of(Stores.KEPT, Stores.PLAIN)) {
      if (Files.exists(hfiles().resolve(family))) {
        try (Stream<Path> entries = Files.list(hfiles().resolve(family))) {
          for (Path file : entries.toList()) {
            files.put(file, Files.getLastModifiedTime(file));
          }
        }
      }
    }
    return files;
  }

  @Test
  void anExportContinuesAfterAFullDisk() throws IOException {
    assertThat(fails(100)).isTrue();
    assertThat(complete()).isEmpty();
    // The free bytes rise until a part fits, then until all fit.
    Map<Path, FileTime> before = Map.of();
    int runs = 0;
    for (long free = 50_000; fails(free); free += 60_000) {
      Map<Path, FileTime> now = complete();
      assertThat(now).containsAllEntriesOf(before);
      for (Path file : now.keySet()) {
        StrictHFile.open(LocalFiles.open(), file).close();
      }
      try (Stream<Path> left = Files.list(hfiles().resolve(".accordion-export"))) {
        assertThat(left).hasSize(1);
      }
      before = now;
      runs++;
    }
    assertThat(runs).isPositive();
    assertThat(before).isNotEmpty();
    assertThat(complete()).containsAllEntriesOf(before).hasSize(8);
    assertThat(hfiles().resolve(".accordion-export")).doesNotExist();
    assertImports();
  }

  private void assertImports() throws IOException {
    transfer.importTable(Stores.imported(Kind.HFILE, hfiles(), copy(), Choice.CREATE));
    try (Database database = Database.open(db());
        Database other = Database.open(copy())) {
      assertThat(Stores.raw(other, Stores.KEPT)).isEqualTo(Stores.raw(database, Stores.KEPT));
      assertThat(Stores.visible(other)).isEqualTo(Stores.visible(database));
    }
  }

  @Test
  void anExportDoesNotContinueOneOfAnotherMoment() throws IOException {
    assertThat(fails(100)).isTrue();
    try (Database database = Database.open(db())) {
      database
          .table(Stores.TABLE)
          .put(
              new Put(Stores.bytes("row"))
                  .addColumn(Stores.bytes(Stores.PLAIN), new byte[0], new byte[0]));
      assertThatThrownBy(() -> transfer.exportTable(Stores.export(database, hfiles())))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the database was written to since it began");
    }
  }

  @Test
  void aJournalWhoseLastLineIsIncompleteIsRead() throws IOException {
    assertThat(fails(100)).isTrue();
    Path journal = hfiles().resolve(".accordion-export/journal");
    Files.writeString(journal, Files.readString(journal) + "{\"name\":\"kept/0\",\"fi");
    Files.writeString(hfiles().resolve(".accordion-export/0000000000000000"), "incomplete");
    try (Database database = Database.open(db())) {
      transfer.exportTable(Stores.export(database, hfiles()));
    }
    assertThat(hfiles().resolve(".accordion-export")).doesNotExist();
    assertImports();
  }

  @Test
  void anExportTakesNoFolderThatHoldsOtherThings() throws IOException {
    Files.createDirectories(hfiles());
    Files.writeString(hfiles().resolve("precious"), "");
    assertThatThrownBy(() -> transfer.checkTarget(hfiles()))
        .isInstanceOf(DirectoryNotEmptyException.class);
  }

  @Test
  void anImportContinuesBehindWhatIsDurable() throws IOException {
    List<Cell> expected;
    try (Database database = Database.open(db())) {
      transfer.exportTable(Stores.export(database, hfiles()));
      expected = Stores.raw(database, Stores.KEPT);
    }
    List<Path> files = new ArrayList<>(complete().keySet());
    Path last = files.get(3);
    byte[] sound = Files.readAllBytes(last);
    byte[] damaged = sound.clone();
    damaged[100] ^= 1;
    Files.write(last, damaged);
    HFileImport request = Stores.imported(Kind.HFILE, hfiles(), copy(), Choice.CREATE);
    assertThatThrownBy(() -> new HFileImporter(request, LocalFiles.open(), 1).run())
        .hasMessageContaining(last + " is damaged in the block");
    if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      try (Stream<Path> left = Files.list(copy())) {
        Path journal =
            left.filter(file -> file.getFileName().toString().startsWith("import-"))
                .findFirst()
                .orElseThrow();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(journal)))
            .isEqualTo("rw-------");
      }
    }
    // A file that is durable is not read again beyond its index, unless it was replaced.
    Files.write(last, sound);
    byte[] first = Files.readAllBytes(files.get(0));
    FileTime written = Files.getLastModifiedTime(files.get(0));
    first[100] ^= 1;
    Files.write(files.get(0), first);
    Files.setLastModifiedTime(files.get(0), FileTime.fromMillis(written.toMillis() + 5000));
    assertThatThrownBy(() -> transfer.importTable(request))
        .hasMessageContaining(files.get(0) + " is damaged in the block");
    Files.setLastModifiedTime(files.get(0), written);
    Map<String, Object> result = transfer.importTable(request).map();
    assertThat(Stores.number(result, "files")).isEqualTo(8);
    try (Database other = Database.open(copy())) {
      assertThat(Stores.raw(other, Stores.KEPT)).isEqualTo(expected);
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactlyInAnyOrder(db(), copy(), hfiles());
    }
  }

  @Test
  void anImportDoesNotTrustItsJournalIfTheTableWasDropped() throws IOException {
    HFileImport request =
        interrupted(
            database -> {},
            () -> {
              try (Database other = Database.open(copy())) {
                other.dropTable(Stores.TABLE);
              }
            });
    transfer.importTable(request);
    assertAllImported();
  }

  @Test
  void anImportDoesNotTrustItsJournalIfAnotherTableHasTakenTheName() throws IOException {
    HFileImport request =
        interrupted(
            database -> database.copyTable(Stores.TABLE, named("before")),
            () -> {
              try (Database other = Database.open(copy())) {
                other.dropTable(Stores.TABLE);
                other.copyTable("before", Stores.table());
              }
            });
    transfer.importTable(request);
    assertAllImported();
  }

  @Test
  void anImportDoesNotTrustItsJournalIfTheDatabaseWasRestored() throws IOException {
    Path backup = folder.resolve("backup");
    HFileImport request =
        interrupted(
            database -> database.checkpoint(backup),
            () -> {
              TestFiles.deleteFolder(copy());
              Files.move(backup, copy());
            });
    transfer.importTable(request);
    assertAllImported();
  }

  private static TableDescriptor named(String name) {
    TableDescriptor.Builder table = TableDescriptor.builder(name);
    Stores.table().families().forEach(table::family);
    return table.build();
  }

  /** What a test does with the target of an import. */
  private interface Step {
    void run() throws IOException;
  }

  /** Same, with the target open. */
  private interface OpenStep {
    void run(Database database) throws IOException;
  }

  /**
   * Interrupts an import by a damaged file, and mends the file.
   *
   * @param before runs before the import, when each row has a cell of other contents
   * @param after runs after the import
   */
  private HFileImport interrupted(OpenStep before, Step after) throws IOException {
    List<Cell> exported;
    try (Database database = Database.open(db())) {
      transfer.exportTable(Stores.export(database, hfiles()));
      exported = Stores.raw(database);
    }
    try (Database other = Database.open(copy())) {
      other.createTable(Stores.table());
      for (Cell cell : exported) {
        other
            .table(Stores.TABLE)
            .put(
                new Put(cell.row())
                    .setDurability(Durability.SKIP)
                    .addColumn(cell.family(), Stores.bytes("other"), 1, new byte[0]));
      }
      other.flush();
      before.run(other);
    }
    Path last = new ArrayList<>(complete().keySet()).get(7);
    byte[] sound = Files.readAllBytes(last);
    byte[] damaged = sound.clone();
    damaged[100] ^= 1;
    Files.write(last, damaged);
    HFileImport request = Stores.imported(Kind.HFILE, hfiles(), copy(), Choice.CREATE);
    assertThatThrownBy(() -> transfer.importTable(request)).hasMessageContaining("is damaged");
    after.run();
    Files.write(last, sound);
    return request;
  }

  private void assertAllImported() throws IOException {
    Set<Cell> missing = new HashSet<>(visible(db()));
    visible(copy()).forEach(missing::remove);
    assertThat(missing).isEmpty();
  }

  private static List<Cell> visible(Path folder) throws IOException {
    try (Database database = Database.open(folder)) {
      return Stores.visible(database);
    }
  }
}
