// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents;

import java.util.List;
import java.util.Locale;

/** Draws ratios as bars beside a line at 1, as SVG. */
final class RatioChart {
  private static final int WIDTH = 760;
  private static final int LABEL_WIDTH = 230;
  private static final int ROW_HEIGHT = 22;
  private static final int TOP = 44;
  private static final double RATIO_MAX = 4;
  private static final double UNIT = (WIDTH - LABEL_WIDTH - 60) / RATIO_MAX;

  private RatioChart() {}

  /**
   * A bar.
   *
   * @param label what was measured
   * @param ratio how far the bar reaches, at most 4
   */
  record Bar(String label, double ratio) {}

  /** Returns the drawing. */
  static String svg(String title, List<Bar> bars) {
    int height = TOP + bars.size() * ROW_HEIGHT + 12;
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" \
            font-size="13">
            <title>%s</title>
            <rect width="100%%" height="100%%" fill="#ffffff"/>
            <text x="12" y="22" font-size="15" font-weight="bold" fill="#1f2430">%s</text>
            """,
            WIDTH,
            height,
            title,
            title));
    for (int i = 0; i < bars.size(); i++) {
      row(svg, bars.get(i), TOP + i * ROW_HEIGHT);
    }
    double one = LABEL_WIDTH + UNIT;
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#1f2430\""
                + " stroke-dasharray=\"4 3\"/>%n</svg>%n",
            one,
            TOP - 8,
            one,
            height - 8));
    return svg.toString();
  }

  private static void row(StringBuilder svg, Bar bar, int y) {
    double length = Math.min(bar.ratio(), RATIO_MAX) * UNIT;
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#1f2430\">%s</text>"
                + "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"16\" fill=\"%s\"/>"
                + "<text x=\"%.1f\" y=\"%d\" fill=\"#1f2430\">%.2f</text>%n",
            LABEL_WIDTH - 8,
            y + 13,
            bar.label(),
            LABEL_WIDTH,
            y,
            length,
            bar.ratio() < 1 ? "#c2571a" : "#2f6fb0",
            LABEL_WIDTH + length + 6,
            y + 13,
            bar.ratio()));
  }
}
