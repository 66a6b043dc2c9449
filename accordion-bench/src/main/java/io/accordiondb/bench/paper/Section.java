// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.report.Chart;
import io.accordiondb.bench.report.ReportTable;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The report of an experiment. Immutable except for its chart.
 *
 * @param table the figures
 * @param chart the same as a picture
 * @param claims the paper's figures beside ours
 * @param remark a further remark; may be empty
 */
public record Section(ReportTable table, Chart chart, List<Claim> claims, String remark) {
  /** Returns the paragraph that sets our figures beside the paper's. */
  public String paragraph() {
    String sentences = claims.stream().map(Claim::sentence).collect(Collectors.joining(" "));
    return (sentences + " " + remark).strip();
  }
}
