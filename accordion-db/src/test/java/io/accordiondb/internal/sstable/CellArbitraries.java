// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Random cells whose parts collide and share beginnings often, and random options. */
final class CellArbitraries {
  private CellArbitraries() {}

  static Arbitrary<List<TestCell>> sortedCells(int countMax) {
    return cells().list().ofMinSize(1).ofMaxSize(countMax).map(CellArbitraries::sorted);
  }

  static Arbitrary<TestCell> cells() {
    return Combinators.combine(
            rows(),
            Arbitraries.frequencyOf(
                Tuple.of(5, Arbitraries.just("")), Tuple.of(1, Arbitraries.of("f", "g\u00ff"))),
            text(12),
            timestamps(),
            Arbitraries.of(CellType.class).filter(type -> type != CellType.DELETE_RANGE),
            values(),
            Arbitraries.frequencyOf(
                Tuple.of(9, Arbitraries.longs().between(0, 300)), Tuple.of(1, Arbitraries.longs())),
            tags())
        .as(CellArbitraries::cell);
  }

  static Arbitrary<SortedTableOptions> options() {
    return Combinators.combine(
            Arbitraries.of(64, 65, 200, 1024, 4096, 65536),
            Arbitraries.of(1, 2, 3, 16, 1024),
            Arbitraries.of(Compression.class),
            Arbitraries.of(BloomKind.class))
        .as(SortedTableOptions::new);
  }

  private static List<TestCell> sorted(List<TestCell> cells) {
    return List.copyOf(new TreeSet<>(cells));
  }

  /** Markers of a whole family have no qualifier. */
  private static TestCell cell(
      String row,
      String family,
      String qualifier,
      long timestamp,
      CellType type,
      String value,
      long sequence,
      byte[] tags) {
    boolean ofFamily = type == CellType.DELETE_FAMILY || type == CellType.DELETE_FAMILY_VERSION;
    return new TestCell(row, family, ofFamily ? "" : qualifier, timestamp, type, value, sequence)
        .withTags(type == CellType.PUT ? tags : CellTags.NONE);
  }

  private static Arbitrary<byte[]> tags() {
    Arbitrary<byte[]> ttl = Arbitraries.longs().between(1, 1L << 40).map(CellTags::ofTtl);
    Arbitrary<byte[]> others =
        Arbitraries.of(1, 2, 127, 128, 255, 256, 40_000)
            .map(
                length -> {
                  ByteBuffer tag = ByteBuffer.allocate(Short.BYTES + length);
                  return tag.putShort((short) length.intValue()).put((byte) 2).array();
                });
    Arbitrary<byte[]> both = Combinators.combine(others, ttl).as(CellArbitraries::joined);
    return Arbitraries.frequencyOf(
        Tuple.of(16, Arbitraries.just(CellTags.NONE)),
        Tuple.of(2, ttl),
        Tuple.of(2, others),
        Tuple.of(1, both));
  }

  private static byte[] joined(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
  }

  private static Arbitrary<String> rows() {
    return Arbitraries.frequencyOf(
        Tuple.of(12, text(20)),
        Tuple.of(1, Arbitraries.of("a", "b").flatMap(c -> lengths().map(c::repeat))));
  }

  private static Arbitrary<Integer> lengths() {
    return Arbitraries.of(126, 127, 128, 129, 255, 256, 257, 16_383, 16_384, 32_767);
  }

  private static Arbitrary<String> values() {
    return Arbitraries.frequencyOf(
        Tuple.of(20, text(4)),
        Tuple.of(1, Arbitraries.of("v").flatMap(c -> lengths().map(c::repeat))));
  }

  private static Arbitrary<Long> timestamps() {
    return Arbitraries.frequencyOf(
        Tuple.of(6, Arbitraries.longs().between(-2, 6)),
        Tuple.of(1, Arbitraries.longs()),
        Tuple.of(1, Arbitraries.of(Long.MIN_VALUE, Long.MAX_VALUE)));
  }

  private static Arbitrary<String> text(int lengthMax) {
    Arbitrary<String> any =
        Arbitraries.strings()
            .withChars('\0', 'a', 'b', '\u007f', '\u0080', '\u00ff')
            .ofMinLength(0)
            .ofMaxLength(lengthMax);
    Arbitrary<String> alike =
        Combinators.combine(
                Arbitraries.integers().between(0, lengthMax - 3),
                Arbitraries.strings().withChars('a', '\u00ff').ofMaxLength(3))
            .as((common, rest) -> "a".repeat(common) + rest);
    return Arbitraries.oneOf(any, alike);
  }
}
