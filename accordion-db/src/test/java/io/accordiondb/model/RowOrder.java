// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Scan;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** The order of the rows of a scan. */
final class RowOrder {
  private RowOrder() {}

  /** Checks that a scan has returned rows in its direction, and each of them once. */
  static void check(List<String> rows, Scan scan) {
    Comparator<String> up = Comparator.naturalOrder();
    NavigableSet<String> ordered = new TreeSet<>(scan.reversed() ? up.reversed() : up);
    ordered.addAll(rows);
    assertThat(rows).containsExactlyElementsOf(ordered);
  }
}
