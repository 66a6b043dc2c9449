// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Files of a family that an import reads together, because they may hold versions of the same
 * columns. Immutable.
 *
 * @param family the name of the family
 * @param files the files, the oldest first as far as their names tell
 * @param cells cells in them
 */
record ImportUnit(String family, List<SourceFile> files, long cells) {
  /** Returns a name that stays the same as long as the files do. */
  String name() {
    CRC32 known = new CRC32();
    for (SourceFile each : files) {
      File file = each.file().toFile();
      String text = file + " " + file.length() + " " + file.lastModified() + "\n";
      known.update(text.getBytes(StandardCharsets.UTF_8));
    }
    return family
        + "/"
        + files.get(0).file().getFileName()
        + "/"
        + files.size()
        + "/"
        + Long.toHexString(known.getValue())
        + "/"
        + cells;
  }
}
