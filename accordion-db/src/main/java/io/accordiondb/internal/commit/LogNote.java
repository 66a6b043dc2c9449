// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.CRC32C;
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
    NUMBER,
    /** Numbers up to the content may be given out to writes that are not logged. */
    RESERVED
  }

  /** Returns a note whose own number is given out for no write. */
  static LogNote number() {
    return new LogNote(Kind.NUMBER, 0, NONE);
  }

  /** Returns a note that reserves numbers up to one. */
  static LogNote reserving(long lastSequence) {
    byte[] content = ByteBuffer.allocate(Long.BYTES).putLong(lastSequence).array();
    return new LogNote(Kind.RESERVED, 0, content);
  }

  /** Appends the note to the log, under a sequence number of its own. */
  void appendTo(WriteAheadLog log, long sequence) throws IOException {
    ByteBuffer payload = encode();
    CRC32C crc = new CRC32C();
    crc.update(payload.duplicate());
    log.append(payload, (int) crc.getValue(), sequence, 1);
  }

  private ByteBuffer encode() {
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

  /** Returns the note about time or tables that a group of a batch holds; null if it holds none. */
  public static @Nullable LogNote of(LoggedGroup group) {
    LogNote note = any(group);
    return note == null || note.kind == Kind.NUMBER || note.kind == Kind.RESERVED ? null : note;
  }

  /** Returns whether a group of a batch holds a note of an unknown kind. */
  static boolean isUnknown(LoggedGroup group) {
    return group.isNote() && any(group) == null;
  }

  /** Returns the sequence number up to which a group of a batch reserves numbers; 0 for none. */
  public static long reservedBy(LoggedGroup group) {
    LogNote note = any(group);
    return note == null || note.kind != Kind.RESERVED || note.content.length != Long.BYTES
        ? 0
        : ByteBuffer.wrap(note.content).getLong();
  }

  private static @Nullable LogNote any(LoggedGroup group) {
    if (!group.isNote() || group.cellCount() != 1) {
      return null;
    }
    ByteBuffer batch = group.batch();
    int at = group.offset();
    byte[] name = KeyValueLayout.row(batch, at);
    for (Kind kind : Kind.values()) {
      if (kind.name().toLowerCase(Locale.ROOT).equals(new String(name, US_ASCII))) {
        return new LogNote(
            kind, KeyValueLayout.timestamp(batch, at), KeyValueLayout.value(batch, at));
      }
    }
    return null;
  }
}
