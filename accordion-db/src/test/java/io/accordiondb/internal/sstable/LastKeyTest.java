// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.encoding.CellComparator;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LastKeyTest {
  private static String name(Random random, int bytesMin) {
    byte[] bytes = new byte[bytesMin + random.nextInt(12)];
    for (int i = 0; i < bytes.length; i++) {
      // Few values, so that keys have much in common; some are negative as bytes.
      bytes[i] = (byte) (random.nextInt(2) * 130 + 60);
    }
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Test
  void tellsTheOrderThatTheComparatorTells() {
    Random random = new Random(1);
    LastKey last = new LastKey();
    int before = 0;
    for (int i = 0; i < 100_000; i++) {
      TestCell a = TestCell.put(name(random, 1), name(random, 0), "", random.nextInt(3));
      TestCell b = TestCell.put(name(random, 1), name(random, 0), "", random.nextInt(3));
      last.set(a.bytes(), 0, 0, random.nextInt(3));
      long sequence = random.nextInt(3);
      boolean expected =
          CellComparator.compare(a.bytes(), 0, last.sequence(), b.bytes(), 0, sequence) < 0;
      assertThat(last.isBefore(b.bytes(), 0, last.shared(b.bytes(), 0), sequence))
          .isEqualTo(expected);
      before += expected ? 1 : 0;
    }
    assertThat(before).isBetween(30_000, 70_000);
  }
}
