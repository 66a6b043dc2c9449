// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.CorruptionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files whose checksums are right and whose parts contradict each other. */
class SortedTableVerifierTest {
  private final BytesStorage storage = new BytesStorage();
  private byte[] file = new byte[0];
  private SortedTableFooter footer =
      new SortedTableFooter(BlockHandle.NONE, BlockHandle.NONE, BlockHandle.NONE, 0, 0, 1);

  private void write(BloomKind bloom) throws IOException {
    Tables.write(
        storage,
        new SortedTableOptions(4096, 1, Compression.NONE, bloom),
        List.of(
            TestCell.put("alpha", "q", "v", 1),
            TestCell.put("beta", "q", "v", 2),
            TestCell.put("gamma", "q", "v", 3)));
    file = storage.bytes(Tables.NAME);
    byte[] end = Arrays.copyOfRange(file, file.length - SortedTableFooter.BYTES, file.length);
    footer = SortedTableFooter.read(Tables.NAME, end, Tables.NUMBER, file.length);
  }

  @Test
  void aTableThatIsRightIsAccepted() throws IOException {
    write(BloomKind.ROW);
    SortedTable table = Tables.open(storage);
    table.verify();
    table.release();
  }

  @Test
  void cellsOutOfOrderAreNamed() throws IOException {
    write(BloomKind.NONE);
    change(dataBlock(), "beta", "zeta");

    assertRefused("gamma/:q", "cells after zeta/:q");
  }

  @Test
  void cellsThatNoCompactionCanWriteAreNamed() throws IOException {
    TestCell cell = TestCell.put("alpha", "q", "value", 1);
    Tables.write(
        storage,
        Tables.options(4096, Compression.NONE, BloomKind.NONE),
        List.of(cell.withTags(new byte[] {0, 5, 1, 't', 'a', 'g', 's'})));
    file = storage.bytes(Tables.NAME);
    file[indexOf("tags", 0, file.length) - 2]++;
    seal(Tables.rootIndex(storage).handle(0));

    assertRefused("cells that can be written again", "tag length is 6");
  }

  @Test
  void anIndexKeyBeforeTheCellsOfItsBlockIsRefused() throws IOException {
    write(BloomKind.NONE);
    change(footer.rootIndex(), "gamma", "delta");

    assertRefused("delta/:q", "a key at or after gamma/:q");
  }

  @Test
  void aFilterThatLacksARowIsRefused() throws IOException {
    write(BloomKind.ROW);
    BlockHandle filter = new BlockHandle(dataBlock().fileBytes(), 65);
    Arrays.fill(file, (int) filter.offset(), (int) filter.offset() + 64, (byte) 0);
    seal(filter);

    assertRefused("none", "a filter that has alpha/:q");
  }

  @Test
  void aFilterIndexThatEndsTooEarlyIsRefused() throws IOException {
    write(BloomKind.ROW);
    change(footer.filterIndex(), "gamma", "delta");

    assertRefused("filter block 1 for gamma/:q");
  }

  @Test
  void everyWrongPropertyIsRefused() throws IOException {
    write(BloomKind.ROW);
    byte[] good = file.clone();
    int start = (int) footer.properties().offset();
    int end = start + footer.properties().length();
    int entries = 0;
    for (int at = start; at < end; at += 5 + ByteBuffer.wrap(good).getInt(at + 1)) {
      boolean isNumber = ByteBuffer.wrap(good).getInt(at + 1) == Long.BYTES;
      int id = good[at];
      file = good.clone();
      if (id == 17) {
        continue; // Nothing contradicts a compression: any block may be stored as it is.
      }
      file[isNumber ? at + 12 : at + 5 + 2] += 1;
      seal(footer.properties());
      assertThatThrownBy(this::openAndVerify)
          .as("property %d", id)
          .isInstanceOf(CorruptionException.class);
      entries++;
    }
    assertThat(entries).isEqualTo(18);
  }

  private void assertRefused(String... parts) {
    assertThatThrownBy(this::openAndVerify)
        .isInstanceOf(CorruptionException.class)
        .hasMessageContainingAll(parts);
  }

  private void openAndVerify() throws IOException {
    storage.setBytes(Tables.NAME, file);
    SortedTable table = Tables.open(storage);
    try {
      table.verify();
    } finally {
      table.release();
    }
  }

  /** The first block of the file, which is as long as its three whole cells and their offsets. */
  private BlockHandle dataBlock() {
    int cells = 0;
    for (String row : List.of("alpha", "beta", "gamma")) {
      cells += TestCell.put(row, "q", "v", 0).bytes().capacity() + 1;
    }
    return new BlockHandle(0, 8 + cells + 3 * 4 + 4);
  }

  private void change(BlockHandle block, String from, String to) {
    int start = (int) block.offset();
    int at = indexOf(from, start, start + block.length());
    System.arraycopy(to.getBytes(StandardCharsets.ISO_8859_1), 0, file, at, from.length());
    seal(block);
  }

  private int indexOf(String text, int from, int to) {
    byte[] sought = text.getBytes(StandardCharsets.ISO_8859_1);
    for (int at = from; at < to; at++) {
      if (Arrays.equals(sought, Arrays.copyOfRange(file, at, at + sought.length))) {
        return at;
      }
    }
    throw new AssertionError(text + " is not in the block");
  }

  /** Makes the checksum of a block right. */
  private void seal(BlockHandle block) {
    int crcAt = (int) block.offset() + block.length() + 5;
    byte[] covered = Arrays.copyOfRange(file, (int) block.offset(), crcAt);
    ByteBuffer.wrap(file).putInt(crcAt, SortedTableFormat.maskedCrc(covered, covered.length));
  }
}
