// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.storage.StorageReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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

  ReadAheadTest() {
    new Random(1).nextBytes(content);
  }

  /** Returns whether a part was read ahead, after comparing its bytes. */
  private boolean isAhead(ReadAhead ahead, int position, int length) {
    ByteBuffer target = ByteBuffer.allocate(length + 2).position(1).limit(length + 1);
    boolean isThere = ahead.read(file, position, target, FILE_BYTES);
    if (isThere) {
      assertThat(target.slice(1, length)).isEqualTo(ByteBuffer.wrap(content, position, length));
    }
    return isThere;
  }

  @Test
  void blocksInOrderAreReadManyAtATime() {
    ReadAhead ahead = new ReadAhead();
    for (int block = 0; block < 100; block++) {
      assertThat(isAhead(ahead, block * BLOCK_BYTES, BLOCK_BYTES))
          .isEqualTo(block >= ReadAhead.BLOCKS_BEFORE);
    }
    assertThat(lengths).hasSize(7).containsOnly(ReadAhead.BYTES);
    ahead.clear();
  }

  @Test
  void nothingIsReadBehindTheLastBlock() {
    ReadAhead ahead = new ReadAhead();
    for (int position = FILE_BYTES - 5 * BLOCK_BYTES; position < FILE_BYTES; position += 4096) {
      boolean unused = isAhead(ahead, position, BLOCK_BYTES);
    }
    assertThat(lengths).containsExactly(3 * BLOCK_BYTES);
  }

  @Test
  void aPartThatCannotBeReadDoesNotFailTheBlocksBeforeAndBehindIt() {
    damagedFrom = 10 * BLOCK_BYTES;
    damagedTo = damagedFrom + 1;
    ReadAhead ahead = new ReadAhead();
    List<Integer> alone = new ArrayList<>();
    for (int block = 0; block < 30; block++) {
      if (!isAhead(ahead, block * BLOCK_BYTES, BLOCK_BYTES)) {
        alone.add(block);
      }
    }
    assertThat(alone).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  }

  @Property(tries = 200)
  void whatIsCopiedIsWhatTheFileHas(
      @ForAll @Size(max = 200) List<@IntRange(max = 9) Integer> steps, @ForAll long seed) {
    Random random = new Random(seed);
    damagedFrom = random.nextInt(FILE_BYTES);
    damagedTo = Math.min(FILE_BYTES, damagedFrom + random.nextInt(1 << 16));
    ReadAhead ahead = new ReadAhead();
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
      boolean unused = isAhead(ahead, position, length);
      position = Math.min(FILE_BYTES - 1, position + length);
    }
    ahead.clear();
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
