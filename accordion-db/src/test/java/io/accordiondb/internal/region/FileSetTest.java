// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.FamilyDescriptor;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.FileView;
import io.accordiondb.internal.read.CellKey;
import io.accordiondb.internal.sstable.SortedTable;
import io.accordiondb.internal.sstable.SortedTableWriter;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.retention.RangeTombstone;
import io.accordiondb.retention.RangeTombstones;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FileSetTest {
  private static final byte[] NOTHING = {};
  private static final FamilyDescriptor FAMILY = FamilyDescriptor.of("f");

  private final MemoryStorage disk = new MemoryStorage();
  private final List<StoreFile> files = new ArrayList<>();
  private long levelFileBytes = 1;

  /** Adds a file of level 1 with these rows, or the part of it from one row to another. */
  private void addFile(List<String> rows, @Nullable String start, @Nullable String end)
      throws IOException {
    addFile(1, rows, start, end);
  }

  private void addFile(int level, List<String> rows, @Nullable String start, @Nullable String end)
      throws IOException {
    addFile(level, CellType.PUT, rows, start, end);
  }

  private void addFile(
      int level, CellType type, List<String> rows, @Nullable String start, @Nullable String end)
      throws IOException {
    long number = files.size() + 1;
    String name = "table" + number;
    SortedTableWriter writer =
        new SortedTableWriter(disk, name, number, StoreFiles.optionsOf(FAMILY));
    ByteBuffer cell = ByteBuffer.allocate(100);
    for (String row : rows) {
      int length =
          KeyValueLayout.write(
              cell, 0, bytes(row), NOTHING, NOTHING, number, type.code(), bytes(row));
      writer.add(cell, 0, length, number);
    }
    writer.finish();
    FileView view =
        start == null && end == null ? null : new FileView(number, boundOf(start), boundOf(end), 0);
    files.add(
        new StoreFile(
            SortedTable.open(disk, name, number, new BlockCache(0)),
            new FileRecord(number, 1, 1, rows.size(), number, number, level, view)));
  }

  private static byte[] boundOf(@Nullable String row) {
    return row == null ? NOTHING : bytes(row);
  }

  private static boolean hasRow(FileSet set, String row) throws IOException {
    CellKey key = CellKey.firstOfColumn(bytes(row), NOTHING);
    for (CellSource source : set.tables(true).sources()) {
      if (source.find(key.buffer(), 0, Long.MAX_VALUE, new FoundCell())) {
        return true;
      }
    }
    return false;
  }

  private List<List<StoreFile>> runs() {
    return SortedRuns.ofReads(set().files(), levelFileBytes);
  }

  private FileSet set() {
    return new FileSet(files, RangeTombstones.NONE, () -> 1, () -> levelFileBytes);
  }

  @Test
  void youngFilesThatShareNoRowAreOneRun() throws IOException {
    addFile(0, List.of("d", "e"), null, null);
    addFile(0, List.of("f", "g"), null, null);
    addFile(0, List.of("a", "c"), null, null);
    assertThat(set().runs()).isEqualTo(1);
    assertThat(set().debtBytes()).isZero();
    for (String row : List.of("a", "c", "d", "e", "f", "g")) {
      assertThat(hasRow(set(), row)).isTrue();
    }
    assertThat(hasRow(set(), "b")).isFalse();
    levelFileBytes = 1 << 20;
    assertThat(set().runs()).isEqualTo(3);
  }

  /** Else it would seem to readers and writers that files pile up. */
  @Test
  void filesOfWhichAMergeMayDropSomethingAreRunsForCompactionsAlone() throws IOException {
    addFile(0, List.of("a", "b"), null, null);
    addFile(0, CellType.DELETE_COLUMN, List.of("c"), null, null);
    addFile(0, List.of("d", "e"), null, null);
    addFile(0, List.of("f", "g"), null, null);
    assertThat(set().runs()).isEqualTo(1);
    assertThat(set().debtBytes()).isZero();
    assertThat(set().mergedRunBytes(FAMILY)).hasSize(3);
    FamilyDescriptor filtered = FamilyDescriptor.builder("f").compactionFilter("filter").build();
    assertThat(set().mergedRunBytes(filtered)).hasSize(4);
  }

  @Test
  void aReaderOfYoungCellsLeavesOutOldFilesOfARun() throws IOException {
    addFile(0, List.of("a", "b"), null, null);
    addFile(0, List.of("c", "d"), null, null);
    CellSource run = set().tables(true).sources().get(0);
    assertThat(run.since(1)).isSameAs(run);
    assertThat(run.since(2).cellCount()).isEqualTo(2);
    assertThat(run.since(3)).isSameAs(run);
  }

  @Test
  void filesThatShareARowAreRunsInTheOrderOfTheirAge() throws IOException {
    addFile(0, List.of("a", "b"), null, null);
    addFile(0, List.of("c", "d"), null, null);
    addFile(0, List.of("b", "c"), null, null);
    addFile(0, List.of("d", "e"), null, null);
    addFile(0, List.of("f"), null, "f");
    FileSet set = set();
    assertThat(set.runs()).isEqualTo(2);
    assertThat(runs().stream().map(List::size)).containsExactly(1, 2, 2);
    assertThat(set.debtBytes())
        .isEqualTo(set.mergedRunBytes(FAMILY).stream().min(Long::compare).get());
  }

  /** Else a reader would find an older cell first. */
  @Test
  void aSmallFileBetweenLargeOnesEndsARun() throws IOException {
    addFile(0, rows("c", 100), null, null);
    addFile(0, rows("d", 100), null, null);
    addFile(0, List.of("m"), null, null);
    addFile(0, rows("f", 100), null, null);
    addFile(0, rows("e", 100), null, null);
    addFile(0, List.of("n"), null, null);
    levelFileBytes = files.get(0).bytes();
    assertThat(files.get(2).bytes()).isLessThan(levelFileBytes / 2);
    assertThat(runs().stream().map(FileSetTest::numbers))
        .containsExactly(List.of(6L), List.of(5L, 4L), List.of(3L), List.of(1L, 2L));
  }

  private static List<String> rows(String prefix, int count) {
    return IntStream.range(100, 100 + count).mapToObj(i -> prefix + i).toList();
  }

  private static List<Long> numbers(List<StoreFile> run) {
    return run.stream().map(StoreFile::fileNumber).toList();
  }

  /** A repair may cut a file to fewer rows, or hide some of them. */
  @Test
  void aFileWhoseRowsEndBeforeItsPartBeginsHidesNoOther() throws IOException {
    addFile(List.of("d", "e", "f"), null, null);
    addFile(List.of("a", "b", "c"), "m", null);
    assertThat(hasRow(set(), "e")).isTrue();
    assertThat(hasRow(set(), "b")).isFalse();
    addFile(List.of("p", "q"), null, null);
    assertThat(hasRow(set(), "e")).isTrue();
    assertThat(hasRow(set(), "q")).isTrue();
    assertThat(set().runs()).isEqualTo(1);
  }

  @Test
  void aFileWhoseRowsBeginBehindItsPartHidesNoOther() throws IOException {
    addFile(List.of("f", "g"), null, null);
    addFile(List.of("p", "q"), null, "e");
    addFile(List.of("r", "s"), null, null);
    assertThat(hasRow(set(), "f")).isTrue();
    assertThat(hasRow(set(), "p")).isFalse();
    assertThat(hasRow(set(), "s")).isTrue();
    assertThat(set().runs()).isEqualTo(1);
  }

  @Test
  void aTombstoneWithoutOlderCellsStaysUntilAllReadersSeeIt() {
    RangeTombstones flushed =
        RangeTombstones.of(List.of(new RangeTombstone(bytes("a"), bytes("b"), 5)));
    FileSet set = set();
    FileChange flush = set.change(List.of(), Set.of(), flushed, 4, 4);
    assertThat(flush.addedRanges()).isEqualTo(flushed);
    FileSet next = set.changed(flush);
    assertThat(next.change(List.of(), Set.of(), RangeTombstones.NONE, 4, 4).removedRanges())
        .isEqualTo(RangeTombstones.NONE);
    assertThat(next.change(List.of(), Set.of(), RangeTombstones.NONE, 5, 5).removedRanges())
        .isEqualTo(flushed);
  }
}
