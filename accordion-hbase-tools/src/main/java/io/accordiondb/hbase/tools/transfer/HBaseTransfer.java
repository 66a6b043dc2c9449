// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import io.accordiondb.cli.hfile.HFileExport;
import io.accordiondb.cli.hfile.HFileImport;
import io.accordiondb.cli.hfile.HFileTransfer;
import io.accordiondb.cli.text.Fields;
import java.io.IOException;
import java.nio.file.Path;

/** Moves tables by HBase's own writers and readers, on the local disk. Stateless. */
public final class HBaseTransfer implements HFileTransfer {
  /** Creates the transfer; to be found as a service. */
  public HBaseTransfer() {}

  @Override
  public void checkTarget(Path folder) throws IOException {
    ExportJournal.checkTarget(folder);
  }

  @Override
  public Fields exportTable(HFileExport export) throws IOException {
    return new HFileExporter(export, LocalFiles.open()).run();
  }

  @Override
  public Fields importTable(HFileImport source) throws IOException {
    return new HFileImporter(source, LocalFiles.open()).run();
  }
}
