// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.report.Spread;

/**
 * A result of the paper beside the result measured here. Immutable.
 *
 * @param text what is compared
 * @param number the paper's figure
 * @param bound how our figure should compare with the paper's
 * @param ours our figure
 */
public record Claim(String text, PaperNumber number, Bound bound, Spread ours) {
  /** How our figure should compare with the paper's. */
  public enum Bound {
    /** Our figure should be at least as high. */
    AT_LEAST,
    /** Our figure should be at most as high. */
    AT_MOST,
    /** Either will do. */
    BESIDE
  }

  /** Returns whether our median is as good as the paper's figure. */
  public boolean holds() {
    return switch (bound) {
      case AT_LEAST -> ours.median() >= number.value();
      case AT_MOST -> ours.median() <= number.value();
      case BESIDE -> true;
    };
  }

  /** Returns the comparison as a sentence. */
  public String sentence() {
    String verdict = bound == Bound.BESIDE ? "" : holds() ? ": reached" : ": NOT reached";
    return text
        + ": here "
        + FigureFormat.ratio(ours)
        + ", the paper's "
        + FigureFormat.ratio(number.value())
        + " ("
        + number.source()
        + ")"
        + verdict
        + ".";
  }
}
