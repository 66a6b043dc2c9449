// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A note between the batches of the log, about the time or the tables. A note is a batch of one
 * cell of a region that does not exist, so a replay skips it like the cells of a dropped region. It
 * has a sequence number of its own.
 *
 * @param timeMillis when it was written, in milliseconds since 1970
 * @param content the content, in a format that depends on the kind
 */
public record LogNote(Kind kind, long timeMillis, byte[] content) {
  /** The region that notes are of; no region has this number. */
  static final long REGION = -1;

  private static final int CELL_OFFSET =
      BatchLayout.GROUP_COUNT_BYTES + BatchLayout.GROUP_HEADER_BYTES;

  private static final byte[] NONE = {};

  /** The kinds of notes. Their names are in the log, so they must not change. */
  public enum Kind {
    /** Everything logged before was committed by this time. It has no content. */
    TIME,
    /** The tables that exist from here on. */
    TABLES,
    /** Same, but changes before it may be missing from the log: the first note of a process. */
    TABLES_FROM_HERE,
    /** Sorted files are about to be ingested into the table of this name. */
    INGESTION,
    /** A number was given out for no write, so that no later write gets it. It has no content. */
    NUMBER
  }

  /** Returns the note as a batch with one sequence number. */
  ByteBuffer encode() {
    byte[] name = kind.name().toLowerCase(Locale.ROOT).getBytes(US_ASCII);
    int cellBytes = KeyValueLayout.length(name.length, 0, 0, content.length);
    ByteBuffer payload = ByteBuffer.allocate(CELL_OFFSET + cellBytes);
    payload.putInt(0, 1);
    int group = BatchLayout.GROUP_COUNT_BYTES;
    payload.putLong(group + BatchLayout.REGION_OFFSET, REGION);
    payload.putInt(group + BatchLayout.FAMILY_OFFSET, 0);
    payload.putInt(group + BatchLayout.CELLS_OFFSET, 1);
    payload.putInt(group + BatchLayout.BYTES_OFFSET, cellBytes);
    int type = CellType.PUT.code() & 0xFF;
    KeyValueLayout.write(payload, CELL_OFFSET, name, NONE, NONE, timeMillis, type, content);
    return payload;
  }

  /**
   * Returns the note that a group of a batch holds; null if it holds none, one of an unknown kind,
   * or a number alone.
   */
  public static @Nullable LogNote of(LoggedGroup group) {
    if (!group.isNote() || group.cellCount() != 1) {
      return null;
    }
    ByteBuffer batch = group.batch();
    int at = group.offset();
    byte[] name = KeyValueLayout.row(batch, at);
    for (Kind kind : Kind.values()) {
      if (kind != Kind.NUMBER
          && kind.name().toLowerCase(Locale.ROOT).equals(new String(name, US_ASCII))) {
        return new LogNote(
            kind, KeyValueLayout.timestamp(batch, at), KeyValueLayout.value(batch, at));
      }
    }
    return null;
  }
}
