// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes are a whole cell, all of whose parts lie within it, or are refused. */
class KeyValueLayoutFuzzTest {
  static Stream<byte[]> sound() {
    return Stream.of(
        new byte[] {
          0, 0, 0, 15, 0, 0, 0, 1, 0, 1, 'r', 1, 'f', 'q', 0, 0, 0, 0, 0, 0, 0, 1, 4, 'v'
        },
        new byte[] {0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 8});
  }

  @MethodSource("sound")
  @FuzzTest(maxDuration = "1m")
  void isReadOrRefused(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    for (int offset = 0; offset < Math.min(3, bytes.length); offset++) {
      int length;
      try {
        length = KeyValueLayout.checkCell(buffer, offset, bytes.length);
      } catch (MalformedCellException refused) {
        continue;
      }
      assertThat(length).isBetween(1, bytes.length - offset);
      assertThat(KeyValueLayout.length(buffer, offset)).isEqualTo(length);
      int row = KeyValueLayout.rowLength(buffer, offset);
      int family = KeyValueLayout.familyLength(buffer, offset);
      int qualifier = KeyValueLayout.qualifierLength(buffer, offset);
      int value = KeyValueLayout.valueLength(buffer, offset);
      assertThat(row).isNotNegative();
      assertThat(family).isNotNegative();
      assertThat(qualifier).isNotNegative();
      assertThat(value).isNotNegative();
      assertThat(20 + row + family + qualifier + value).isEqualTo(length);
      assertThat(CellType.isKnown(KeyValueLayout.typeCode(buffer, offset))).isTrue();
    }
  }
}
