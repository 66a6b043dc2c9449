// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SpacePrefixTest {
  private static final int[] FIRST = {0, 0x80, 0x4080, 0x204080, 0x10204080};

  @Test
  void prefixesAreInTheOrderOfTheNumbersAndNoneBeginsWithAnother() {
    TreeSet<Integer> numbers = new TreeSet<>();
    for (int first : FIRST) {
      for (int near = Math.max(0, first - 300); near < first + 300; near++) {
        numbers.add(near);
      }
    }
    for (int near = Integer.MAX_VALUE - 300; near > 0; near++) {
      numbers.add(near);
    }
    byte[] before = null;
    for (int number : numbers) {
      byte[] prefix = SpacePrefix.of(number);
      if (before != null) {
        assertThat(Arrays.compareUnsigned(before, prefix)).as("%d", number).isNegative();
        assertThat(Arrays.mismatch(before, prefix)).as("%d", number).isLessThan(before.length);
      }
      before = prefix;
    }
  }

  @Test
  void eachFormBeginsWhereTheFormatSaysSo() {
    for (int form = 0; form < FIRST.length; form++) {
      assertThat(SpacePrefix.of(FIRST[form])).hasSize(form + 1);
      assertThat(SpacePrefix.of(FIRST[form])[0])
          .isEqualTo((byte) new int[] {0, 0x80, 0xc0, 0xe0, 0xf0}[form]);
    }
    assertThatIllegalArgumentException().isThrownBy(() -> SpacePrefix.of(-1));
  }
}
