// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.CorruptionException;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.metrics.Tallies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SortedTableTest {
  private final BytesStorage storage = new BytesStorage();

  @Test
  void aFileOfAnotherNumberIsRefused() throws IOException {
    Tables.write(
        storage,
        Tables.options(4096, Compression.LZ4, BloomKind.ROW),
        List.of(TestCell.put("a", "q", "v", 1)));

    assertThatThrownBy(() -> SortedTable.open(storage, Tables.NAME, 8, new BlockCache(0)))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("file number");
    assertThat(storage.openReaders()).isZero();
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> Tables.open(storage))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(Tables.NAME);
  }

  @Test
  void manyBlocksHaveAnIndexOfTwoLevels() throws IOException {
    List<TestCell> cells = Tables.grid(1_000, 3, 10);
    SortedTableProperties properties =
        Tables.write(storage, Tables.options(256, Compression.LZ4, BloomKind.ROW), cells);
    assertThat(properties.indexLevels()).isEqualTo(2);

    SortedTable table = Tables.open(storage);
    try (CellCursor cursor = table.cursor(true)) {
      for (TestCell cell : cells) {
        assertThat(cursor.seek(cell.bytes(), 0)).isTrue();
        assertThat(TestCell.current(cursor)).isEqualTo(cell);
      }
    }
    table.verify();
    table.release();
  }

  /** Beyond the last block that a search needs, it does not read the index. */
  @Test
  void onlyWhatNeedsADamagedIndexBlockFails() throws IOException {
    List<TestCell> cells = Tables.grid(1_000, 1, 10);
    Tables.write(storage, Tables.options(256, Compression.LZ4, BloomKind.NONE), cells);
    damageLastIndexBlock();
    SortedTable table = Tables.open(storage);
    StringBuilder outcomes = new StringBuilder();
    for (TestCell cell : cells) {
      ByteBuffer absent = TestCell.put(cell.row() + "~", "column0", "", 1).bytes();
      try {
        assertThat(table.find(absent, 0, Long.MAX_VALUE, true, new FoundCell())).isFalse();
        outcomes.append('r');
      } catch (CorruptionException e) {
        outcomes.append('f');
      }
    }
    // The last one is behind the table.
    assertThat(outcomes.toString()).matches("r+f+r");
    table.release();
  }

  private void damageLastIndexBlock() throws IOException {
    IndexBlock root = Tables.rootIndex(storage);
    storage.bytes(Tables.NAME)[(int) root.blockOffset(root.count() - 1)] ^= 1;
  }

  @Test
  void theFileIsClosedWithTheLastReferenceAndNoSooner() throws IOException {
    Tables.write(
        storage, Tables.options(4096, Compression.LZ4, BloomKind.ROW), Tables.grid(100, 3, 10));
    SortedTable table = Tables.open(storage);
    CellCursor cursor = table.cursor(false);
    table.release();

    assertThat(storage.openReaders()).isEqualTo(1);
    assertThat(cursor.seekToFirst()).isTrue();
    cursor.close();
    cursor.close();

    assertThat(storage.openReaders()).isZero();
    assertThat(table.tryRetain()).isFalse();
    assertThatThrownBy(() -> table.cursor(false))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(Tables.NAME);
    assertThatThrownBy(table::retain).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(table::verify).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(table::release).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anObsoleteFileIsDeletedOnceNoCursorReadsIt() throws IOException {
    Tables.write(
        storage, Tables.options(4096, Compression.LZ4, BloomKind.ROW), Tables.grid(100, 3, 10));
    SortedTable table = Tables.open(storage);
    AtomicInteger runs = new AtomicInteger();
    CellCursor cursor = table.cursor(false);
    table.markObsolete(
        () -> {
          assertThat(storage.openReaders()).isZero();
          runs.incrementAndGet();
        });
    table.release();
    assertThat(runs).hasValue(0);

    assertThat(cursor.seekToFirst()).isTrue();
    cursor.close();
    assertThat(runs).hasValue(1);
    assertThatThrownBy(() -> table.markObsolete(() -> {}))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aCursorThatIsClosedOrStandsNowhereRefusesToMove() throws IOException {
    Tables.write(
        storage,
        Tables.options(4096, Compression.LZ4, BloomKind.ROW),
        List.of(TestCell.put("a", "q", "v", 1)));
    SortedTable table = Tables.open(storage);
    CellCursor cursor = table.cursor(false);

    assertThat(cursor.isValid()).isFalse();
    assertThatThrownBy(cursor::next).isInstanceOf(IllegalStateException.class);
    assertThat(cursor.seek(Tables.startOfRow("b"), 0)).isFalse();
    assertThat(cursor.isValid()).isFalse();
    assertThat(cursor.seekToFirst()).isTrue();
    assertThat(cursor.next()).isFalse();
    assertThatThrownBy(cursor::next).isInstanceOf(IllegalStateException.class);
    cursor.close();
    assertThat(cursor.isValid()).isFalse();
    assertThatThrownBy(cursor::seekToFirst)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    table.release();
  }

  /** Cursors share what they search blocks with, one after another. */
  @Test
  void aClosedCursorDoesNotMoveTheOneThatIsOpenedNext() throws IOException {
    List<TestCell> cells = Tables.grid(100, 3, 10);
    Tables.write(storage, Tables.options(512, Compression.LZ4, BloomKind.ROW), cells);
    SortedTable table = Tables.open(storage);
    CellCursor closed = table.cursor(false);
    assertThat(closed.seekToFirst()).isTrue();
    closed.close();

    try (CellCursor open = table.cursor(false)) {
      assertThat(open.seek(cells.get(40).bytes(), 0)).isTrue();
      assertThatThrownBy(closed::next).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> closed.seek(cells.get(7).bytes(), 0))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
      assertThat(closed.isValid()).isFalse();
      closed.close();

      assertThat(TestCell.current(open)).isEqualTo(cells.get(40));
      assertThat(open.next()).isTrue();
      assertThat(TestCell.current(open)).isEqualTo(cells.get(41));
      try (CellCursor another = table.cursor(false)) {
        assertThat(another.seekToFirst()).isTrue();
      }
      assertThat(TestCell.current(open)).isEqualTo(cells.get(41));
    }
    table.release();
  }

  @Test
  void aCursorThatFillsTheCacheLeavesAllBlocksThereAndAnotherOneNone() throws IOException {
    SortedTableProperties properties =
        Tables.write(
            storage, Tables.options(512, Compression.LZ4, BloomKind.NONE), Tables.grid(500, 3, 10));
    Tallies tallies = new Tallies();
    BlockCache cache = new BlockCache(10 << 20, tallies);
    SortedTable table = Tables.open(storage, cache);
    try (CellCursor cursor = table.cursor(false)) {
      walk(cursor);
    }
    long indexBlocks = tallies.blockMisses() - properties.dataBlockCount();
    assertThat(tallies.blockHits()).isZero();
    assertThat(indexBlocks).isPositive();

    Tables.readAll(table);
    assertThat(tallies.blockHits()).isEqualTo(indexBlocks);
    assertThat(cache.stats().usedBytes()).isGreaterThan(500 * 3 * 10);

    long misses = tallies.blockMisses();
    Tables.readAll(table);
    assertThat(tallies.blockMisses()).isEqualTo(misses);
    assertThat(tallies.blockHits()).isEqualTo(2 * indexBlocks + properties.dataBlockCount());

    table.release();
    assertThat(cache.stats().usedBytes()).isZero();
  }

  @Test
  void aCacheKeepsToItsCapacityAndATableIsReadThroughNoneAtAll() throws IOException {
    List<TestCell> cells = Tables.grid(2_000, 3, 50);
    Tables.write(storage, Tables.options(1024, Compression.LZ4, BloomKind.NONE), cells);
    BlockCache small = new BlockCache(20_000);
    SortedTable table = Tables.open(storage, small);
    assertThat(Tables.readAll(table)).isEqualTo(cells);
    assertThat(small.stats().usedBytes()).isBetween(1L, 20_000L);
    assertThat(small.stats().capacityBytes()).isEqualTo(20_000);
    table.release();

    Tallies tallies = new Tallies();
    BlockCache none = new BlockCache(0, tallies);
    SortedTable uncached = Tables.open(storage, none);
    assertThat(Tables.readAll(uncached)).isEqualTo(cells);
    assertThat(tallies.blockHits()).isZero();
    assertThat(none.stats().usedBytes()).isZero();
    assertThat(tallies.blockMisses()).isPositive();
    uncached.release();

    assertThatThrownBy(() -> new BlockCache(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void twoTablesOfOneNumberDoNotMeetInTheCache() throws IOException {
    BytesStorage other = new BytesStorage();
    SortedTableOptions options = Tables.options(4096, Compression.LZ4, BloomKind.NONE);
    List<TestCell> cells = List.of(TestCell.put("a", "q", "v", 1));
    List<TestCell> otherCells = List.of(TestCell.put("a", "q", "w", 1));
    Tables.write(storage, options, cells);
    Tables.write(other, options, otherCells);
    BlockCache cache = new BlockCache(1 << 20);
    SortedTable table = Tables.open(storage, cache);
    SortedTable otherTable = Tables.open(other, cache);

    assertThat(Tables.readAll(table)).isEqualTo(cells);
    assertThat(Tables.readAll(otherTable)).isEqualTo(otherCells);

    table.release();
    otherTable.release();
  }

  @Test
  void optionsOutOfBoundsAreRefused() {
    assertThatThrownBy(() -> new SortedTableOptions(63, 16, Compression.NONE, BloomKind.NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("block size is 63 bytes");
    assertThatThrownBy(
            () -> new SortedTableOptions((16 << 20) + 1, 16, Compression.NONE, BloomKind.NONE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SortedTableOptions(4096, 0, Compression.NONE, BloomKind.NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("restart interval is 0");
    assertThatThrownBy(() -> new SortedTableOptions(4096, 1025, Compression.NONE, BloomKind.NONE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void walk(CellCursor cursor) throws IOException {
    boolean valid = cursor.seekToFirst();
    while (valid) {
      valid = cursor.next();
    }
  }
}
