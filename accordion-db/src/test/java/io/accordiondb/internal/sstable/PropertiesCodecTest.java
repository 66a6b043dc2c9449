// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.accordiondb.CorruptionException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The properties of a table as {@code docs/FORMATS.md} says, by hand. */
class PropertiesCodecTest {
  private static final long FILE_BYTES = 10_000;

  private static final String REQUIRED =
      number(1, 3)
          + number(2, 1)
          + number(3, 0)
          // A row "a", no family, the qualifier "q", the timestamp 7, a put.
          + "04 0000000e 0001 61 00 71 0000000000000007 04"
          + "05 0000000e 0001 62 00 71 0000000000000005 04"
          + number(6, 5)
          + number(7, 7)
          + number(8, 11)
          + number(9, 13)
          + number(10, 42)
          + number(11, 9)
          + number(12, 1)
          + number(13, 99)
          + number(14, 60)
          + number(15, 0)
          + number(16, 0)
          + number(17, 1)
          + number(18, 0)
          + number(19, 1);

  private static String number(int property, long value) {
    return String.format(Locale.ROOT, "%02x 00000008 %016x", property, value);
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replace(" ", ""));
  }

  private static SortedTableProperties read(byte[] payload) throws IOException {
    return PropertiesCodec.read(BlockFuzzTest.block(payload), Tables.NUMBER, FILE_BYTES);
  }

  @Test
  void whatIsOptionalMayBeMissing() throws IOException {
    SortedTableProperties read = read(hex(REQUIRED));
    assertThat(read.cellCount()).isEqualTo(3);
    assertThat(read.sequenceMax()).isEqualTo(13);
    assertThat(read.owner().limit()).isZero();
    assertThat(read.appliedUpTo()).isEqualTo(Long.MAX_VALUE);
    assertThat(PropertiesCodec.write(read)).isEqualTo(hex(REQUIRED));
  }

  @Test
  void theLastRangeTombstoneThatWasAppliedIsTheLastProperty() throws IOException {
    byte[] payload = hex(REQUIRED + number(21, 12));
    SortedTableProperties read = read(payload);
    assertThat(read.appliedUpTo()).isEqualTo(12);
    assertThat(PropertiesCodec.write(read)).isEqualTo(payload);
    // A later version may add others.
    assertThat(read(hex(REQUIRED + "ff 00000001 00" + number(21, 12))).appliedUpTo()).isEqualTo(12);
    int required = hex(REQUIRED).length;
    for (int length = required + 1; length < payload.length; length++) {
      byte[] cut = Arrays.copyOf(payload, length);
      assertThatExceptionOfType(CorruptionException.class).isThrownBy(() -> read(cut));
    }
    assertThatExceptionOfType(CorruptionException.class)
        .isThrownBy(() -> read(hex(REQUIRED + number(21, -1))))
        .withMessageContaining("property 21");
  }
}
