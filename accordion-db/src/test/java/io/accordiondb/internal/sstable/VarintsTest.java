// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class VarintsTest {
  @Property
  void longsAreReadBack(@ForAll long value) {
    byte[] bytes = new byte[Varints.LONG_BYTES_MAX + 2];
    int end = Varints.putLong(bytes, 1, Varints.zigzag(value));

    assertThat(Varints.unzigzag(Varints.getLong(bytes, 1, bytes.length))).isEqualTo(value);
    assertThat(Varints.length(bytes, 1, bytes.length)).isEqualTo(end - 1);
  }

  @Property
  void intsAreReadBackAsUnsigned(@ForAll int value) {
    byte[] bytes = new byte[Varints.INT_BYTES_MAX];
    int end = Varints.putInt(bytes, 0, value);

    assertThat(Varints.getLong(bytes, 0, bytes.length)).isEqualTo(Integer.toUnsignedLong(value));
    assertThat(Varints.length(bytes, 0, bytes.length)).isEqualTo(end);
  }

  @Test
  void smallNumbersOfEitherSignTakeOneByte() {
    byte[] bytes = new byte[Varints.LONG_BYTES_MAX];
    for (long value = -64; value < 64; value++) {
      assertThat(Varints.putLong(bytes, 0, Varints.zigzag(value))).isEqualTo(1);
    }
    assertThat(Varints.putLong(bytes, 0, Varints.zigzag(64))).isEqualTo(2);
  }

  @Test
  void aVarintThatIsCutReachesBeyondTheEnd() {
    byte[] bytes = {-1, -1, -1, 1};

    assertThat(Varints.length(bytes, 0, 3)).isEqualTo(4);
    assertThat(Varints.length(bytes, 2, 3)).isEqualTo(2);
    assertThat(Varints.length(bytes, 3, 3)).isEqualTo(1);
    assertThat(Varints.getLong(bytes, 0, 3)).isEqualTo(0x1F_FFFF);
    assertThat(Varints.getLong(bytes, 3, 3)).isZero();
  }

  @Test
  void aVarintEndsAtItsTenthByte() {
    byte[] bytes = new byte[20];
    Arrays.fill(bytes, (byte) -1);

    assertThat(Varints.length(bytes, 0, 20)).isEqualTo(10);
    assertThat(Varints.getLong(bytes, 0, 20)).isEqualTo(-1);
  }
}
