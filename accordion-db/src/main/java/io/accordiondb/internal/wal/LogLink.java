// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.record.RecordFileHeader;
import io.accordiondb.internal.record.RecordMark;
import io.accordiondb.internal.record.RecordReader;
import io.accordiondb.internal.record.RecordTail;
import io.accordiondb.internal.record.RecordWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a log file says about the files before it, about itself, and about the manifest. Immutable.
 *
 * <p>A link is a record without sequence numbers. Each file begins with one. Another one follows
 * when the files before have been forced to the device while the file was being written, and when
 * the manifest has been committed to. In a {@linkplain RecordFileHeader#FILLED filled} file another
 * link also follows when everything before it has been forced to the device: a power failure may
 * leave any part of such a file unwritten, so only the link says what must be there.
 *
 * @param previousNumber number of the file before this one; 0 for none
 * @param previousBytes the length that the file before was given
 * @param previousSequence the last sequence number before this file
 * @param durableNumber all files up to this number were wholly on the device when the link was
 *     written, so a missing part of them was not lost by a crash
 * @param durableBytes this file was on the device up to this length; 0 in a growing file, which
 *     does not record it
 * @param manifest the commits that the manifest had, durably, when the link was written; so a
 *     manifest that has fewer has lost its end
 */
record LogLink(
    long previousNumber,
    long previousBytes,
    long previousSequence,
    long durableNumber,
    long durableBytes,
    RecordMark manifest) {
  // The lengths of links in files of versions 1 and 2, and in the present version.
  private static final int GROWING_BYTES = 4 * Long.BYTES;
  private static final int FILLED_BYTES = 5 * Long.BYTES;
  static final int BYTES = 7 * Long.BYTES;

  /** Appends the link. */
  void appendTo(RecordWriter writer) throws IOException {
    ByteBuffer payload =
        ByteBuffer.allocate(BYTES)
            .putLong(0, previousNumber)
            .putLong(Long.BYTES, previousBytes)
            .putLong(2 * Long.BYTES, previousSequence)
            .putLong(3 * Long.BYTES, durableNumber)
            .putLong(4 * Long.BYTES, durableBytes)
            .putLong(5 * Long.BYTES, manifest.fileNumber())
            .putLong(6 * Long.BYTES, manifest.records());
    CRC32C crc = new CRC32C();
    crc.update(payload.array());
    writer.append(payload, (int) crc.getValue(), previousSequence, 0);
  }

  /** Returns the link at the position of a reader; null if another record is there. */
  static @Nullable LogLink current(RecordReader reader) throws CorruptionException {
    return reader.count() == 0
        ? of(
            reader.payload(),
            reader.fileNumber(),
            reader.path(),
            reader.soundBytes() - reader.payload().limit())
        : null;
  }

  /** Same for a tail. */
  static @Nullable LogLink current(RecordTail tail) throws CorruptionException {
    return tail.count() == 0
        ? of(tail.payload(), tail.fileNumber(), tail.path(), tail.end() - tail.payload().limit())
        : null;
  }

  private static LogLink of(ByteBuffer payload, long fileNumber, String path, long offset)
      throws CorruptionException {
    int bytes = payload.limit();
    if (bytes != BYTES && bytes != GROWING_BYTES && bytes != FILLED_BYTES) {
      throw new CorruptionException(
          path,
          offset,
          "a link of " + BYTES + ", " + FILLED_BYTES + " or " + GROWING_BYTES + " bytes",
          bytes + " bytes");
    }
    for (int at = 0; at < bytes; at += Long.BYTES) {
      if (payload.getLong(at) < 0) {
        throw new CorruptionException(
            path,
            offset + at,
            "a number, length or sequence number",
            Long.toString(payload.getLong(at)));
      }
    }
    if (payload.getLong(0) >= fileNumber) {
      // Whoever follows the links must arrive at the first file.
      throw new CorruptionException(
          path,
          offset,
          "the number of a file before " + fileNumber,
          Long.toString(payload.getLong(0)));
    }
    return new LogLink(
        payload.getLong(0),
        payload.getLong(Long.BYTES),
        payload.getLong(2 * Long.BYTES),
        payload.getLong(3 * Long.BYTES),
        bytes >= FILLED_BYTES ? payload.getLong(4 * Long.BYTES) : 0,
        bytes == BYTES
            ? new RecordMark(payload.getLong(5 * Long.BYTES), payload.getLong(6 * Long.BYTES))
            : RecordMark.NONE);
  }

  /** Returns the link of a file behind another one. */
  static LogLink behind(SealedLog previous, long durableNumber, RecordMark manifest) {
    return new LogLink(
        previous.fileNumber(),
        previous.bytes(),
        previous.lastSequence(),
        durableNumber,
        0,
        manifest);
  }

  /** Returns an updated link for a later place in the same file. */
  LogLink with(long newDurableNumber, long newDurableBytes, RecordMark newManifest) {
    return new LogLink(
        previousNumber,
        previousBytes,
        previousSequence,
        newDurableNumber,
        newDurableBytes,
        newManifest);
  }
}
