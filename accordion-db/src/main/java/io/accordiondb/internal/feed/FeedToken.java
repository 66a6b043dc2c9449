// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.feed;

import io.accordiondb.internal.wal.LogPosition;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Converts positions in the log to text and back. */
final class FeedToken {
  private static final String PREFIX = "accordion-2-";

  /** Begins tokens that have no checksum of their own. */
  private static final String UNCHECKED = "accordion-1-";

  private static final int FIELDS = 4;

  private FeedToken() {}

  /**
   * Returns a token. The last field is a checksum of the others: with another sequence number a
   * feed would pass over changes.
   */
  static String encode(LogPosition position) {
    String fields =
        String.join(
            "-",
            Long.toHexString(position.sequence()),
            Long.toHexString(position.fileNumber()),
            Long.toHexString(position.offset()),
            Integer.toHexString(position.checksum()));
    return PREFIX + fields + "-" + checksum(fields);
  }

  private static String checksum(String fields) {
    CRC32C crc = new CRC32C();
    crc.update(fields.getBytes(StandardCharsets.UTF_8));
    return Long.toHexString(crc.getValue());
  }

  /**
   * Reads a token.
   *
   * @throws IllegalArgumentException if it is not a token
   */
  static LogPosition decode(String token) {
    String[] fields = fieldsOf(token);
    try {
      if (fields.length == FIELDS) {
        LogPosition position =
            new LogPosition(
                Long.parseLong(fields[0], 16),
                Long.parseLong(fields[1], 16),
                Long.parseLong(fields[2], 16),
                Integer.parseUnsignedInt(fields[3], 16));
        if (position.sequence() >= 0 && position.fileNumber() >= 0 && position.offset() >= 0) {
          return position;
        }
      }
    } catch (NumberFormatException e) {
      // As below.
    }
    throw new IllegalArgumentException(
        "\"" + token + "\" is no token of a change feed; ChangeFeed.token() returns one");
  }

  /** Returns the fields of the position; none if that is no token, or one that was changed. */
  private static String[] fieldsOf(String token) {
    if (token.startsWith(UNCHECKED)) {
      return token.substring(UNCHECKED.length()).split("-");
    }
    int end = token.lastIndexOf('-');
    if (token.startsWith(PREFIX) && end > PREFIX.length()) {
      String fields = token.substring(PREFIX.length(), end);
      if (token.substring(end + 1).equals(checksum(fields))) {
        return fields.split("-");
      }
    }
    return new String[0];
  }
}
