// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.CorruptionException;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.FoundCell;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Decoders on payloads whose checksum is right and whose bytes are not: any bytes end in an answer
 * or in {@link CorruptionException}.
 */
class BlockFuzzTest {
  private static final int TRIES = 40_000;

  @Test
  void anyCellBlockIsReadOrRefused() {
    Random random = new Random(20261121);
    byte[] good = cellBlock();
    byte[] goodTagged = taggedCellBlock();
    byte[] rowsOfOneCell = cellBlock(Tables.grid(30, 1, 3), false);
    int refused = 0;
    for (int i = 0; i < TRIES; i++) {
      boolean down = random.nextInt(4) == 0;
      byte[] bytes = mutate(down ? rowsOfOneCell : i % 2 == 0 ? good : goodTagged, random);
      try {
        if (down) {
          walk(bytes, 2, String.format("row%07d", random.nextInt(31)));
        } else {
          walk(bytes, random.nextInt(4), "row" + random.nextInt(30));
        }
      } catch (CorruptionException e) {
        refused++;
      } catch (RuntimeException e) {
        throw new AssertionError("try " + i, e);
      }
    }
    assertThat(refused).isBetween(TRIES / 4, TRIES - 1);
  }

  /** A step down from a row to a higher one could lead a scan in a circle. */
  @Test
  void aWalkDownwardsStopsWhereTheOrderIsBroken() throws CorruptionException {
    List<TestCell> cells = new ArrayList<>(Tables.grid(12, 1, 3));
    cells.set(6, TestCell.put("z", "column0", "", 1));
    CellBlockCursor cursor = new CellBlockCursor();
    cursor.reset(block(cellBlock(cells, false)));
    assertThat(cursor.seekBefore(LookupKey.of(Tables.startOfRow("row9"), 0))).isTrue();
    int steps = 0;
    while (cursor.startsRow()) {
      cursor.previous();
      steps++;
    }
    assertThat(steps).isEqualTo(4);
  }

  @Test
  void anyCellBlockIsSearchedOrRefused() throws CorruptionException {
    Random random = new Random(20261124);
    byte[][] good = {cellBlock(), taggedCellBlock()};
    FoundCell found = new FoundCell();
    CellBlockSearch search = new CellBlockSearch();
    int refused = 0;
    int finds = 0;
    for (int i = 0; i < TRIES; i++) {
      byte[] bytes = mutate(good[i % 2], random);
      ByteBuffer key =
          TestCell.put(
                  String.format("row%07d", random.nextInt(16)), "column" + random.nextInt(3), "", 0)
              .bytes();
      LookupKey sought = LookupKey.of(key, 0);
      try {
        // Nothing around the block, so that a look beyond its ends is noticed.
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
        search.setBlock("file", 0, direct, 0, bytes.length);
        if (search.find(sought, Long.MAX_VALUE, found) == CellBlockSearch.Outcome.FOUND) {
          assertThat(found.value()).hasSize(found.valueLength());
          finds++;
        }
      } catch (CorruptionException e) {
        refused++;
      } catch (RuntimeException e) {
        throw new AssertionError("try " + i, e);
      }
    }
    assertThat(refused).isBetween(TRIES / 10, TRIES - 1);
    assertThat(finds).isGreaterThan(TRIES / 10);
  }

  @Test
  void anyIndexBlockIsReadOrRefused() {
    Random random = new Random(20261122);
    byte[] good = indexBlock();
    int refused = 0;
    for (int i = 0; i < TRIES; i++) {
      byte[] bytes = mutate(good, random);
      try {
        search(bytes, "row" + random.nextInt(30));
      } catch (CorruptionException e) {
        refused++;
      } catch (RuntimeException e) {
        throw new AssertionError("try " + i, e);
      }
    }
    assertThat(refused).isBetween(TRIES / 10, TRIES - 1);
  }

  @Test
  void anyPropertiesAreReadOrRefused() throws Exception {
    Random random = new Random(20261123);
    BytesStorage storage = new BytesStorage();
    SortedTableProperties properties =
        Tables.write(
            storage, Tables.options(4096, Compression.NONE, BloomKind.ROW), Tables.grid(10, 2, 3));
    byte[] good = PropertiesCodec.write(properties);
    assertThat(PropertiesCodec.read(block(good), Tables.NUMBER, properties.fileBytes()))
        .isEqualTo(properties);
    int refused = 0;
    for (int i = 0; i < TRIES; i++) {
      byte[] bytes = mutate(good, random);
      try {
        PropertiesCodec.read(block(bytes), Tables.NUMBER, properties.fileBytes());
      } catch (CorruptionException e) {
        refused++;
      } catch (RuntimeException e) {
        throw new AssertionError("try " + i, e);
      }
    }
    assertThat(refused).isBetween(TRIES / 4, TRIES - 1);
  }

  /** Looks for a row in an index block. */
  static void search(byte[] bytes, String row) throws CorruptionException {
    LookupKey key = LookupKey.of(Tables.startOfRow(row), 0);
    IndexBlock block = new IndexBlock(block(bytes));
    block.findRow(key);
    block.findColumn(key);
    int entry = block.findKey(key);
    if (entry < block.count()) {
      block.handle(entry);
    }
  }

  /** Walks over a block of cells from where one of four ways of seeking leads. */
  static void walk(byte[] bytes, int way, String row) throws CorruptionException {
    CellBlockCursor cursor = new CellBlockCursor();
    cursor.reset(block(bytes));
    LookupKey key = LookupKey.of(Tables.startOfRow(row), 0);
    switch (way) {
      case 0 -> cursor.seek(key);
      case 1 -> {
        if (cursor.seekBefore(key)) {
          LookupKey below = LookupKey.of(cursor.buffer(), cursor.offset());
          boolean unused = cursor.seekBeforeNearby(below) || cursor.seekNearby(key);
        }
      }
      case 2 -> walkDown(cursor, key, bytes.length);
      default -> cursor.seekToFirst();
    }
    int cells = 0;
    while (cursor.isValid()) {
      assertThat(cursor.buffer().capacity() - cursor.offset())
          .isGreaterThanOrEqualTo(cursor.length());
      assertThat(++cells).isLessThanOrEqualTo(bytes.length);
      cursor.next();
    }
  }

  /** Moves to the last cell before a key, and on downwards as far as the cursor knows the way. */
  private static void walkDown(CellBlockCursor cursor, LookupKey key, int cellsMax)
      throws CorruptionException {
    boolean more = cursor.seekBefore(key);
    for (int cells = 0; more && cursor.startsRow(); cells++) {
      assertThat(cells).isLessThan(cellsMax);
      cursor.previous();
    }
  }

  /** Changes some bytes or numbers, or cuts the end. */
  private static byte[] mutate(byte[] good, Random random) {
    byte[] bytes =
        random.nextInt(8) == 0 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
    ByteBuffer view = ByteBuffer.wrap(bytes);
    for (int i = 1 + random.nextInt(3); i > 0 && bytes.length >= 4; i--) {
      int at = random.nextInt(bytes.length - 3);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> view.putInt(at, random.nextInt());
        case 3 -> view.putInt(at, random.nextInt(2 * bytes.length));
        default -> view.putInt(bytes.length - 4 * (1 + random.nextInt(3) % (bytes.length / 4)), at);
      }
    }
    return bytes;
  }

  /** Returns a block of cells some of which have tags. */
  static byte[] taggedCellBlock() {
    return cellBlock(true);
  }

  static byte[] cellBlock() {
    return cellBlock(false);
  }

  private static byte[] cellBlock(boolean tagged) {
    return cellBlock(Tables.grid(15, 2, 3), tagged);
  }

  private static byte[] cellBlock(List<TestCell> cells, boolean tagged) {
    CellBlockBuilder builder = new CellBlockBuilder(4096, 5);
    LastKey last = new LastKey();
    for (int i = 0; i < cells.size(); i++) {
      boolean hasTags = tagged && i % 3 == 0;
      ByteBuffer bytes = hasTags ? cells.get(i).withTtl(i + 1).bytes() : cells.get(i).bytes();
      int shared = i == 0 ? 0 : last.shared(bytes, 0);
      builder.add(
          bytes,
          0,
          hasTags ? CellTags.TTL_BYTES : 0,
          shared,
          cells.get(i).sequence() * 40 * (i % 3));
      last.set(bytes, 0, shared, 0);
    }
    int length = builder.finish();
    return Arrays.copyOf(builder.bytes(), length);
  }

  static byte[] indexBlock() {
    IndexBlockBuilder builder = new IndexBlockBuilder();
    Separator separator = new Separator();
    for (TestCell cell : Tables.grid(15, 1, 0)) {
      separator.copyKey(cell.bytes());
      builder.add(separator, new BlockHandle(7, 8));
    }
    int length = builder.finish();
    return Arrays.copyOf(builder.bytes(), length);
  }

  static Block block(byte[] bytes) {
    return new Block(Tables.NAME, 0, ByteBuffer.wrap(bytes));
  }
}
