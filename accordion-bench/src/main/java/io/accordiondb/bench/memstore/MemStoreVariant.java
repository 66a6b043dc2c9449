// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.memstore;

import io.accordiondb.memstore.Policy;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import java.util.Arrays;
import java.util.Locale;

/**
 * A variant to measure: a policy and the form of its segments.
 *
 * @param policy the policy
 * @param layout form of the segments
 */
public record MemStoreVariant(Policy policy, SegmentLayout layout) {
  /**
   * Returns the variant of a name: a policy, or a policy, cells and index with slashes between, as
   * BASIC/HEAP_CHUNKS/ARRAY.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static MemStoreVariant parse(String name) {
    String[] parts = name.toUpperCase(Locale.ROOT).split("/", -1);
    if (parts.length != 1 && parts.length != 3) {
      throw new IllegalArgumentException(
          "no variant named \"" + name + "\", expected a policy or policy/cells/index");
    }
    Policy policy = choice(Policy.class, parts[0]);
    return new MemStoreVariant(
        policy,
        parts.length == 1
            ? SegmentLayout.DEFAULT
            : SegmentLayout.of(
                choice(CellMemory.class, parts[1]), choice(IndexKind.class, parts[2])));
  }

  private static <E extends Enum<E>> E choice(Class<E> type, String name) {
    for (E choice : type.getEnumConstants()) {
      if (choice.name().equals(name)) {
        return choice;
      }
    }
    throw new IllegalArgumentException(
        "no " + name + " among " + Arrays.toString(type.getEnumConstants()));
  }
}
