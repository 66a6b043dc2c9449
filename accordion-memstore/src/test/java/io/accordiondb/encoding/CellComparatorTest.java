// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class CellComparatorTest {
  /** Two cells, the second often one field away from the first. */
  record Pair(ModelCell a, ModelCell b) {}

  @Property(tries = 4000)
  void ordersAsTheModelDoes(@ForAll("pairs") Pair pair) {
    ModelCell a = pair.a();
    ModelCell b = pair.b();
    ByteBuffer x = a.encode();
    ByteBuffer y = shifted(b);
    assertThat(sign(CellComparator.compare(x, 0, a.sequence(), y, 5, b.sequence())))
        .isEqualTo(sign(a.compareTo(b)));
    assertThat(sign(CellComparator.compareKeys(x, 0, y, 5))).isEqualTo(sign(a.compareKey(b)));
    assertThat(CellComparator.compareColumns(x, 0, y, 5) == 0).isEqualTo(a.sameColumn(b));
    assertThat(sign(CellComparator.compareRows(x, 0, y, 5)))
        .isEqualTo(sign(a.row().compareTo(b.row())));
    assertThat(sign(CellComparator.compareRow(x, 0, b.row().getBytes(ISO_8859_1))))
        .isEqualTo(sign(a.row().compareTo(b.row())));
    assertThat(sign(CellComparator.compareQualifier(x, 0, b.qualifier().getBytes(ISO_8859_1))))
        .isEqualTo(sign(a.qualifier().compareTo(b.qualifier())));
  }

  @Property
  void isAntisymmetric(@ForAll("pairs") Pair pair) {
    assertThat(sign(compare(pair.a(), pair.b()))).isEqualTo(-sign(compare(pair.b(), pair.a())));
    assertThat(compare(pair.a(), pair.a())).isZero();
  }

  @Property
  void isTransitive(
      @ForAll("cells") ModelCell a, @ForAll("cells") ModelCell b, @ForAll("cells") ModelCell c) {
    ModelCell[] sorted = {a, b, c};
    Arrays.sort(sorted, CellComparatorTest::compare);
    assertThat(compare(sorted[0], sorted[1])).isNotPositive();
    assertThat(compare(sorted[1], sorted[2])).isNotPositive();
    assertThat(compare(sorted[0], sorted[2])).isNotPositive();
  }

  /** Each length up to five words, and a difference at each place, in either direction. */
  @Test
  void bytesDifferAtEveryPlaceOfEveryLength() {
    for (int length = 1; length <= 40; length++) {
      for (int place = 0; place < length; place++) {
        for (int low : new int[] {0x00, 0x7F, 0x80, 0xFE}) {
          byte[] a = new byte[length + 2];
          byte[] b = new byte[length + 3];
          Arrays.fill(a, (byte) 0xA5);
          Arrays.fill(b, (byte) 0xA5);
          a[2 + place] = (byte) low;
          b[3 + place] = (byte) (low + 1);
          ByteBuffer x = ByteBuffer.wrap(a);
          ByteBuffer y = ByteBuffer.wrap(b);
          assertThat(CellComparator.compareBytes(x, 2, length, y, 3, length)).isNegative();
          assertThat(CellComparator.compareBytes(y, 3, length, x, 2, length)).isPositive();
        }
      }
    }
  }

  @Property(tries = 200)
  void aRangeThatBeginsAnotherComesFirst(
      @ForAll @IntRange(max = 40) int shorter, @ForAll @IntRange(min = 1, max = 20) int more) {
    ByteBuffer bytes = ByteBuffer.wrap(new byte[shorter + more]);
    assertThat(CellComparator.compareBytes(bytes, 0, shorter, bytes, 0, shorter + more))
        .isNegative();
    assertThat(CellComparator.compareBytes(bytes, 0, shorter + more, bytes, 0, shorter))
        .isPositive();
    assertThat(CellComparator.compareBytes(bytes, 0, shorter, bytes, more, shorter)).isZero();
  }

  @Test
  void theLaterWriteOfAVersionComesFirst() {
    ModelCell earlier = ModelCell.put("r", "q", 5, 1, "old");
    ModelCell later = ModelCell.put("r", "q", 5, 2, "new");
    assertThat(compare(later, earlier)).isNegative();
    assertThat(CellComparator.compareKeys(later.encode(), 0, earlier.encode(), 0)).isZero();
  }

  private static int compare(ModelCell a, ModelCell b) {
    return CellComparator.compare(a.encode(), 0, a.sequence(), b.encode(), 0, b.sequence());
  }

  private static ByteBuffer shifted(ModelCell cell) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(5 + cell.length());
    cell.writeTo(buffer, 5);
    return buffer;
  }

  private static int sign(int order) {
    return Integer.signum(order);
  }

  @Provide
  Arbitrary<ModelCell> cells() {
    return CellArbitraries.cells();
  }

  @Provide
  Arbitrary<Pair> pairs() {
    return Combinators.combine(cells(), cells(), Arbitraries.integers().between(0, 6))
        .as((a, b, fields) -> new Pair(a, mixed(a, b, fields)));
  }

  /** Returns a cell whose first fields are those of {@code a} and whose others those of b. */
  private static ModelCell mixed(ModelCell a, ModelCell b, int fields) {
    return new ModelCell(
        (fields > 0 ? a : b).row(),
        (fields > 1 ? a : b).family(),
        (fields > 2 ? a : b).qualifier(),
        (fields > 3 ? a : b).timestamp(),
        (fields > 4 ? a : b).type(),
        (fields > 5 ? a : b).sequence(),
        b.value());
  }
}
