// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.hfile;

import io.accordiondb.bench.engine.EngineUnavailableException;
import io.accordiondb.cli.text.Fields;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ServiceLoader;

/** Writes tables as HFiles and reads HFiles; a service that the module with HBase provides. */
public interface HFileTransfer {
  /**
   * Returns the transfer of the module on the class path.
   *
   * @throws EngineUnavailableException if there is none
   */
  static HFileTransfer find() throws EngineUnavailableException {
    return ServiceLoader.load(HFileTransfer.class)
        .findFirst()
        .orElseThrow(
            () ->
                new EngineUnavailableException(
                    "HFiles and snapshots of HBase need HBase's libraries, which are not on the"
                        + " class path; the script \"accordion\" of the sources adds them, the"
                        + " distribution has none"));
  }

  /**
   * Checks that a folder can take an export: it is missing, empty, or holds an export that was
   * interrupted.
   *
   * @throws java.nio.file.FileSystemException if it cannot
   */
  void checkTarget(Path folder) throws IOException;

  /**
   * Writes a table into a folder, and returns what was written. If it fails or is interrupted, no
   * file that is incomplete has a final name, and the next call continues.
   */
  Fields exportTable(HFileExport export) throws IOException;

  /**
   * Reads a folder into a table, and returns what was read. It checks the names and the forms of
   * all files before it opens the database. If it fails or is interrupted, the next call continues.
   *
   * @throws DamagedHFileException if a file is damaged
   */
  Fields importTable(HFileImport source) throws IOException;
}
