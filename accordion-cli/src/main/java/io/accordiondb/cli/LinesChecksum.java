// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.CRC32C;

/** The checksum of the lines of an exported table that stand before its last one. */
final class LinesChecksum {
  private final CRC32C crc = new CRC32C();

  /** Adds a line, which has no end. */
  void add(String line) {
    crc.update(line.getBytes(StandardCharsets.UTF_8));
    crc.update('\n');
  }

  /** Returns the checksum of all lines that were added, as the last line has it. */
  String text() {
    return String.format(Locale.ROOT, "%08x", crc.getValue());
  }
}
