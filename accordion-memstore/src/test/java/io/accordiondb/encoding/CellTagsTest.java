// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class CellTagsTest {
  private static final ModelCell PUT = ModelCell.put("row", "q", 100, 1, "value");

  /** What HBase's {@code new KeyValue(row, family, qualifier, 100, PUT, value, tags)} holds. */
  @Test
  void aTimeToLiveIsTheTagThatHBaseWrites() {
    byte[] cell = PUT.withTtl(0x1234).encode().array();
    assertThat(cell).hasSize(PUT.length() + CellTags.TTL_BYTES);
    String tags = HexFormat.of().formatHex(cell, PUT.length(), cell.length);
    assertThat(tags).isEqualTo("000b" + "0009" + "08" + "0000000000001234");
  }

  @Test
  void aPutExpiresOnceItsTimestampIsOlderThanItsTimeToLive() {
    ModelCell cell = PUT.withTtl(10);
    assertThat(isExpired(cell, 110)).isFalse();
    assertThat(isExpired(cell, 111)).isTrue();
    assertThat(isExpired(PUT, Long.MAX_VALUE)).isFalse();
    assertThat(isExpired(PUT.withTtl(Long.MAX_VALUE - 1), Long.MAX_VALUE)).isFalse();
    assertThat(isExpired(PUT.withTtl(Long.MAX_VALUE - 1), -3)).isFalse();
    assertThat(isExpired(PUT.withTtl(Long.MAX_VALUE - 1), Long.MIN_VALUE)).isFalse();
  }

  @Test
  void otherTagsArePassedOver() {
    ByteBuffer cell = tagged("000f" + "0002" + "0177" + "0009" + "08" + "0000000000000005");
    assertThat(CellTags.ttlMillis(cell, 0, cell.limit())).isEqualTo(5);
    assertThat(CellTags.checkCell(cell, 0, cell.limit())).isEqualTo(cell.limit());
    ByteBuffer other = tagged("0004" + "0002" + "0177");
    assertThat(CellTags.hasTtl(other, 0, other.limit())).isFalse();
  }

  @Test
  void tagsThatAreNoneAreNoTimeToLive() {
    for (String tags : List.of("0003" + "0001" + "08", "000a" + "0009" + "08" + "00000000000000")) {
      ByteBuffer cell = tagged(tags);
      assertThat(CellTags.hasTtl(cell, 0, cell.limit())).isFalse();
    }
  }

  @Test
  void tagsThatDoNotFitAreRefused() {
    for (String tags : List.of("00", "0003" + "0001", "0002" + "0000", "0003" + "0002" + "08")) {
      ByteBuffer cell = tagged(tags);
      assertThatThrownBy(() -> CellTags.checkCell(cell, 0, cell.limit()))
          .isInstanceOf(MalformedCellException.class)
          .hasMessageContaining("length");
    }
  }

  private static boolean isExpired(ModelCell cell, long now) {
    return CellTags.isExpired(cell.encode(), 0, cell.length(), now);
  }

  private static ByteBuffer tagged(String tags) {
    byte[] hex = HexFormat.of().parseHex(tags);
    byte[] cell = PUT.encode().array();
    assertThat(new String(cell, ISO_8859_1)).endsWith("value");
    return ByteBuffer.allocate(cell.length + hex.length).put(cell).put(hex).flip();
  }
}
