// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.CRC32C;

/** The CRC32C of text in UTF-8. Not thread-safe. */
public final class TextChecksum {
  private final CRC32C crc = new CRC32C();

  /** Adds text behind that which was added before; returns this. */
  public TextChecksum add(String text) {
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** Returns the checksum of all that was added, as 8 hexadecimal digits in lower case. */
  public String text() {
    return String.format(Locale.ROOT, "%08x", crc.getValue());
  }
}
