// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.accordiondb.cli.text.Json;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Lines of journals: JSON, a space, and the CRC32C of the JSON. A journal says what need not be
 * done, so a line that was changed must not say that of something else.
 */
final class JournalLine {
  private JournalLine() {}

  /** Returns the line for a record, with its end. */
  static String of(Object content) throws JsonProcessingException {
    String json = Json.write(content);
    return json + " " + checksum(json) + "\n";
  }

  /** Returns the JSON of a line, which has no end; null if the line is not what was written. */
  static @Nullable String contentOf(String line) {
    int end = line.lastIndexOf(' ');
    return end >= 0 && line.substring(end + 1).equals(checksum(line.substring(0, end)))
        ? line.substring(0, end)
        : null;
  }

  private static String checksum(String json) {
    CRC32C crc = new CRC32C();
    crc.update(json.getBytes(StandardCharsets.UTF_8));
    return String.format(Locale.ROOT, "%08x", crc.getValue());
  }
}
