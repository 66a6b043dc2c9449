// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class MalformedCellFuzzTest {
  private static final ModelCell CELL =
      new ModelCell("row", "fam", "qualifier", 7, CellType.PUT, 1, "value");

  @Property(tries = 3000)
  void bytesOfAnyContentAreACellOrRefused(@ForAll @Size(max = 64) byte[] bytes) {
    checkWithin(ByteBuffer.wrap(bytes), bytes.length);
  }

  /** Every byte of a cell replaced by every value: most of the decoder's branches. */
  @Test
  void everySingleDamagedByteIsACellOrRefused() {
    byte[] good = CELL.encode().array();
    for (int at = 0; at < good.length; at++) {
      for (int value = 0; value < 256; value++) {
        byte[] bytes = good.clone();
        bytes[at] = (byte) value;
        checkWithin(ByteBuffer.wrap(bytes), bytes.length);
      }
    }
  }

  @Test
  void everyCutCellIsRefused() {
    ByteBuffer buffer = CELL.encode();
    for (int limit = 0; limit < buffer.capacity(); limit++) {
      int cut = limit;
      assertThatExceptionOfType(MalformedCellException.class)
          .isThrownBy(() -> KeyValueLayout.checkCell(buffer, 0, cut));
    }
  }

  @Property(tries = 3000)
  void hostileLengthsAreRefused(
      @ForAll("lengths") int keyLength,
      @ForAll("lengths") int valueLength,
      @ForAll("lengths") int rowLength,
      @ForAll("lengths") int familyLength) {
    ByteBuffer buffer = CELL.encode();
    buffer.putInt(0, keyLength);
    buffer.putInt(4, valueLength);
    buffer.putShort(8, (short) rowLength);
    buffer.put(10 + CELL.row().length(), (byte) familyLength);
    checkWithin(buffer, buffer.capacity());
  }

  @Test
  void offsetsOutsideAreRefused() {
    ByteBuffer buffer = CELL.encode();
    for (int offset : new int[] {-1, Integer.MIN_VALUE, CELL.length(), CELL.length() + 1}) {
      assertThatExceptionOfType(MalformedCellException.class)
          .isThrownBy(() -> KeyValueLayout.checkCell(buffer, offset, CELL.length()));
    }
  }

  @Test
  void theMessageNamesFieldAndBounds() {
    ByteBuffer buffer = CELL.encode();
    buffer.putInt(4, 6);
    assertThatExceptionOfType(MalformedCellException.class)
        .isThrownBy(() -> KeyValueLayout.checkCell(buffer, 0, buffer.capacity()))
        .withMessage("value length is 6, expected 0 to 5");
  }

  /** Whatever is accepted lies within its bounds, part by part. */
  private static void checkWithin(ByteBuffer buffer, int limit) {
    int length;
    try {
      length = KeyValueLayout.checkCell(buffer, 0, limit);
    } catch (MalformedCellException e) {
      assertThat(e).hasMessageContaining("expected");
      return;
    }
    assertThat(length).isBetween(KeyValueLayout.CELL_OVERHEAD_BYTES, limit);
    ModelCell cell = ModelCell.read(buffer, 0, 1);
    assertThat(cell.length()).isEqualTo(length);
    assertThat(cell.encode()).isEqualTo(buffer.slice(0, length));
  }

  @Provide
  Arbitrary<Integer> lengths() {
    return Arbitraries.oneOf(
        Arbitraries.integers().between(-2, 48),
        Arbitraries.of(
            Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE - 8, 255, 128, 32768, 65535));
  }
}
