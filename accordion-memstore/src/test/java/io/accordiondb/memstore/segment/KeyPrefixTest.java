// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.encoding.CellArbitraries;
import io.accordiondb.encoding.ModelCell;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class KeyPrefixTest {
  /** An anchor and rows most of which begin like it. */
  record Rows(String anchor, String a, String b) {}

  @Property(tries = 2000)
  void keepsTheOrderOfRows(@ForAll("rows") Rows rows) {
    KeyPrefix prefix = anchoredAt(rows.anchor());
    int byRow = Integer.signum(rows.a().compareTo(rows.b()));
    int byPrefix = Integer.signum(Long.compareUnsigned(of(prefix, rows.a()), of(prefix, rows.b())));
    // Equal prefixes decide nothing; different ones must agree with the rows.
    assertThat(byPrefix).isIn(0, byRow);
  }

  @Property(tries = 1500)
  void keepsTheOrderOfCells(@ForAll("cells") ModelCell a, @ForAll("cells") ModelCell b) {
    KeyPrefix prefix = anchoredAt("aaa");
    if (a.compareTo(b) < 0) {
      assertThat(Long.compareUnsigned(prefix.of(a.encode(), 0), prefix.of(b.encode(), 0)))
          .isNotPositive();
    }
  }

  @Property
  void isTheEightBytesBehindTheAnchor(
      @ForAll @IntRange(max = 20) int skipped, @ForAll("bytes") String rest) {
    String anchor = "a".repeat(skipped);
    long expected = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      expected = expected << Byte.SIZE | (i < rest.length() ? rest.charAt(i) : 0);
    }
    assertThat(of(anchoredAt(anchor), anchor + rest)).isEqualTo(expected);
  }

  @Property
  void commonWithSkipsWhatBothSkip(@ForAll("bytes") String a, @ForAll("bytes") String b) {
    int common = 0;
    while (common < Math.min(a.length(), b.length()) && a.charAt(common) == b.charAt(common)) {
      common++;
    }
    KeyPrefix expected = anchoredAt(a.substring(0, common));
    assertThat(anchoredAt(a).commonWith(anchoredAt(b))).isEqualTo(expected);
    assertThat(anchoredAt(b).commonWith(anchoredAt(a))).isEqualTo(expected);
  }

  @Property
  void betweenTwoRowsAnchorsWhatTheyShare(@ForAll("rows") Rows rows) {
    KeyPrefix between = KeyPrefix.between(row(rows.a()).encode(), 0, row(rows.b()).encode(), 0);
    assertThat(between).isEqualTo(anchoredAt(rows.a()).commonWith(anchoredAt(rows.b())));
    assertThat(between.hashCode())
        .isEqualTo(anchoredAt(rows.a()).commonWith(anchoredAt(rows.b())).hashCode());
  }

  @Test
  void anchorsStopAt64Bytes() {
    String row = "r".repeat(80);
    assertThat(anchoredAt(row)).isEqualTo(anchoredAt("r".repeat(64)));
    assertThat(anchoredAt("r".repeat(64))).isNotEqualTo(anchoredAt("r".repeat(63)));
  }

  /** The shortest cell there is has just enough bytes behind its row for what the map reads. */
  @Property(tries = 200)
  void readsNothingBehindTheCell(
      @ForAll @IntRange(max = 12) int rowLength, @ForAll @IntRange(max = 12) int skipped) {
    ModelCell shortest = ModelCell.put("a".repeat(rowLength), "", -1, 1, "");
    KeyPrefix prefix = anchoredAt("a".repeat(skipped));
    long expected = 0;
    for (int i = 0; i < Math.min(8, rowLength - skipped); i++) {
      expected |= 0x61L << (56 - 8 * i);
    }
    assertThat(prefix.of(shortest.encode(), 0)).isEqualTo(expected);
  }

  private static KeyPrefix anchoredAt(String anchor) {
    return KeyPrefix.between(row(anchor).encode(), 0, row(anchor).encode(), 0);
  }

  private static long of(KeyPrefix prefix, String row) {
    return prefix.of(row(row).encode(), 0);
  }

  private static ModelCell row(String row) {
    return ModelCell.put(row, "", -1, 1, "");
  }

  @Provide
  Arbitrary<String> bytes() {
    return CellArbitraries.bytes(20);
  }

  @Provide
  Arbitrary<ModelCell> cells() {
    return CellArbitraries.cells();
  }

  @Provide
  Arbitrary<Rows> rows() {
    return CellArbitraries.bytes(20)
        .flatMap(
            anchor -> {
              Arbitrary<String> row =
                  Arbitraries.oneOf(
                      CellArbitraries.bytes(12).map(rest -> anchor + rest),
                      Arbitraries.integers()
                          .between(0, anchor.length())
                          .map(length -> anchor.substring(0, length)),
                      CellArbitraries.bytes(20));
              return Combinators.combine(row, row).as((a, b) -> new Rows(anchor, a, b));
            });
  }
}
