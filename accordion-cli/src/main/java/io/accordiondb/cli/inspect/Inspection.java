// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.inspect;

import io.accordiondb.inspect.Inspector;
import java.io.IOException;

/** The subjects of an inspection. */
public enum Inspection {
  /** Tables and their families. */
  TABLES(OutlineViews::tables),
  /** Regions. */
  REGIONS(OutlineViews::regions),
  /** Sorted tables. */
  FILES(OutlineViews::files),
  /** One sorted table. */
  TABLE((inspector, out) -> new TableView(out).print(inspector)),
  /** Log files. */
  LOG((inspector, out) -> new LogFileView(out).print(inspector)),
  /** Manifest files. */
  MANIFEST((inspector, out) -> new ManifestView(out).print(inspector)),
  /** The memory of the process that has the database open. */
  MEMORY((inspector, out) -> new MemoryView(out).print()),
  /** Bytes of stores, and estimates of what is live. */
  SIZES((inspector, out) -> new SizesView(out, false).print(inspector)),
  /** The space that a compaction would free. */
  SPACE((inspector, out) -> new SizesView(out, true).print(inspector));

  private interface Printer {
    void print(Inspector inspector, InspectOutput out) throws IOException;
  }

  private final Printer printer;

  Inspection(Printer printer) {
    this.printer = printer;
  }

  /** Prints it. */
  public void print(Inspector inspector, InspectOutput out) throws IOException {
    printer.print(inspector, out);
  }
}
