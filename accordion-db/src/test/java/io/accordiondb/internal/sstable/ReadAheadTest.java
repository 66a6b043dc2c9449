// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.fixtures.TestMemory;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.cache.DirectMemory;
import io.accordiondb.internal.storage.ReadingStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
  private static final int FILE_BYTES = 1 << 20;
  private static final int BLOCK_BYTES = 4 << 10;

  private final byte[] content = new byte[FILE_BYTES];
  private final List<Integer> lengths = new ArrayList<>();

  /** From here on, nothing can be read up to the second. */
  private int damagedFrom = FILE_BYTES;

  private int damagedTo = FILE_BYTES;

  private final StorageReader file =
      new StorageReader() {
        @Override
        public long size() {
          return FILE_BYTES;
        }

        @Override
        public void readFully(ByteBuffer target, long position) throws IOException {
          int length = target.remaining();
          lengths.add(length);
          if (position < damagedTo && position + length > damagedFrom) {
            target.put((byte) ~content[(int) position]);
            throw new IOException("injected");
          }
          target.put(content, (int) position, length);
        }

        @Override
        public void close() {}
      };

  private boolean isMemoryOut;
  private int allocations;
  private final DirectMemory memory =
      new DirectMemory(
          bytes -> {
            allocations++;
            if (isMemoryOut) {
              throw new OutOfMemoryError("Cannot reserve direct buffer memory");
            }
            return ByteBuffer.allocate(bytes);
          },
          () -> true);

  private final ReadAhead ahead = new ReadAhead(file, FILE_BYTES, memory);

  ReadAheadTest() {
    new Random(1).nextBytes(content);
  }

  /** Returns whether a part was read ahead, after comparing its bytes. */
  private boolean isAhead(int position, int length) {
    ByteBuffer target = ByteBuffer.allocate(length + 2).position(1).limit(length + 1);
    boolean isThere = ahead.read(position, target);
    if (isThere) {
      assertThat(target.slice(1, length)).isEqualTo(ByteBuffer.wrap(content, position, length));
    }
    return isThere;
  }

  /** Reads blocks in order, and returns the numbers of those that were not read ahead. */
  private List<Integer> readAlone(int blocks) {
    List<Integer> alone = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      if (!isAhead(block * BLOCK_BYTES, BLOCK_BYTES)) {
        alone.add(block);
      }
    }
    return alone;
  }

  @Test
  void blocksInOrderAreReadManyAtATime() {
    assertThat(readAlone(98)).containsExactly(0, 1);
    assertThat(lengths).hasSize(6).containsOnly(ReadAhead.BYTES);
  }

  @Test
  void aBlockOfHalfTheBytesIsReadAhead() {
    for (int i = 0; i < 6; i++) {
      assertThat(isAhead(i * ReadAhead.BYTES / 2, ReadAhead.BYTES / 2)).isEqualTo(i >= 2);
    }
    assertThat(isAhead(3 * ReadAhead.BYTES, ReadAhead.BYTES / 2 + 1)).isFalse();
    assertThat(lengths).hasSize(2);
  }

  @Test
  void nothingIsReadBehindTheLastBlock() {
    for (int position = FILE_BYTES - 5 * BLOCK_BYTES; position < FILE_BYTES; position += 4096) {
      boolean unused = isAhead(position, BLOCK_BYTES);
    }
    assertThat(lengths).containsExactly(3 * BLOCK_BYTES);
  }

  @Test
  void aCursorThatSkipsBlocksIsLeftAlone() {
    for (int block = 0; block < 200; block += 2) {
      assertThat(isAhead(block * BLOCK_BYTES, BLOCK_BYTES)).isFalse();
    }
    assertThat(lengths).isEmpty();
  }

  @Test
  void aPartThatCannotBeReadIsTriedOnceAndDoesNotFailTheBlocksBeforeAndBehindIt() {
    damagedFrom = 10 * BLOCK_BYTES;
    damagedTo = damagedFrom + 1;
    // The call of block 2 ends at block 18.
    assertThat(readAlone(40))
        .containsExactly(IntStream.range(0, 18).boxed().toArray(Integer[]::new));
    assertThat(lengths).hasSize(3);
  }

  @Test
  void withoutMemoryBlocksAreReadAlone() {
    isMemoryOut = true;
    takeAllKept();
    assertThat(readAlone(100)).hasSize(100);
    assertThat(lengths).isEmpty();
    assertThat(allocations).isOne();
  }

  /** Takes what earlier tests have left in the pool, as far as this thread would find it. */
  private void takeAllKept() {
    DirectMemory more = new DirectMemory(ByteBuffer::allocate, () -> true);
    for (int i = 0; i < 16; i++) {
      ReadAhead other = new ReadAhead(file, FILE_BYTES, more);
      for (int block = 0; block < 3; block++) {
        boolean unused = other.read((long) block * 100, ByteBuffer.allocate(100));
      }
    }
    lengths.clear();
  }

  @Test
  void memoryIsUsedAgainOnceAllBytesWereCopied() {
    takeAllKept();
    for (int i = 0; i < 100; i++) {
      ReadAhead other = new ReadAhead(file, 4L * BLOCK_BYTES, memory);
      for (int block = 0; block < 4; block++) {
        boolean unused = other.read((long) block * BLOCK_BYTES, ByteBuffer.allocate(BLOCK_BYTES));
      }
    }
    assertThat(allocations).isOne();
  }

  @Property(tries = 200)
  void whatIsCopiedIsWhatTheFileHas(
      @ForAll @Size(max = 200) List<@IntRange(max = 9) Integer> steps, @ForAll long seed) {
    Random random = new Random(seed);
    damagedFrom = random.nextInt(FILE_BYTES);
    damagedTo = Math.min(FILE_BYTES, damagedFrom + random.nextInt(1 << 16));
    int position = 0;
    for (int step : steps) {
      int length = 1 + random.nextInt(step == 9 ? ReadAhead.BYTES * 2 : 8 << 10);
      if (step == 0) {
        position = random.nextInt(FILE_BYTES);
      } else if (step == 1) {
        position = Math.max(0, position - random.nextInt(1 << 16));
      } else if (step == 2) {
        ahead.clear();
      }
      length = Math.min(length, FILE_BYTES - position);
      boolean unused = isAhead(position, length);
      position = Math.min(FILE_BYTES - 1, position + length);
    }
    ahead.clear();
  }

  @Test
  void aScanOfATableNeedsFewReads() throws IOException {
    AtomicInteger reads = new AtomicInteger();
    Storage storage = new ReadingStorage(new BytesStorage(), "", reads::incrementAndGet);
    List<TestCell> cells = Tables.grid(3_000, 2, 100);
    Tables.write(storage, Tables.options(1_000, Compression.NONE, BloomKind.NONE), cells);
    SortedTable table = Tables.open(storage, new BlockCache(0));
    reads.set(0);
    assertThat(Tables.readAll(table)).isEqualTo(cells);
    // Of some 800 blocks; leaves of the index lie between them and are read alone.
    assertThat(reads.get()).isBetween(13, 100);
    table.release();
  }

  @Test
  void cursorsThatWereClosedHoldNoMemory() throws IOException {
    BytesStorage storage = new BytesStorage();
    Tables.write(
        storage, Tables.options(1_000, Compression.NONE, BloomKind.NONE), Tables.grid(300, 2, 100));
    SortedTable table = Tables.open(storage, new BlockCache(0));
    long before = TestMemory.directBytes();
    for (int i = 0; i < 1_000; i++) {
      try (CellCursor cursor = table.cursor(false)) {
        cursor.seekToFirst();
        for (int cell = 0; cell < 100; cell++) {
          cursor.next();
        }
      }
    }
    assertThat(TestMemory.directBytes() - before).isLessThan(20L * ReadAhead.BYTES);
    table.release();
  }

  @Test
  void aCursorOverATableFindsTheSameCells() throws IOException {
    BytesStorage storage = new BytesStorage();
    List<TestCell> cells = Tables.grid(3_000, 2, 100);
    Tables.write(storage, Tables.options(1_000, Compression.LZ4, BloomKind.NONE), cells);
    SortedTable table = Tables.open(storage, new BlockCache(0));
    assertThat(Tables.readAll(table)).isEqualTo(cells);
    // From the middle, beside another cursor.
    try (CellCursor first = table.cursor(true);
        CellCursor second = table.cursor(false)) {
      assertThat(first.seek(Tables.startOfRow("row0001000"), 0)).isTrue();
      assertThat(second.seekToFirst()).isTrue();
      for (int i = 2_000; i < cells.size(); i++) {
        assertThat(TestCell.current(first)).isEqualTo(cells.get(i));
        assertThat(TestCell.current(second)).isEqualTo(cells.get(i - 2_000));
        assertThat(first.next()).isEqualTo(i + 1 < cells.size());
        assertThat(second.next()).isTrue();
      }
    }
    table.release();
  }
}
