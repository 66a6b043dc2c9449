// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyValueLayoutTest {
  @Test
  void writesTheBytesOfHBasesKeyValue() {
    ModelCell cell = new ModelCell("row", "f", "q", 0x0102030405060708L, CellType.PUT, 9, "value");
    assertThat(HexFormat.of().formatHex(cell.encode().array()))
        .isEqualTo(
            "00000011" // key length
                + "00000005" // value length
                + "0003" // row length
                + "726f77" // row
                + "01" // family length
                + "66" // family
                + "71" // qualifier
                + "0102030405060708" // timestamp
                + "04" // type
                + "76616c7565"); // value
  }

  @Property
  void readsBackWhatItWrote(
      @ForAll("cells") ModelCell cell, @ForAll @IntRange(max = 9) int offset) {
    ByteBuffer buffer = ByteBuffer.allocate(offset + cell.length() + 3);
    int length = cell.writeTo(buffer, offset);

    assertThat(length).isEqualTo(cell.length());
    assertThat(KeyValueLayout.length(buffer, offset)).isEqualTo(length);
    assertThat(ModelCell.read(buffer, offset, cell.sequence())).isEqualTo(cell);
    assertThat(KeyValueLayout.checkCell(buffer, offset, offset + length)).isEqualTo(length);
    assertThat(KeyValueLayout.checkCell(buffer, offset, buffer.capacity())).isEqualTo(length);
    assertThat(KeyValueLayout.keyOffset(offset) + KeyValueLayout.keyLength(buffer, offset))
        .isEqualTo(KeyValueLayout.valueOffset(buffer, offset));
    assertThat(buffer.position()).isZero();
    assertThat(buffer.limit()).isEqualTo(buffer.capacity());
  }

  @Property
  void lengthWithTagsCountsTheTags(
      @ForAll("cells") ModelCell cell, @ForAll @IntRange(max = 0xFFFF) int tagBytes) {
    ByteBuffer buffer = ByteBuffer.allocate(cell.length() + Short.BYTES);
    cell.writeTo(buffer, 0);
    buffer.putShort(cell.length(), (short) tagBytes);
    assertThat(KeyValueLayout.lengthWithTags(buffer, 0))
        .isEqualTo(cell.length() + Short.BYTES + tagBytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 127, 128, 255, 256, Short.MAX_VALUE})
  void rowsOfEveryLengthReadBack(int length) {
    ModelCell cell = ModelCell.put("r".repeat(length), "q", 1, 1, "v");
    ByteBuffer buffer = cell.encode();
    assertThat(KeyValueLayout.checkCell(buffer, 0, buffer.capacity())).isEqualTo(cell.length());
    assertThat(ModelCell.read(buffer, 0, 1)).isEqualTo(cell);
  }

  @Test
  void longestFamilyReadsBack() {
    String family = "f".repeat(KeyValueLayout.FAMILY_BYTES_MAX);
    ModelCell cell = new ModelCell("r", family, "q", 1, CellType.PUT, 1, "v");
    assertThat(ModelCell.read(cell.encode(), 0, 1)).isEqualTo(cell);
  }

  @ParameterizedTest
  @EnumSource(CellType.class)
  void typeOfItsCodeIsTheType(CellType type) {
    assertThat(CellType.of(type.code())).isEqualTo(type);
    assertThat(CellType.isKnown(type.code())).isTrue();
  }

  @Property(tries = 256)
  void codesOfNoTypeAreRefused(@ForAll @IntRange(max = 255) int code) {
    boolean known = List.of(4, 8, 10, 12, 14, 16, 20).contains(code);
    assertThat(CellType.isKnown(code)).isEqualTo(known);
    if (!known) {
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> CellType.of(code))
          .withMessageContaining(String.valueOf(code));
    }
  }

  @Test
  void lengthThatOverflowsIsAnError() {
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> KeyValueLayout.length(1, 0, Integer.MAX_VALUE - 10, 10));
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> KeyValueLayout.length(1, 0, 0, Integer.MAX_VALUE - 10));
  }

  @Provide
  Arbitrary<ModelCell> cells() {
    return CellArbitraries.cells();
  }
}
