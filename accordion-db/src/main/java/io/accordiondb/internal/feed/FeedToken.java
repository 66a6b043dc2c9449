// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.feed;

import io.accordiondb.internal.wal.LogPosition;

/** Converts positions in the log to text and back. */
final class FeedToken {
  private static final String PREFIX = "accordion-1";
  private static final int FIELDS = 5;

  private FeedToken() {}

  static String encode(LogPosition position) {
    return String.join(
        "-",
        PREFIX,
        Long.toHexString(position.sequence()),
        Long.toHexString(position.fileNumber()),
        Long.toHexString(position.offset()),
        Integer.toHexString(position.checksum()));
  }

  /**
   * Reads a token.
   *
   * @throws IllegalArgumentException if it is not a token
   */
  static LogPosition decode(String token) {
    String[] fields = token.startsWith(PREFIX + "-") ? token.split("-") : new String[0];
    try {
      if (fields.length == FIELDS + 1) {
        LogPosition position =
            new LogPosition(
                Long.parseLong(fields[2], 16),
                Long.parseLong(fields[3], 16),
                Long.parseLong(fields[4], 16),
                Integer.parseUnsignedInt(fields[5], 16));
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
}
