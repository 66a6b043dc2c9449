// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.inspect;

import io.accordiondb.cli.text.Fields;
import java.util.ArrayList;
import java.util.List;

/** Counts lengths by powers of two. Not thread-safe. */
final class Histogram {
  private final long[] counts = new long[Integer.SIZE + 1];
  private long total;

  void add(int length) {
    counts[Integer.SIZE - Integer.numberOfLeadingZeros(length)]++;
    total++;
  }

  /** Returns a row for each range that has any: its bounds, inclusive, count and share. */
  List<Fields> rows(String what) {
    List<Fields> rows = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        long min = i == 0 ? 0 : 1L << (i - 1);
        long max = i == 0 ? 0 : (1L << i) - 1;
        rows.add(
            new Fields()
                .with("of", what)
                .with("min", min)
                .with("max", max)
                .with("cells", counts[i])
                .with("percent", Math.round(1000.0 * counts[i] / total) / 10.0));
      }
    }
    return rows;
  }
}
