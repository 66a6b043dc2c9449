// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.accordiondb.cli.text.Json;
import io.accordiondb.cli.text.TextChecksum;
import org.jspecify.annotations.Nullable;

/**
 * Lines of journals: JSON, a space, and the CRC32C of the JSON. A journal names work that is done
 * and not repeated. A line that was changed could name other work, which would then be left out.
 */
final class JournalLine {
  private JournalLine() {}

  /** Returns the line for a record, with its end. */
  static String of(Object content) throws JsonProcessingException {
    String json = Json.write(content);
    return json + " " + new TextChecksum().add(json).text() + "\n";
  }

  /** Returns the JSON of a line without its line feed; null if the line is not what was written. */
  static @Nullable String contentOf(String line) {
    int end = line.lastIndexOf(' ');
    if (end < 0) {
      return null;
    }
    String json = line.substring(0, end);
    return line.substring(end + 1).equals(new TextChecksum().add(json).text()) ? json : null;
  }
}
