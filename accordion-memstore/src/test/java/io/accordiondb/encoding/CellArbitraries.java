// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Random cells whose fields collide and share beginnings often. */
public final class CellArbitraries {
  private CellArbitraries() {}

  /** Returns bytes as Latin-1, few of them different, and runs that cross eight bytes. */
  public static Arbitrary<String> bytes(int lengthMax) {
    Arbitrary<String> any =
        Arbitraries.strings()
            .withChars('\0', 'a', 'b', '\u007f', '\u0080', '\u00ff')
            .ofMinLength(0)
            .ofMaxLength(lengthMax);
    Arbitrary<String> alike =
        Combinators.combine(
                Arbitraries.integers().between(0, Math.max(0, lengthMax - 3)),
                Arbitraries.strings().withChars('a', '\u00ff').ofMaxLength(Math.min(3, lengthMax)))
            .as((common, rest) -> "a".repeat(common) + rest);
    return Arbitraries.oneOf(any, alike);
  }

  /** Returns cells of any type with a family or without. */
  public static Arbitrary<ModelCell> cells() {
    return cells(bytes(20));
  }

  /** Returns cells with the given rows. */
  public static Arbitrary<ModelCell> cells(Arbitrary<String> rows) {
    return Combinators.combine(
            rows,
            Arbitraries.of("", "", "f", "g\u00ff"),
            bytes(12),
            timestamps(),
            Arbitraries.of(CellType.class),
            Arbitraries.longs().between(1, 40),
            bytes(4))
        .as(ModelCell::new);
  }

  /** Returns timestamps, most of them small. */
  public static Arbitrary<Long> timestamps() {
    return Arbitraries.frequencyOf(
        Tuple.of(6, Arbitraries.longs().between(-2, 6)),
        Tuple.of(1, Arbitraries.longs()),
        Tuple.of(1, Arbitraries.of(Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 1)));
  }
}
