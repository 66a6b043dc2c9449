// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import io.accordiondb.cli.text.BytesText;
import io.accordiondb.cli.text.Encoding;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A column, {@code family:qualifier}, or a whole family. The arrays must not be changed.
 *
 * @param family its name
 * @param qualifier null for all columns of the family
 */
record Column(byte[] family, byte @Nullable [] qualifier) {
  /** Reads a column; the qualifier may be in any encoding. */
  static Column parse(String text) {
    int colon = text.indexOf(':');
    String family = colon < 0 ? text : text.substring(0, colon);
    return new Column(
        family.getBytes(StandardCharsets.UTF_8),
        colon < 0 ? null : BytesText.parse(text.substring(colon + 1)));
  }

  /** Returns a column as text that {@link #parse} reads. */
  static String format(byte[] family, byte[] qualifier, Encoding encoding) {
    return new String(family, StandardCharsets.US_ASCII)
        + ":"
        + BytesText.format(qualifier, encoding);
  }

  /** Returns the qualifier; of what names a family alone, the empty one. */
  byte[] qualifierOrEmpty() {
    return qualifier == null ? new byte[0] : qualifier;
  }
}
