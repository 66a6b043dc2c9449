// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Cell;
import io.accordiondb.CompactionStyle;
import io.accordiondb.Compression;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.KeyProvider;
import io.accordiondb.KeyProviders;
import io.accordiondb.KeyUnavailableException;
import io.accordiondb.Merge;
import io.accordiondb.NotADatabaseException;
import io.accordiondb.Put;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.merge.MergeOperators;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InspectorTest {
  @TempDir Path folder;

  private static byte[] row(int number) {
    return bytes(String.format(Locale.ROOT, "row%06d", number));
  }

  private static void fill(Table table, int rows, String value) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      puts.add(new Put(row(i)).addColumn(bytes("f"), bytes("q"), bytes(value + i)));
    }
    table.put(puts);
  }

  /** Remembers what a table is made of. */
  private static final class Found implements SortedTableVisitor {
    private final List<BlockOutline> blocks = new ArrayList<>();
    private final List<Cell> cells = new ArrayList<>();
    private final List<Damage> damage = new ArrayList<>();
    private SortedTableOutline outline;

    @Override
    public void outline(SortedTableOutline found) {
      outline = found;
    }

    @Override
    public void block(BlockOutline block) {
      blocks.add(block);
    }

    @Override
    public boolean wantsCells() {
      return true;
    }

    @Override
    public void cell(Cell cell, long sequence) {
      assertThat(sequence).isBetween(outline.minSequence(), outline.maxSequence());
      cells.add(cell);
    }

    @Override
    public void damage(Damage found) {
      damage.add(found);
    }
  }

  @Test
  void filesOfSplitRegionsAreShared() throws IOException {
    try (Database database = Database.open(folder)) {
      database.createTable(TableDescriptor.of("t", "f"));
      fill(database.table("t"), 5000, "value");
      database.flush();
      database.cancelCompactions();
      assertThat(database.splitRegion("t", row(2500))).isTrue();
      Inspector inspector = Inspector.open(folder);
      assertThat(inspector.damage()).isEmpty();
      assertThat(inspector.regions()).extracting(RegionOutline::table).containsExactly("t", "t");
      assertThat(inspector.regions().get(1).startRow()).isEqualTo(row(2500));
      assertThat(inspector.files()).allMatch(FileOutline::isThere);
    }
    long live = 0;
    List<StoreSize> stores = new ArrayList<>();
    Inspector.open(folder).measureStores(true, 0, stores::add, found -> {});
    for (StoreSize store : stores) {
      live += store.liveCells();
    }
    assertThat(live).as("each cell in one region").isEqualTo(5000);
  }

  @Test
  void readsIndexesOfTwoLevels() throws IOException {
    try (Database database = Database.open(folder)) {
      database.createTable(
          TableDescriptor.builder("t")
              .family(
                  FamilyDescriptor.builder("f")
                      .compression(Compression.ZSTD)
                      .blockSizeBytes(FamilyDescriptor.BLOCK_BYTES_MIN)
                      .build())
              .build());
      fill(database.table("t"), 50_000, "value");
      database.flush();
    }
    Inspector inspector = Inspector.open(folder);
    Found found = new Found();
    inspector.readTable(inspector.files().get(0).file(), found);
    assertThat(found.damage).isEmpty();
    assertThat(found.outline.table()).isEqualTo("t");
    assertThat(found.outline.indexLevels()).isEqualTo(2);
    assertThat(found.cells).hasSize(50_000);
    assertThat(found.cells.get(7).family()).isEqualTo(bytes("f"));
    assertThat(found.blocks)
        .extracting(BlockOutline::kind)
        .contains(
            BlockOutline.Kind.DATA,
            BlockOutline.Kind.INDEX,
            BlockOutline.Kind.ROOT_INDEX,
            BlockOutline.Kind.FILTER,
            BlockOutline.Kind.FILTER_INDEX,
            BlockOutline.Kind.PROPERTIES);
    assertThat(found.blocks.stream().mapToLong(BlockOutline::storedBytes).sum())
        .isLessThan(found.outline.bytes());
  }

  @Test
  void estimatesWhatExactMeasurementFinds() throws IOException {
    DatabaseOptions options = DatabaseOptions.builder().compactionThreads(1).build();
    try (Database database = Database.open(folder, options)) {
      database.createTable(TableDescriptor.of("t", "f"));
      fill(database.table("t"), 200_000, "value");
      database.flush();
      fill(database.table("t"), 100_000, "newer");
      database.flush();
    }
    Inspector inspector = Inspector.open(folder);
    List<StoreSize> exact = new ArrayList<>();
    List<StoreSize> sampled = new ArrayList<>();
    inspector.measureStores(true, 0, exact::add, found -> {});
    inspector.measureStores(false, 0, sampled::add, found -> {});
    assertThat(exact.get(0).liveCells()).isEqualTo(200_000);
    assertThat(sampled.get(0).measuredCells()).isLessThan(exact.get(0).measuredCells());
    assertThat(sampled.get(0).liveShare())
        .isBetween(exact.get(0).liveShare() - 0.05, exact.get(0).liveShare() + 0.05);
  }

  @Test
  void measuresOperandsAsValuesThatReplaceOlderOnes() throws IOException {
    try (Database database = Database.open(folder)) {
      database.createTable(
          TableDescriptor.builder("t")
              .family(
                  FamilyDescriptor.builder("f")
                      .mergeOperator(MergeOperators.append().name())
                      .compactionStyle(CompactionStyle.NONE)
                      .build())
              .build());
      Table table = database.table("t");
      for (int file = 0; file < 2; file++) {
        for (int i = 0; i < 10; i++) {
          table.merge(new Merge(row(i)).addColumn(bytes("f"), bytes("q"), bytes("x")));
        }
        database.flush();
      }
      table.delete(new Delete(row(0)));
      table.deleteRange(row(1), row(3));
    }
    Inspector inspector = Inspector.open(folder);
    for (boolean exact : new boolean[] {true, false}) {
      List<StoreSize> stores = new ArrayList<>();
      inspector.measureStores(exact, System.currentTimeMillis() + 1000, stores::add, found -> {});
      assertThat(stores).hasSize(1);
      assertThat(stores.get(0).liveCells()).isEqualTo(7);
    }
  }

  @Test
  void readsIngestedFilesAndNamesTheirFamily() throws IOException {
    Path file = folder.resolve("sorted");
    Path database = folder.resolve("db");
    try (SortedFileWriter writer = SortedFileWriter.create(file, FamilyDescriptor.of("f"))) {
      writer.add(bytes("a"), bytes("q"), 1, bytes("x"));
      writer.finish();
    }
    // So slow that the file is not yet rewritten as the table's own when it is looked at.
    DatabaseOptions slow = DatabaseOptions.builder().compactionBytesPerSecond(1).build();
    try (Database open = Database.open(database, slow)) {
      open.createTable(TableDescriptor.of("t", "f"));
      open.ingest("t", "f", List.of(file));
    }
    Inspector inspector = Inspector.open(database);
    assertThat(inspector.files()).hasSize(1);
    assertThat(inspector.files().get(0).isShared()).isTrue();
    Found found = new Found();
    inspector.readTable(inspector.files().get(0).file(), found);
    assertThat(found.outline.table()).as("the file does not say").isEmpty();
    assertThat(found.cells).hasSize(1);
  }

  @Test
  void readsTheTimeToLiveOfACell() throws IOException {
    Path database = folder.resolve("db");
    // Without this, the log would be gone once its cells are in a sorted table.
    DatabaseOptions keepsLog = DatabaseOptions.builder().logRetention(Duration.ofDays(1)).build();
    try (Database open = Database.open(database, keepsLog)) {
      open.createTable(TableDescriptor.of("t", "f"));
      Put put = new Put(row(1)).addColumn(bytes("f"), bytes("q"), bytes("x"));
      open.table("t").put(put.setTtlMillis(86_400_000));
    }
    Inspector inspector = Inspector.open(database);
    Found found = new Found();
    inspector.readTable(inspector.files().get(0).file(), found);
    List<Cell> logged = new ArrayList<>();
    for (LogFileOutline file : inspector.logFiles()) {
      inspector.readLog(file.file(), new LoggedCells(logged));
    }
    assertThat(found.cells).extracting(Cell::ttlMillis).containsExactly(86_400_000L);
    assertThat(logged).isEqualTo(found.cells);
  }

  /** Collects the cells of a log. */
  private record LoggedCells(List<Cell> cells) implements LogVisitor {
    @Override
    public boolean wantsCells() {
      return true;
    }

    @Override
    public void record(LogRecord record) {
      record.content().forEach(logged -> cells.add(logged.cell()));
    }

    @Override
    public void tornTail(long offset, long bytes) {
      throw new AssertionError("a torn end at " + offset);
    }

    @Override
    public void damage(Damage damage) {
      throw new AssertionError(damage.toString());
    }
  }

  @Test
  void readsEncryptedFilesWithTheirKey() throws IOException {
    Path keyFile = folder.resolve("keys");
    Files.writeString(keyFile, "k1 " + Base64.getEncoder().encodeToString(new byte[32]));
    KeyProvider keys = KeyProviders.file(keyFile);
    Path database = folder.resolve("db");
    try (Database open =
        Database.open(database, DatabaseOptions.builder().encryption(keys).build())) {
      open.createTable(TableDescriptor.of("t", "f"));
      fill(open.table("t"), 10, "value");
      open.flush();
    }
    assertThatThrownBy(() -> Inspector.open(database)).isInstanceOf(KeyUnavailableException.class);
    Inspector inspector = Inspector.open(database, keys);
    Found found = new Found();
    inspector.readTable(inspector.files().get(0).file(), found);
    assertThat(found.damage).isEmpty();
    assertThat(found.cells).hasSize(10);
  }

  @Test
  void everyFlippedByteIsTold() throws IOException {
    Path database = folder.resolve("db");
    try (Database open = Database.open(database)) {
      open.createTable(TableDescriptor.of("t", "f"));
      fill(open.table("t"), 200, "value");
      open.flush();
    }
    Inspector inspector = Inspector.open(database);
    String name = inspector.files().get(0).file();
    Path file = database.resolve(name);
    byte[] sound = Files.readAllBytes(file);
    for (int at = 0; at < sound.length; at++) {
      byte[] damaged = sound.clone();
      damaged[at] ^= 0x10;
      Files.write(file, damaged);
      Found found = new Found();
      inspector.readTable(name, found);
      assertThat(found.damage).as("byte %d", at).isNotEmpty();
      assertThat(found.damage.get(0).message()).contains(file.toString());
    }
  }

  @Test
  void saysWhatIsNotThere() throws IOException {
    assertThatThrownBy(() -> Inspector.open(folder.resolve("missing")))
        .isInstanceOf(NotADatabaseException.class);
    assertThatThrownBy(() -> Inspector.open(folder)).isInstanceOf(NotADatabaseException.class);
    Database.open(folder).close();
    Inspector inspector = Inspector.open(folder);
    assertThat(inspector.find(FileKind.SORTED_TABLE, "99")).isNull();
    assertThat(inspector.find(FileKind.LOG, "no number")).isNull();
    assertThatThrownBy(() -> inspector.readTable("sst/000000000099.sst", new Found()))
        .isInstanceOf(NoSuchFileException.class);
  }
}
