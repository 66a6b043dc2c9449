// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What additions to a tree cost, counted in nodes. */
class RangeTreeTest {
  private static final int COUNT = 10_000;

  /**
   * Log2 of the count is 13.3; a path has up to 1.44 times as many nodes, and rotations add two.
   */
  private static final int NODES_MAX = 22;

  /** How the ranges lie to each other. */
  private enum Shape {
    ASCENDING,
    DESCENDING,
    ANYWHERE,
    OVERLAPPING,
    FROM_THE_BEGINNING
  }

  private static byte[] row(int number) {
    return String.format("%08d", number).getBytes(US_ASCII);
  }

  private static RangeTombstone tombstone(Shape shape, int number, Random random) {
    int first =
        switch (shape) {
          case ASCENDING, FROM_THE_BEGINNING -> 10 * number;
          case DESCENDING -> 10 * (COUNT - number);
          case ANYWHERE, OVERLAPPING -> random.nextInt(10 * COUNT);
        };
    int length = shape == Shape.OVERLAPPING ? 1 + random.nextInt(COUNT) : 5;
    byte[] start = shape == Shape.FROM_THE_BEGINNING ? new byte[0] : row(first);
    return new RangeTombstone(start, row(first + length), number);
  }

  /** Adds all nodes below a node that are not known yet to those known; returns their number. */
  private static int learn(@Nullable RangeTree node, Set<RangeTree> known) {
    return node == null || !known.add(node)
        ? 0
        : 1 + learn(node.left, known) + learn(node.right, known);
  }

  @ParameterizedTest
  @CsvSource({
    "ASCENDING, 0",
    "ASCENDING, 9223372036854775807",
    "DESCENDING, 0",
    "ANYWHERE, 0",
    "ANYWHERE, 9223372036854775807",
    "OVERLAPPING, 0",
    "OVERLAPPING, 9223372036854775807",
    "FROM_THE_BEGINNING, 0",
    "FROM_THE_BEGINNING, 9223372036854775807"
  })
  void anAdditionMakesFewNodes(Shape shape, long smallestReadPoint) {
    Random random = new Random(1);
    Set<RangeTree> known = Collections.newSetFromMap(new IdentityHashMap<>());
    RangeTombstones set = RangeTombstones.NONE;
    for (int i = 1; i <= COUNT; i++) {
      set = set.with(tombstone(shape, i, random), Math.min(smallestReadPoint, i - 1));
      learn(set.root(), known);
    }
    assertThat(known.size()).isLessThan(NODES_MAX * COUNT);
    RangeTree root = set.root();
    assertThat(root).isNotNull();
    assertThat(root.height).isLessThan(NODES_MAX);
    assertThat(root.size).isEqualTo(set.toList().size());
  }
}
