// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * Formats keys for messages: it cuts them after a few bytes, writes unprintable bytes in
 * hexadecimal, and shows no values.
 */
public final class KeyText {
  private static final int BYTES_MAX = 48;

  private KeyText() {}

  /** Returns row, family, qualifier, timestamp, type and sequence number of a cell. */
  public static String of(ByteBuffer cell, int offset, long sequence) {
    StringBuilder text = new StringBuilder(160);
    append(text, cell, KeyValueLayout.rowOffset(offset), KeyValueLayout.rowLength(cell, offset));
    text.append('/');
    append(
        text,
        cell,
        KeyValueLayout.familyOffset(cell, offset),
        KeyValueLayout.familyLength(cell, offset));
    text.append(':');
    append(
        text,
        cell,
        KeyValueLayout.qualifierOffset(cell, offset),
        KeyValueLayout.qualifierLength(cell, offset));
    return text.append("/timestamp ")
        .append(KeyValueLayout.timestamp(cell, offset))
        .append("/type ")
        .append(KeyValueLayout.typeCode(cell, offset))
        .append("/sequence ")
        .append(sequence)
        .toString();
  }

  /** Returns the row of a cell. */
  static String row(ByteBuffer cell, int offset) {
    StringBuilder text = new StringBuilder(BYTES_MAX);
    append(text, cell, KeyValueLayout.rowOffset(offset), KeyValueLayout.rowLength(cell, offset));
    return text.toString();
  }

  private static void append(StringBuilder text, ByteBuffer bytes, int offset, int length) {
    for (int i = 0; i < Math.min(length, BYTES_MAX); i++) {
      int value = bytes.get(offset + i) & 0xFF;
      if (value > ' ' && value < 0x7F && value != '\\') {
        text.append((char) value);
      } else {
        text.append(String.format(Locale.ROOT, "\\x%02x", value));
      }
    }
    if (length > BYTES_MAX) {
      text.append("...(").append(length).append(" bytes)");
    }
  }
}
