// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.ycsb;

import java.io.IOException;
import java.io.OutputStream;
import site.ycsb.measurements.exporter.TextMeasurementsExporter;

/**
 * Prints what YCSB prints, then writes the plots of the {@link PlottedRun}: after all is measured,
 * and before YCSB's client ends the process.
 */
public final class PlotExporter extends TextMeasurementsExporter {
  /** Creates an exporter; to be found by name. */
  public PlotExporter(OutputStream out) {
    super(out);
  }

  @Override
  public void close() throws IOException {
    super.close();
    PlottedRun.current().write();
  }
}
